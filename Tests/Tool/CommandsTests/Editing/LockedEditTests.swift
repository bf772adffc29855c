import Foundation
import TestSupport
import Testing

struct LockedEditTests {
    private func withLock(_ body: (EditedShop) throws -> Void) throws {
        try withFolder { folder in
            let bundle = folder.appending(path: EditedShop.model)
            try writeBundle(["Shop": EditedShop.source], current: "Shop", at: bundle)
            #expect(try momtool(["lock"], in: folder).status == 0)
            try body(EditedShop(folder: folder))
        }
    }

    @Test func `what moves no hash is written, by every command`() throws {
        try withLock { shop in
            let set = try shop.run("set", "Stop.books", "--delete", "cascade")
            #expect(set.status == 0, "\(set.errors)")
            #expect(
                set.errors.contains("'Shop' is locked; none of its hashes moves"),
                "\(set.errors)"
            )
            #expect(set.output.contains("Shop, as it was → now: no effect on the hash"))
            let list = try shop.apply(
                "- set: attribute Book.title\n  with: {defaultValueString: new}\n"
            )
            #expect(list.status == 0, "\(list.errors)")
            let text = try shop.text("Shop")
            #expect(text.contains(#"deletionRule="Cascade""#))
            #expect(text.contains(#"defaultValueString="new""#))
            #expect(try momtool(["lock", "--check"], in: shop.folder).status == 0)
            let again = try shop.run("set", "Stop.books", "--delete", "cascade")
            #expect(!again.errors.contains("is locked"), "\(again.errors)")
        }
    }

    @Test func `what moves a hash is refused, and so is all that comes with it`() throws {
        try withLock { shop in
            let files = try shop.files()
            let refused = [
                try shop.run("set", "Book.title", "--optional", "no", "--default", "x"),
                try shop.run("rename", "Book.title", "caption"),
                try shop.run("add", "attribute", "Book.rating", "Double"),
                try shop.run("remove", "Book.title"),
                try shop.run("set", "entity", "Book", "--hash-modifier", "2"),
            ]
            for run in refused {
                #expect(run.status == 3 && run.errors.contains("'Shop' is locked"), "\(run.errors)")
                #expect(try shop.files() == files)
            }
            let list = """
                - set: relationship Stop.books
                  with: {deletionRule: Cascade}
                - remove: attribute Book.title
                """
            #expect(try shop.apply(list).status == 3)
            #expect(try shop.text("Shop") == EditedShop.source)
        }
    }

    @Test
    func `versions that only a delete rule tells apart get a modifier by the printed command`()
        throws
    {
        try withLock { shop in
            let new = try shop.run("set", "Stop.books", "--delete", "cascade", "--new-version")
            #expect(new.status == 0, "\(new.errors)")
            let lint = try momtool(["lint"], in: shop.folder)
            let command = "momtool model set Shop.xcdatamodeld entity Stop --hash-modifier 2"
            #expect(lint.output.contains("modifier: \(command), or remove one"), "\(lint.output)")
            let words = command.split(separator: " ").dropFirst().map(String.init)
            #expect(try momtool(words, in: shop.folder).status == 0)
            let after = try momtool(["lint"], in: shop.folder)
            #expect(!after.output.contains("[equal-checksums]"), "\(after.output)")
        }
    }

    @Test func `a reviewer sees a delete rule that changed`() throws {
        try withLock { shop in
            #expect(try git("init", "-q", in: shop.folder).status == 0)
            try git("add", "-A", in: shop.folder)
            try git("commit", "-qm", "base", in: shop.folder)
            try git("tag", "base", in: shop.folder)
            #expect(try shop.run("set", "Stop.books", "--delete", "cascade").status == 0)
            #expect(try shop.run("set", "Book.title", "--default", "new").status == 0)
            let check = try momtool(
                ["check", "--against", "base", "--comment", "comment.md"],
                in: shop.folder
            )
            #expect(check.status < 2, "\(check.output)\(check.errors)")
            let comment = try String(
                contentsOf: shop.folder.appending(path: "comment.md"),
                encoding: .utf8
            )
            #expect(comment.contains("| delete rule: Nullify → Cascade |"), "\(comment)")
            #expect(comment.contains("| default: none → "), "\(comment)")
            #expect(comment.contains("~books Nullify → Cascade, ↠ Book"), "\(comment)")
            let diff = try momtool(
                ["diff", EditedShop.model, "--against", "base"],
                in: shop.folder
            )
            #expect(
                diff.output.contains("[no effect on the hash: the hashes are equal, so the step"),
                "\(diff.output)"
            )
        }
    }
}
