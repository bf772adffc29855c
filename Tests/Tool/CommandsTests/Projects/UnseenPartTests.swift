import Foundation
import TestSupport
import Testing

/// What a walk through a project cannot look at is a finding, so that no check is green without it.
struct UnseenPartTests {
    @Test(arguments: [["check"], ["lint", "."]])
    func `names that are no UTF-8, and names that a Mac takes for one`(command: [String]) throws {
        try withFolder { folder in
            let model = ShopVersions.source("a")
            for name in ["Shop.xcdatamodeld", "shop.xcdatamodeld"] {
                try writeBundle(["V1": model], current: "V1", at: folder.appending(path: name))
            }
            try writeBundle(
                ["V1": model, "v1": model],
                current: "V1",
                at: folder.appending(path: "App/Twins.xcdatamodeld")
            )
            let strange = Array("\(folder.path)/App/a".utf8) + [0xFF]
            let name = strange.map { CChar(bitPattern: $0) } + [0]
            #expect(mkdir(name, 0o755) == 0)
            defer { rmdir(name) }
            let run = try momtool(command, in: folder)
            #expect(run.status == 1, "\(run.output)\(run.errors)")
            let lines = run.output.split(separator: "\n").filter { $0.contains("[unseen-part]") }
            #expect(lines.count == 3, "\(run.output)")
            for path in ["App/a", "App/Twins.xcdatamodeld/v1.xcdatamodel", "shop.xcdatamodeld"] {
                #expect(lines.contains { $0.contains(path) }, "\(path) in \(run.output)")
            }
        }
    }

    @Test func `a model that a sparse checkout leaves out`() throws {
        try withFolder { folder in
            for name in ["App/Shop.xcdatamodeld", "Kit/Kit.xcdatamodeld"] {
                let bundle = folder.appending(path: name)
                try writeBundle(["V1": ShopVersions.source("a")], current: "V1", at: bundle)
            }
            try commit("one", in: folder)
            #expect(!(try momtool(["check"], in: folder)).output.contains("unseen-part"))
            try git("sparse-checkout", "set", "--no-cone", "/*", "!/Kit/", in: folder)
            let run = try momtool(["check"], in: folder)
            #expect(run.status == 1, "\(run.output)\(run.errors)")
            #expect(run.output.contains("Kit/Kit.xcdatamodeld: warning: a sparse checkout"))
        }
    }
}
