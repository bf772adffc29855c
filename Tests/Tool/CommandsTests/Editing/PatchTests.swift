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
        ["apply", EditedShop.model, "edits.yml", "--new-version"],
        ["new-version", EditedShop.model],
        ["set-current", EditedShop.model, "Shop"],
        ["rename-version", EditedShop.model, "Shop 2", "Shop 3"],
        ["undo-version", EditedShop.model],
        ["new-version", "App"],
    ]

    private struct Report: Decodable {
        var patch: String
    }

    /// The name that git gives to all files as they are.
    private func tree(of folder: URL) throws -> String {
        try git("add", "-A", in: folder)
        return try git("write-tree", in: folder).output
    }

    @Test(arguments: Sweep.part(of: commands, every: 3))
    func `a dry run writes nothing, and git applies its patch as the command would`(
        words: [String]
    ) throws {
        try EditedShop.with { shop in
            let folder = shop.folder
            let edits = "- add: attribute Book.rating\n  with: {attributeType: Double}\n"
            try write(edits, "edits.yml", in: folder)
            let entry = "import SwiftData\n\n@Model final class Entry { var text = \"\" }\n"
            try write(entry, "App/Entry.swift", in: folder)
            try commit("first", in: folder)
            let dry = ["model"] + words + ["--dry-run", "--format", "json"]
            let run = try expectRun(dry, in: folder, 0)
            #expect(try git("status", "--short", in: folder).output.isEmpty)
            let patch = try JSONDecoder().decode(Report.self, from: Data(run.output.utf8)).patch
            #expect(patch.hasSuffix("\n") && !patch.hasSuffix("\n\n"))
            try write(patch, ".git/change.patch", in: folder)
            let applied = try git("apply", ".git/change.patch", in: folder)
            #expect(applied.status == 0, "\(applied.errors)\n\(patch)")
            let patched = try tree(of: folder)
            try git("reset", "-q", "--hard", in: folder)
            try expectRun(["model"] + words, in: folder, 0)
            #expect(try tree(of: folder) == patched, "\(patch)")
        }
    }

    @Test func `paths begin at the root of the repository, wherever the command is typed`() throws {
        try EditedShop.with { shop in
            let (name, root) = (EditedShop.model, shop.folder)
            let (app, inner) = (root.appending(path: "App"), root.appending(path: "App/Inner"))
            try makeFolder(inner)
            let model = app.appending(path: name)
            try FileManager.default.moveItem(at: root.appending(path: name), to: model)
            func patch(_ model: String, in folder: URL) throws -> String {
                let words = "attribute Book.rating Double --dry-run".split(separator: " ")
                let add = ["model", "add", model] + words.map(String.init)
                return try expectRun(add, in: folder, 0).output
            }
            #expect(try patch("./\(name)", in: app).hasPrefix("diff --git a/\(name)/"))
            try commit("first", in: root)
            let whole = try patch("App/\(name)", in: root)
            #expect(whole.hasPrefix("diff --git a/App/\(name)/"), "\(whole)")
            for (path, folder) in [
                ("./App/\(name)", root), ("./\(name)", app), (name, app), ("../\(name)", inner),
                (model.path, inner),
            ] { #expect(try patch(path, in: folder) == whole, "\(path)") }
            try write(whole, "change.patch", in: root)
            #expect(try git("apply", "../change.patch", in: app).status == 0)
            #expect(try git("diff", "--stat", in: root).output.contains("1 insertion"))
        }
    }
}
