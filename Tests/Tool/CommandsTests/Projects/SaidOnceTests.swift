import Foundation
import TestSupport
import Testing

struct SaidOnceTests {
    private func withShop(_ body: (URL) throws -> Void) throws {
        try withFolder { folder in
            try ShopVersions.write(
                [ShopVersions.source("a"), ShopVersions.source("a", "b")],
                in: folder
            )
            try writeBundle([ShopVersions.source("a")], "Other.xcdatamodeld", in: folder)
            #expect(try momtool("init", in: folder).status == 0)
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
                let run = try expectRun(command, in: folder, 1)
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
                #expect(run.errors.contains("a line 'pruned DAY'"))
            }
            let none = try momtool("lint None.xcdatamodeld", in: folder)
            #expect(none.errors.contains("no such file or folder"), "\(none.errors)")
        }
    }

    @Test func `a new version in which nothing is changed yet is told as that`() throws {
        try withShop { folder in
            #expect(try momtool("model new-version \(ShopVersions.bundle)", in: folder).status == 0)
            let copy = try momtool("lint \(ShopVersions.bundle)", in: folder)
            #expect(
                copy.output.contains("nothing is changed in 'V3' yet: it has the checksum of 'V2'"),
                "\(copy.output)"
            )
            #expect(!copy.output.contains("set a version hash modifier"), "\(copy.output)")
            // Changes without a hash do not come to stores either.
            let source = "Shop.xcdatamodeld/V3.xcdatamodel/contents"
            let text = try fileText(folder.appending(path: source))
            let edit = text.replacing("syncable=", with: "representedClassName=\"Item\" syncable=")
            #expect(edit != text)
            try write(edit, source, in: folder)
            let edited = try momtool("lint \(ShopVersions.bundle)", in: folder)
            #expect(edited.output.contains("set a version hash modifier"), "\(edited.output)")
            // What leads back to an older version was changed all the same.
            let first = folder.appending(path: "Shop.xcdatamodeld/V1.xcdatamodel/contents")
            try write(try fileText(first), source, in: folder)
            let reverted = try momtool("lint \(ShopVersions.bundle)", in: folder)
            #expect(reverted.output.contains("'V3' has the checksum of 'V1'"), "\(reverted.output)")
        }
    }

    private func entities(_ further: String = "") -> String {
        func link(_ name: String, _ entity: String, _ inverse: String) -> String {
            "<relationship name='\(name)' optional='YES' maxCount='1' deletionRule='Nullify' destinationEntity='\(entity)' "
                + "inverseName='\(inverse)' inverseEntity='\(entity)'/>"
        }
        let own = further.isEmpty ? "" : link(further, "A", "b")
        return "<model><entity name='A'>\(link("b", "B", "a"))</entity>"
            + "<entity name='B'>\(link("a", "A", "b"))\(own)</entity></model>"
    }

    @Test func `what is wrong in versions that shipped, as a note`() throws {
        try withFolder { folder in
            try writeBundle(
                [entities("c"), entities("c"), entities()],
                ShopVersions.bundle,
                in: folder
            )
            let shop = ShopVersions.bundle
            let commands = [
                ["plan", shop, "--from", "V1"], ["hash", shop],
                ["diff", shop, "--from", "V1", "--to", "V2"],
            ]
            for command in commands + [["check"], ["lint", shop]] {
                let run = try momtool(command, in: folder)
                #expect(count("[broken-inverse]", in: run) == 1, "\(run.output)\(run.errors)")
                let note = "note: the inverse 'b' points back to 'a' [broken-inverse]"
                #expect(count(note, in: run) == 1, "\(run.output)\(run.errors)")
                #expect(count("note: the same in 'V1'", in: run) == 1, "\(run.errors)")
            }
            try ShopVersions.say("lock: {unshipped: [V2]}\nlosses: {V3: [B.c]}\n", in: folder)
            #expect(try momtool(["lock", shop], in: folder).status == 0)
            for command in commands {
                let run = try momtool(command, in: folder)
                let warning = "V2.xcdatamodel/contents:1:"
                #expect(count(warning, in: run) == 1, "\(run.output)\(run.errors)")
                #expect(count(": warning: the inverse 'b'", in: run) == 1, "\(run.errors)")
                #expect(count(": note: the inverse 'b'", in: run) == 1, "\(run.errors)")
            }
        }
    }
}
