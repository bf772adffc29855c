import Foundation
import TestSupport
import Testing

struct PatchTests {
    private static let commands: [[String]] = [
        ["add", EditedShop.model, "attribute", "Book.rating", "Double"],
        ["add", EditedShop.model, "attribute", "Book.rating", "Double", "--new-version"],
        ["set", EditedShop.model, "Book.title", "--optional", "no", "--default", "none"],
        ["rename", EditedShop.model, "Stop", "Station"],
        ["remove", EditedShop.model, "Book.isbn"],
        ["move", EditedShop.model, "Book.isbn", "Stop"],
        ["apply", EditedShop.model, "edits.yml"],
        ["new-version", EditedShop.model],
        ["set-current", EditedShop.model, "Shop"],
        ["rename-version", EditedShop.model, "Shop 2", "Shop 3"],
        ["undo-version", EditedShop.model],
        ["new-version", "App"],
    ]

    @Test(arguments: commands)
    func `git applies the patch`(words: [String]) throws {
        try EditedShop.with { shop in
            try write(
                "- add: attribute Book.rating\n  with: {attributeType: Double}\n",
                "edits.yml",
                in: shop.folder
            )
            try write(
                "import SwiftData\n\n@Model\nfinal class Entry {\n    var text: String = \"\"\n\n    init() {}\n}\n",
                "App/Entry.swift",
                in: shop.folder
            )
            try commit("first", in: shop.folder)
            let run = try momtool(
                ["model"] + words + ["--dry-run", "--format", "json"],
                in: shop.folder
            )
            #expect(run.status == 0, "\(run.errors)")
            let report =
                try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any]
            let patch = try #require(report?["patch"] as? String)
            #expect(patch.hasSuffix("\n") && !patch.hasSuffix("\n\n"))
            try write(patch, "change.patch", in: shop.folder)
            let applied = try git("apply", "--check", "change.patch", in: shop.folder)
            #expect(applied.status == 0, "\(applied.errors)\n\(patch)")
        }
    }

    @Test func `the plan of a change that is tried is in its report`() throws {
        try EditedShop.with { shop in
            let words = ["Stop.label", "caption", "--dry-run", "--plan", "--format", "json"]
            let run = try momtool(["model", "rename", EditedShop.model] + words, in: shop.folder)
            let report =
                try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any]
            #expect((report?["plan"] as? String)?.contains("caption") == true, "\(run.output)")
            #expect(!run.errors.contains("caption"), "\(run.errors)")
        }
    }

    @Test func `paths count from the root of the repository, wherever the command is typed`() throws
    {
        try EditedShop.with { shop in
            let inner = shop.folder.appending(path: "App/Inner")
            try makeFolder(inner)
            let bundle = shop.folder.appending(path: EditedShop.model)
            try FileManager.default.moveItem(
                at: bundle,
                to: shop.folder.appending(path: "App/\(EditedShop.model)")
            )
            func patch(_ model: String, in folder: URL) throws -> String {
                let words = [
                    "model", "add", model, "attribute", "Book.rating", "Double", "--dry-run",
                ]
                let run = try expectRun(words, in: folder, 0)
                return run.output
            }
            let app = shop.folder.appending(path: "App")
            let alone = try patch("./\(EditedShop.model)", in: app)
            #expect(alone.hasPrefix("diff --git a/\(EditedShop.model)/"), "\(alone)")
            try commit("first", in: shop.folder)
            let whole = try patch("App/\(EditedShop.model)", in: shop.folder)
            #expect(whole.hasPrefix("diff --git a/App/\(EditedShop.model)/"), "\(whole)")
            for (model, folder) in [
                ("./App/\(EditedShop.model)", shop.folder), ("./\(EditedShop.model)", app),
                (EditedShop.model, app), ("../\(EditedShop.model)", inner),
                (app.appending(path: EditedShop.model).path, inner),
            ] {
                #expect(try patch(model, in: folder) == whole, "\(model)")
            }
            try write(whole, "change.patch", in: shop.folder)
            let applied = try git("apply", "../change.patch", in: app)
            #expect(applied.status == 0, "\(applied.errors)")
            #expect(try git("diff", "--stat", in: shop.folder).output.contains("1 insertion"))
        }
    }
}

struct LockedEditTests {
    private func withLock(_ body: (EditedShop) throws -> Void) throws {
        try withFolder { folder in
            let bundle = folder.appending(path: EditedShop.model)
            try writeBundle(["Shop": EditedShop.source], at: bundle)
            #expect(try momtool("lock", in: folder).status == 0)
            try body(EditedShop(folder: folder))
        }
    }

    @Test func `what moves no hash is written, by every command`() throws {
        try withLock { shop in
            let set = try shop.run("set", "Stop.books", "--delete", "cascade")
            #expect(set.status == 0, "\(set.errors)")
            #expect(set.errors.contains("'Shop' is locked; none of its hashes moves"))
            #expect(set.output.contains("Shop, as it was → now: no effect on the hash"))
            let list = try shop.apply(
                "- set: attribute Book.title\n  with: {defaultValueString: new}\n"
            )
            #expect(list.status == 0, "\(list.errors)")
            let text = try shop.text("Shop")
            #expect(text.contains(#"deletionRule="Cascade""#))
            #expect(text.contains(#"defaultValueString="new""#))
            #expect(try momtool("lock --check", in: shop.folder).status == 0)
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
            let lint = try momtool("lint", in: shop.folder)
            let command = "momtool model set Shop.xcdatamodeld entity Stop --hash-modifier 2"
            #expect(lint.output.contains("modifier: \(command), or remove one"), "\(lint.output)")
            let words = command.split(separator: " ").dropFirst().map(String.init)
            #expect(try momtool(words, in: shop.folder).status == 0)
            try expectRun("lint", in: shop.folder, nil, not: ["[equal-checksums]"])
        }
    }

    @Test func `a reviewer sees a delete rule that changed`() throws {
        try withLock { shop in
            try commit("base", in: shop.folder)
            try git("tag", "base", in: shop.folder)
            #expect(try shop.run("set", "Stop.books", "--delete", "cascade").status == 0)
            #expect(try shop.run("set", "Book.title", "--default", "new").status == 0)
            let check = try momtool("check --against base --comment comment.md", in: shop.folder)
            #expect(check.status < 2, "\(check.output)\(check.errors)")
            let comment = try fileText(shop.folder.appending(path: "comment.md"))
            #expect(comment.contains("| delete rule: Nullify → Cascade |"), "\(comment)")
            #expect(comment.contains("| default: none → "), "\(comment)")
            #expect(comment.contains("~books Nullify → Cascade, ↠ Book"), "\(comment)")
            let diff = try momtool("diff \(EditedShop.model) --against base", in: shop.folder)
            #expect(
                diff.output.contains("[no effect on the hash: the hashes are equal, so the step"),
                "\(diff.output)"
            )
        }
    }
}
