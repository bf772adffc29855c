import Diagnostics
import Foundation
import ModelHashing
import ModelLoading
import ObjectModel
import RowExchange
import SQLiteAccess
import StoreFormat
import TestSupport
import Testing

@testable import RowExchange

struct FaithfulExportTests {
    private let model = ManagedObjectModel([
        Entity(
            "Book",
            [
                Attribute("count", .integer64, isOptional: false, defaultValue: .integer(7)),
                Attribute("title", .string, isOptional: true),
            ],
            relationships: [.one("owner", "Person", isOptional: true)]
        ),
        Entity("Person"),
    ])

    private func store(in folder: URL) throws -> StoreFile {
        let path = folder.appending(path: "A.sqlite").path
        let rows = "{\"Book\": [{\"@id\": \"p1\", \"count\": 3}]}"
        _ = try createStore(
            at: path,
            model: model,
            rows: RowSource(bytes: Array(rows.utf8), path: "rows")
        )
        try SQLiteConnection(path: path, mode: .readWrite)
            .execute("UPDATE ZBOOK SET ZCOUNT = NULL, ZOWNER = 9")
        return try StoreFile(path: path)
    }

    @Test func `a required value that is not there comes back as null, not as its default`() throws
    {
        try withFolder { folder in
            let bytes = try exportedRows(of: store(in: folder), model: model)
            let text = String(decoding: bytes, as: UTF8.self)
            #expect(text.contains("\"count\": null"), "\(text)")
            let copy = folder.appending(path: "B.sqlite").path
            let rows = text.replacing(", \"owner\": \"Person/p9\"", with: "")
            _ = try createStore(
                at: copy,
                model: model,
                rows: RowSource(bytes: Array(rows.utf8), path: "rows")
            )
            let value = try SQLiteConnection(path: copy, mode: .readWrite)
                .value("SELECT ZCOUNT IS NULL FROM ZBOOK")
            #expect(value?.integer == 1)
        }
    }

    @Test func `a link to a row that is not there is a warning`() throws {
        try withFolder { folder in
            let store = try store(in: folder)
            let result = try exportRows(of: store, model: model) { _ in }
            #expect(result.diagnostics.map(\.element) == ["Book.owner"])
            #expect(result.diagnostics.first?.message.contains("p1") == true)
        }
    }

    @Test func `a link of a join table to a row that is not there is a warning`() throws {
        func link(_ name: String, _ destination: String, _ inverse: String) -> Relationship {
            Relationship.many(name, destination, inverse)
        }
        let model = ManagedObjectModel([
            Entity("Book", relationships: [link("tags", "Tag", "books")]),
            Entity("Tag", relationships: [link("books", "Book", "tags")]),
        ])
        let join = try #require(StoreLayout(model: model).joinTables.first)
        let column = join.first.entity == "Tag" ? join.first.name : join.second.name
        try withFolder { folder in
            let path = folder.appending(path: "A.sqlite").path
            let rows =
                "{\"Book\": [{\"@id\": \"p1\", \"tags\": [\"Tag/p1\", \"Tag/p2\"]}], "
                + "\"Tag\": [{\"@id\": \"p1\"}, {\"@id\": \"p2\"}]}"
            let source = RowSource(bytes: Array(rows.utf8), path: "rows")
            _ = try createStore(at: path, model: model, rows: source)
            let sound = try exportRows(of: StoreFile(path: path), model: model) { _ in }
            #expect(sound.diagnostics.isEmpty)
            try SQLiteConnection(path: path, mode: .readWrite)
                .execute("UPDATE \(join.name) SET \(column) = 77 WHERE \(column) = 2")
            let result = try exportRows(of: StoreFile(path: path), model: model) { _ in }
            #expect(result.diagnostics.map(\.element) == ["Book.tags"])
            #expect(result.diagnostics.first?.message.contains("1 row") == true)
        }
    }
}

@Suite(.enabled(if: Corpus.isPresent, "the corpus is not there"))
struct CorpusRoundTripTests {
    static let damaged = [
        "v2CorruptDatabase/ATDataModel.sqlite": "kept by its owners because a column is missing"
    ]

    static let partial = [
        "ArtsyPartner_1.3.sqlite": "its only row has the number of another version's entity",
        "ArtsyPartner_2.0.sqlite": "its only row has the number of another version's entity",
    ]

    static let paths = Corpus.paths { path in
        [".sqlite", ".moody", ".store"].contains { path.hasSuffix($0) }
    }

    @Test(arguments: Sweep.part(of: paths, every: 3))
    func `a store made of an export exports the same`(path: String) throws {
        let file = try StoreFile(path: Corpus.path(path))
        guard let model = try CorpusModels.model(of: file) else { return }
        if Self.damaged.keys.contains(where: { path.hasSuffix($0) }) {
            #expect(throws: StoreError.self) { try exportedRows(of: file, model: model) }
            return
        }
        var rows: [UInt8] = []
        let exported = try exportRows(of: file, model: model) { rows += $0 }
        #expect(
            exported.diagnostics.count
                == (Self.partial.keys.contains { path.hasSuffix($0) } ? 1 : 0)
        )
        try withTemporaryFolder { folder in
            let copy = folder + "/copy.sqlite"
            let count = try createStore(
                at: copy,
                model: model,
                rows: RowSource(bytes: rows, path: "rows.json")
            )
            let created = try StoreFile(path: copy)
            #expect(try exportedRows(of: created, model: model) == rows)
            #expect((count == 0) == (rows.count == 3))
            #expect(try verify(created, against: model).map(\.description) == [])
        }
    }
}

enum CorpusModels {
    private static let models: [ModelHashes: ManagedObjectModel] = {
        var models: [ModelHashes: ManagedObjectModel] = [:]
        for path in Corpus.paths(where: { $0.hasSuffix(".xcdatamodel") }) {
            for version in readModelBundle(at: Corpus.path(path)).value.versions {
                models[versionHashes(of: version.model)] = version.model
            }
        }
        return models
    }()

    /// Returns the source with the store's hashes, else the model in its cache.
    static func model(of file: StoreFile) throws -> ManagedObjectModel? {
        if let model = models[try file.metadata().hashes] { return model }
        return try file.modelArchive().map { archive in
            readCompiledModel(archive, path: file.path).value
        }
    }
}

func withTemporaryFolder(_ body: (String) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory
        .appendingPathComponent("row-exchange-\(UUID().uuidString)")
    try makeFolder(folder)
    defer { try? FileManager.default.removeItem(at: folder) }
    try body(folder.path)
}

struct RequiredRowsTests {
    /// Entities in a ring, each of which requires the next one, and one that others require.
    private static func ring(of count: Int) -> ManagedObjectModel {
        let members = (0..<count).map { index in
            Entity(
                "E\(index)",
                [Attribute("number", .integer32)],
                relationships: [
                    ManagedObjectModel.to(
                        "E\((index + 1) % count)",
                        "next",
                        inverse: nil,
                        isOptional: false
                    )
                ]
            )
        }
        let step = Entity(
            "Step",
            [Attribute("number", .integer32)],
            relationships: [
                ManagedObjectModel.to("Step", "before", inverse: nil, isOptional: false)
            ]
        )
        return ManagedObjectModel(members + [step])
    }

    private func export(
        _ model: ManagedObjectModel,
        _ rows: String,
        _ options: RowExportOptions
    ) throws -> Diagnosed<String> {
        var result = Diagnosed("")
        try withTemporaryFolder { folder in
            let path = folder + "/a.sqlite"
            let source = RowSource(bytes: Array(rows.utf8), path: "rows.json")
            try createStore(at: path, model: model, rows: source)
            let file = try StoreFile(path: path)
            var bytes: [UInt8] = []
            let exported = try exportRows(of: file, model: model, options: options) { piece in
                bytes += piece
            }
            result = Diagnosed(String(decoding: bytes, as: UTF8.self), exported.diagnostics)
        }
        return result
    }

    private func count(_ text: String) -> Int { text.split(separator: "\"@id\"").count - 1 }

    @Test func `a ring of entities is followed once around`() throws {
        let rows = (0..<40).map { index in
            """
            "E\(index)": [{"@id": "p1", "next": "E\((index + 1) % 40)/p1"},
            {"@id": "p2", "number": 2, "next": "E\((index + 1) % 40)/p2"}]
            """
        }
        let options = RowExportOptions(
            entities: ["E3"],
            predicate: "number == 2",
            takesRequired: true
        )
        let text = "{\(rows.joined(separator: ", "))}"
        let exported = try export(Self.ring(of: 40), text, options)
        #expect(count(exported.value) == 40)
        #expect(exported.diagnostics.isEmpty)
        #expect(!exported.value.contains("\"@id\": \"p1\""))
    }

    @Test func `rows that require others of their own entity are followed to the first`() throws {
        let steps = (1...300).map { number in
            "{\"@id\": \"p\(number)\", \"number\": \(number), \"before\": \"Step/p\(max(number - 1, 1))\"}"
        }
        let options = RowExportOptions(
            entities: ["Step"],
            predicate: "number == 200",
            takesRequired: true
        )
        let text = "{\"Step\": [\(steps.joined(separator: ", "))]}"
        let exported = try export(Self.ring(of: 1), text, options)
        #expect(count(exported.value) == 200)
        #expect(exported.diagnostics.isEmpty)
    }

    @Test func `entities that all require each other are no more work than their rows`() throws {
        let names = (0..<24).map { "E\($0)" }
        let entities = names.map { name in
            Entity(
                name: name,
                attributes: [Attribute("number", .integer32)],
                relationships: names.map {
                    ManagedObjectModel.to($0, "to\($0)", inverse: nil, isOptional: false)
                }
            )
        }
        let links = names.map { "\"to\($0)\": \"\($0)/p1\"" }.joined(separator: ", ")
        let rows = names.map { "\"\($0)\": [{\"@id\": \"p1\", \(links)}]" }
        let options = RowExportOptions(entities: ["E5"], takesRequired: true)
        let text = "{\(rows.joined(separator: ", "))}"
        let exported = try export(ManagedObjectModel(entities), text, options)
        #expect(count(exported.value) == 24)
    }
}
