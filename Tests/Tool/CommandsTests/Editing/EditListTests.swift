import Diagnostics
import Foundation
import ModelLoading
import ObjectModel
import TestSupport
import Testing

struct EditListTests {
    private func expectEqual(_ shop: EditedShop, _ edits: String) throws {
        try expectRun("model apply \(EditedShop.model)#Shop \(edits)", in: shop.folder, 0)
        #expect(try shop.text("Shop") == shop.text("Shop 2"))
    }

    private func change(_ shop: EditedShop) throws {
        let edits = [
            ["rename", "Stop.label", "caption"], ["add", "entity", "Tag"],
            ["add", "attribute", "Tag.word", "String", "--default", "a: 'b' \"c\" # <&>"],
            ["remove", "Book.isbn"], ["add", "constraint", "Stop.caption"],
            ["set", "Book", "--hash-modifier", "2"],
        ]
        for edit in edits {
            let words = ["model", edit[0], EditedShop.model] + edit.dropFirst()
            try expectRun(words, in: shop.folder, 0)
        }
    }

    @Test func `the edits between two versions turn the older one into the newer one`() throws {
        try EditedShop.with { shop in
            try change(shop)
            let arguments = ["diff", EditedShop.model, "--from", "Shop", "--to", "Shop 2"]
            let shown = try momtool(arguments + ["--format", "edits"], in: shop.folder)
            #expect(shown.status == 0, "\(shown.errors)")
            #expect(shown.output.contains("- rename: attribute Stop.label\n  to: caption\n"))
            #expect(shown.output.contains("- remove: attribute Book.isbn\n"))
            let both = ["--format", "text", "--format", "edits=edits.yml"]
            #expect(try momtool(arguments + both, in: shop.folder).status == 0)
            let file = shop.folder.appending(path: "edits.yml")
            #expect(try fileText(file) == shown.output)
            try expectEqual(shop, "edits.yml")
            let none = try momtool(arguments + ["--format", "edits"], in: shop.folder)
            #expect(none.status == 0 && none.output == "[]\n")
        }
    }

    @Test func `a dry run with a new version shows what is edited of the version that it copies`()
        throws
    {
        try EditedShop.with { shop in
            let edits = "- rename: attribute Stop.label\n  to: caption\n"
            try write(edits, "edits.yml", in: shop.folder)
            let words = ["model", "apply", EditedShop.model, "edits.yml", "--new-version"]
            try git("init", "-q", in: shop.folder)
            let dry = try expectRun(words + ["--dry-run"], in: shop.folder, 0)
            let folder = "Shop.xcdatamodeld"
            #expect(dry.output.contains("copy from \(folder)/Shop 2.xcdatamodel/contents\n"))
            #expect(dry.output.contains("copy to \(folder)/Shop 3.xcdatamodel/contents\n"))
            let added = dry.output.split(separator: "\n").filter { $0.hasPrefix("+ ") }
            #expect(added.count == 1 && added[0].contains("caption"), "\(dry.output)")
            try write(dry.output, "dry.patch", in: shop.folder)
            try git("apply", "dry.patch", in: shop.folder)
            let patched = try shop.text("Shop 3")
            try FileManager.default.removeItem(
                at: shop.folder.appending(path: "\(folder)/Shop 3.xcdatamodel")
            )
            let list = shop.folder.appending(path: "\(folder)/.xccurrentversion")
            let current = try fileText(list)
            #expect(current.contains("Shop 3"))
            try Data(current.replacing("Shop 3", with: "Shop 2").utf8).write(to: list)
            #expect(try momtool(words, in: shop.folder).status == 0)
            #expect(try shop.text("Shop 3") == patched)
        }
    }

    @Test func `a revision, a compiled model and git's files are compared too`() throws {
        try EditedShop.with { shop in
            try commit("one", in: shop.folder)
            try change(shop)
            let against = ["diff", EditedShop.model, "--against", "HEAD", "--format", "edits"]
            let shown = try expectRun(against, in: shop.folder, 0)
            try write(shown.output, "edits.yml", in: shop.folder)
            try expectEqual(shop, "edits.yml")
            let compiled = ["compile", EditedShop.model, "-o", "Shop.momd"]
            #expect(try momtool(compiled, in: shop.folder).status == 0)
            let models = ["Shop.momd#Shop 2", "\(EditedShop.model)#Shop"]
            let edits = try momtool(["diff"] + models + ["--format", "edits"], in: shop.folder)
            #expect(edits.status == 0, "\(edits.errors)")
            #expect(!edits.output.contains("lastSavedToolsVersion"), "\(edits.output)")
            let versions = ["Shop", "Shop 2"].map {
                "\(EditedShop.model)/\($0).xcdatamodel/contents"
            }
            let driver = ["contents", versions[0], "0", "100644", versions[1], "1", "100644"]
            let driven = try momtool(
                ["diff", "--git-driver", "--format", "edits"] + driver,
                in: shop.folder
            )
            #expect(driven.output == "[]\n", "\(driven)")
        }
    }

    @Test func `two elements of one name are refused, and other commands have no edits`() throws {
        try EditedShop.with { shop in
            let twice = EditedShop.source.replacing(
                #"<attribute name="isbn" optional="YES" attributeType="String"/>"#,
                with: #"<attribute name="title" optional="YES" attributeType="String"/>"#
            )
            try writeBundle(
                ["A": EditedShop.source, "B": twice],
                "Twice.xcdatamodeld",
                in: shop.folder,
                current: "A"
            )
            let run = try momtool(
                ["diff", "Twice.xcdatamodeld", "--from", "A", "--to", "B", "--format", "edits"],
                in: shop.folder
            )
            #expect(run.status != 0 && !run.errors.isEmpty && !run.wasKilled)
            try expectRun("lint \(EditedShop.model) --format edits", in: shop.folder, 64)
        }
    }

    private struct Pair {
        var path: String
        var old: String
        var new: String
    }

    private static let pairs: [Pair] =
        Corpus.paths(where: { $0.hasSuffix(".xcdatamodeld") }).flatMap { path -> [Pair] in
            let read = readModelBundle(at: Corpus.path(path))
            let names = read.hasErrors ? [] : read.value.versions.map(\.name)
            let isWhole = names.allSatisfy { name in
                let file = "\(Corpus.path(path))/\(name).xcdatamodel/contents"
                return FileManager.default.fileExists(atPath: file)
            }
            guard isWhole else { return [] }
            return zip(names, names.dropFirst()).map { Pair(path: path, old: $0, new: $1) }
        }

    @Test(.enabled(if: Corpus.isPresent))
    func `the edits between versions of real models give the newer one byte for byte`() throws {
        let pairs = Sweep.part(of: Self.pairs, every: 12)
        #expect(pairs.count > 5)
        try withFolder { folder in
            for (number, pair) in pairs.enumerated() {
                let place = folder.appending(path: "\(number)")
                try makeFolder(place)
                let model = place.appending(path: "M.xcdatamodeld")
                try FileManager.default.copyItem(atPath: Corpus.path(pair.path), toPath: model.path)
                let title = "\(pair)"
                let diff = ["diff", "M.xcdatamodeld", "--from", pair.old, "--to", pair.new]
                try expectRun(diff + ["--format", "edits=e.yml"], in: place, 0)
                let apply = ["model", "apply", "M.xcdatamodeld#\(pair.old)", "e.yml", "--force"]
                try expectRun(apply, in: place, 0)
                let texts = try [pair.old, pair.new].map {
                    try Data(contentsOf: model.appending(path: "\($0).xcdatamodel/contents"))
                }
                let (result, expected) = (Array(texts[0]), Array(texts[1]))
                let isSame =
                    result == expected || result + [0x0A] == expected || result == expected + [0x0A]
                #expect(isSame, "\(title)")
            }
        }
    }

    @Test func `a value that is spelt in its own way is no edit against a revision`() throws {
        try withFolder { folder in
            let row = #"<attribute name="a" attributeType="Integer 32" defaultValueString="0.0"/>"#
            let source = "<model><entity name=\"A\">\(row)</entity></model>"
            try writeBundle([source], "M.xcdatamodeld", in: folder)
            try commit("one", in: folder)
            let words = ["diff", "M.xcdatamodeld", "--against", "HEAD", "--format", "edits"]
            #expect(try momtool(words, in: folder).output == "[]\n")
        }
    }
}
