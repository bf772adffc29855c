import Foundation
import TestSupport
import Testing

/// What is wrong is said once, with what helps.
struct SaidOnceTests {
    private func withShop(_ body: (URL) throws -> Void) throws {
        try withFolder { folder in
            try ShopVersions.write(
                [ShopVersions.source("a"), ShopVersions.source("a", "b")],
                in: folder
            )
            try writeBundle(
                ["V1": ShopVersions.source("a")],
                current: "V1",
                at: folder.appending(path: "Other.xcdatamodeld")
            )
            #expect(try momtool(["init"], in: folder).status == 0)
            try body(folder)
        }
    }

    private func count(_ words: String, in run: CommandResult) -> Int {
        (run.output + run.errors).components(separatedBy: words).count - 1
    }

    @Test(arguments: [["check"], ["lint", "."], ["lock"], ["lock", "--check"]])
    func `a fault of the configuration of several models`(command: [String]) throws {
        try withShop { folder in
            try ShopVersions.say("bogus: 1\n", in: folder)
            let run = try momtool(command, in: folder)
            #expect(run.status != 0)
            #expect(count("'bogus' is unknown here", in: run) == 1, "\(run.output)\(run.errors)")
        }
    }

    @Test func `a version that cannot be read`() throws {
        try withShop { folder in
            try write("<model>", "Shop.xcdatamodeld/V1.xcdatamodel/contents", in: folder)
            for command in [["lock", "--check"], ["lock", "--check", ShopVersions.bundle]] {
                let run = try momtool(command, in: folder)
                #expect(run.status == 1, "\(run.errors)")
                #expect(count("[malformed-xml]", in: run) == 1, "\(run.output)\(run.errors)")
            }
        }
    }

    @Test func `a model that is gone, of which the lock is there`() throws {
        try withShop { folder in
            try FileManager.default.removeItem(at: folder.appending(path: ShopVersions.bundle))
            let words =
                "no such model, though 'Shop.xcdatamodeld.lock' locks its versions: restore it from version control"
            for command in ["lint", "check", "lock", "diff"] {
                let run = try momtool([command, ShopVersions.bundle], in: folder)
                #expect(run.status == 66 && run.errors.contains(words), "\(run.errors)")
                #expect(run.errors.contains("momtool model prune Shop.xcdatamodeld V1 V2"))
            }
            let none = try momtool(["lint", "None.xcdatamodeld"], in: folder)
            #expect(none.errors.contains("no such file or folder"), "\(none.errors)")
        }
    }

    @Test func `a new version in which nothing is changed yet is told as that`() throws {
        try withShop { folder in
            #expect(
                try momtool(["model", "new-version", ShopVersions.bundle], in: folder).status == 0
            )
            let copy = try momtool(["lint", ShopVersions.bundle], in: folder)
            #expect(
                copy.output.contains("nothing is changed in 'V3' yet: it has the checksum of 'V2'"),
                "\(copy.output)"
            )
            #expect(!copy.output.contains("set a version hash modifier"), "\(copy.output)")
            // What changes without a hash does not come to stores either.
            let source = "Shop.xcdatamodeld/V3.xcdatamodel/contents"
            let text = try String(contentsOf: folder.appending(path: source), encoding: .utf8)
            let edit = text.replacing("syncable=", with: "representedClassName=\"Item\" syncable=")
            #expect(edit != text)
            try write(edit, source, in: folder)
            let edited = try momtool(["lint", ShopVersions.bundle], in: folder)
            #expect(edited.output.contains("set a version hash modifier"), "\(edited.output)")
        }
    }
}
