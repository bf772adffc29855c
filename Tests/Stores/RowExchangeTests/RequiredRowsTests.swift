import Diagnostics
import ObjectModel
import RowExchange
import StoreFormat
import Testing

struct RequiredRowsTests {
    /// Entities in a ring, each of which requires the next one, and one that others require.
    private static func ring(of count: Int) -> ManagedObjectModel {
        let members = (0..<count).map { index in
            Entity(
                name: "E\(index)",
                attributes: [Attribute(name: "number", type: .integer32)],
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
            name: "Step",
            attributes: [Attribute(name: "number", type: .integer32)],
            relationships: [
                ManagedObjectModel.to("Step", "before", inverse: nil, isOptional: false)
            ]
        )
        return ManagedObjectModel(entities: members + [step])
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
                attributes: [Attribute(name: "number", type: .integer32)],
                relationships: names.map {
                    ManagedObjectModel.to($0, "to\($0)", inverse: nil, isOptional: false)
                }
            )
        }
        let links = names.map { "\"to\($0)\": \"\($0)/p1\"" }.joined(separator: ", ")
        let rows = names.map { "\"\($0)\": [{\"@id\": \"p1\", \(links)}]" }
        let options = RowExportOptions(entities: ["E5"], takesRequired: true)
        let text = "{\(rows.joined(separator: ", "))}"
        let exported = try export(ManagedObjectModel(entities: entities), text, options)
        #expect(count(exported.value) == 24)
    }
}
