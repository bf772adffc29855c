import Foundation
import TestSupport
import Testing

/// What a walk through a project cannot look at is a finding, so that no check is green without it.
struct UnseenPartTests {
    @Test(arguments: ["check", "lint ."])
    func `names that are no UTF-8, and names that a Mac takes for one`(command: String) throws {
        try withFolder { folder in
            let model = textModel("Item", ["a"])
            for name in ["Shop.xcdatamodeld", "shop.xcdatamodeld"] {
                try writeBundle([model], name, in: folder)
            }
            let twins = folder.appending(path: "App/Twins.xcdatamodeld")
            try writeBundle(["V1": model, "v1": model], current: "V1", at: twins)
            let bytes: [UInt8] = Array("\(folder.path)/App/a".utf8) + [0xFF, 0]
            let name = bytes.map { CChar(bitPattern: $0) }
            #expect(mkdir(name, 0o755) == 0)
            defer { rmdir(name) }
            let run = try expectRun(command, in: folder, 1)
            let lines = run.output.split(separator: "\n").filter { $0.contains("[unseen-part]") }
            #expect(lines.count == 3, "\(run.output)")
            for path in ["App/a", "App/Twins.xcdatamodeld/v1.xcdatamodel", "shop.xcdatamodeld"] {
                #expect(lines.contains { $0.contains(path) }, "\(path) in \(run.output)")
            }
        }
    }

    @Test func `a revision with a line break is told in one line`() throws {
        try withFolder { folder in
            try writeBundle([textModel("Item", ["a"])], "Shop.xcdatamodeld", in: folder)
            try commit("one", in: folder)
            for command in [["check"], ["diff", "Shop.xcdatamodeld"]] {
                let words = command + ["--against", "HEAD\nHEAD"]
                let run = try expectRun(words, in: folder, 66, errors: ["HEAD\\u000AHEAD"])
                #expect(run.errors.split(separator: "\n").count == 1, "\(run.errors)")
            }
        }
    }
}
