import Foundation
import TestSupport
import Testing

struct IdentifyHereTests {
    private func model(_ entity: String, _ attributes: [String]) -> String {
        let lines = attributes.map {
            "<attribute name='\($0)' optional='YES' attributeType='String'/>"
        }
        return "<model><entity name='\(entity)'>\(lines.joined())</entity></model>"
    }

    private func write(
        _ name: String,
        _ entity: String,
        in folder: URL
    ) throws {
        let texts = ["V1": model(entity, ["a"]), "V2": model(entity, ["a", "b"])]
        let bundle = folder.appending(path: "App/\(name).xcdatamodeld")
        try writeBundle(texts, current: "V2", at: bundle)
    }

    private func create(_ store: String, _ model: String, in folder: URL) throws {
        let made = try momtool(
            ["create", store, "--model", "App/\(model).xcdatamodeld", "--version", "V1"],
            in: folder
        )
        #expect(made.status == 0, "\(made.errors)")
    }

    @Test func `the only model is taken, and named`() throws {
        try withFolder { folder in
            try write("Shop", "Book", in: folder)
            try create("S.sqlite", "Shop", in: folder)
            let found = try momtool(["identify", "S.sqlite"], in: folder)
            #expect(found.status == 0, "\(found.errors)")
            #expect(found.output == "S.sqlite: V1\n", "\(found.output)")
            #expect(found.errors.contains("compared with App/Shop.xcdatamodeld, as no --model"))
        }
    }

    @Test func `of several models each store gets its own`() throws {
        try withFolder { folder in
            try write("Shop", "Book", in: folder)
            try write("Cache", "Image", in: folder)
            try create("S.sqlite", "Shop", in: folder)
            try create("C.sqlite", "Cache", in: folder)
            let found = try momtool(
                ["identify", "S.sqlite", "C.sqlite", "--format", "json"],
                in: folder
            )
            #expect(found.status == 0, "\(found.errors)")
            let reports = try #require(
                JSONSerialization.jsonObject(with: Data(found.output.utf8)) as? [[String: Any]]
            )
            let models = reports.compactMap { $0["model"] as? String }
            #expect(models == ["App/Shop.xcdatamodeld", "App/Cache.xcdatamodeld"])
            try write("Shop", "Novel", in: folder)
            let other = try momtool(["identify", "C.sqlite", "S.sqlite"], in: folder)
            #expect(other.status == 3)
            #expect(other.output.contains("C.sqlite: V1\n"), "\(other.output)")
        }
    }

    @Test func `without a model anywhere the next step is said`() throws {
        try withFolder { folder in
            try write("Shop", "Book", in: folder)
            try create("S.sqlite", "Shop", in: folder)
            try FileManager.default.removeItem(at: folder.appending(path: "App"))
            let found = try momtool(["identify", "S.sqlite"], in: folder)
            #expect(found.status == 66)
            #expect(found.errors.contains("no model lies below this folder; name one with --model"))
        }
    }
}
