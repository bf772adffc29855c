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
            try git("init", "-q", in: shop.folder)
            try git("add", "-A", in: shop.folder)
            try git("commit", "-qm", "first", in: shop.folder)
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
            try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: true)
            let bundle = shop.folder.appending(path: EditedShop.model)
            try FileManager.default.moveItem(
                at: bundle,
                to: shop.folder.appending(path: "App/\(EditedShop.model)")
            )
            func patch(_ model: String, in folder: URL) throws -> String {
                let words = [
                    "model", "add", model, "attribute", "Book.rating", "Double", "--dry-run",
                ]
                let run = try momtool(words, in: folder)
                #expect(run.status == 0, "\(run.errors)")
                return run.output
            }
            let app = shop.folder.appending(path: "App")
            let alone = try patch("./\(EditedShop.model)", in: app)
            #expect(alone.hasPrefix("diff --git a/\(EditedShop.model)/"), "\(alone)")
            try git("init", "-q", in: shop.folder)
            try git("add", "-A", in: shop.folder)
            try git("commit", "-qm", "first", in: shop.folder)
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
