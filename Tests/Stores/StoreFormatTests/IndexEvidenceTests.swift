import Diagnostics
import Foundation
import ModelLoading
import ObjectModel
import PropertyLists
import StoreFormat
import TestSupport
import Testing

private let indexEvidence: Data? = {
    let folder = Corpus.folder.deletingLastPathComponent()
    return try? Data(contentsOf: folder.appending(path: "spec/evidence/fetch-indexes.json"))
}()

@Suite(.enabled(if: indexEvidence != nil))
struct IndexEvidenceTests {
    @Test func `each archived form gives the SQL of Core Data`() throws {
        let list = try JSONSerialization.jsonObject(with: #require(indexEvidence))
        var count = 0
        for entry in try #require(list as? [[String: Any]]) {
            guard let archived = entry["archived"] as? [String: Any],
                let sql = entry["sql"] as? String, let name = entry["name"] as? String
            else { continue }
            var writer = IndexArchiveWriter()
            let read = readCompiledModel(writer.model(with: archived).binaryData, path: name)
            #expect(read.diagnostics == [], "\(name)")
            let layout = StoreLayout(model: read.value)
            let made = layout.indexes.first { $0.name == name }?.sql
            // Frameworks differ in how many spaces they write.
            #expect(made.map(Self.blanked) == Self.blanked(sql), "\(name)")
            count += 1
        }
        #expect(count >= 32)
    }

    private static func blanked(_ sql: String) -> String {
        sql.split(separator: " ").joined(separator: " ").replacing("\"", with: "")
    }
}

private struct IndexArchiveWriter {
    private var archive = KeyedArchive()
    private var entity = KeyedArchive.Reference.null
    private var properties: Set<String> = []

    mutating func model(with index: [String: Any]) -> KeyedArchive {
        entity = archive.add(.null)
        let owner = (index["NSEntity"] as? [String: Any])?["entity"] as? String ?? ""
        let index = reference(index)
        let attributes = properties.sorted().map { name in
            let text = plain(.string(name))
            let values: KeyedArchive.Values = [
                "NSPropertyName": .reference(text), "NSRenamingIdentifier": .reference(text),
                "NSEntity": .reference(entity), "NSAttributeType": .plain(.integer(200)),
                "NSIsOptional": .plain(.boolean(true)),
            ]
            return (name, add("NSAttributeDescription", values))
        }
        archive.objects[entity.index] = .instance(
            .init(
                .init("NSEntityDescription"),
                [
                    "NSEntityName": .reference(plain(.string(owner))),
                    "NSProperties": .reference(dictionary(attributes)),
                    "NSFetchIndexDescriptions": .reference(
                        add("NSMutableArray", ["NS.objects": .references([index])])
                    ),
                ]
            )
        )
        let root = add(
            "NSManagedObjectModel",
            ["NSEntities": .reference(dictionary([(owner, entity)]))]
        )
        archive.top = ["root": .reference(root)]
        return archive
    }

    private mutating func reference(_ object: [String: Any]) -> KeyedArchive.Reference {
        guard let name = object["_"] as? String else { return entity }
        if name == "NSKeyPathSpecifierExpression", let path = object["NSKeyPath"] as? String,
            path != "entity"
        {
            properties.insert(path)
        }
        if name == "NSFetchIndexElementDescription", object["NSIndexedProperty"] == nil,
            let property = object["NSPropertyName"] as? String
        {
            properties.insert(property)
        }
        var values = KeyedArchive.Values()
        for key in object.keys.sorted() where key != "_" {
            values[key] = value(object[key] ?? "", key: key)
        }
        return add(name, values)
    }

    private mutating func value(_ value: Any, key: String) -> KeyedArchive.Value {
        switch value {
        case let text as String:
            return .reference(text == "$null" ? .null : plain(.string(text)))
        case let list as [[String: Any]]:
            let references = list.map { reference($0) }
            return .reference(add("NSArray", ["NS.objects": .references(references)]))
        case let object as [String: Any]: return .reference(reference(object))
        case let number as NSNumber:
            let isTruth = ["NSAscending", "NSIsOptional", "NSIsReadOnly", "NSNegate"].contains(key)
            let list: PropertyList =
                isTruth ? .boolean(number.boolValue) : .integer(number.int64Value)
            return key == "NSConstantValue" ? .reference(plain(list)) : .plain(list)
        default: return .reference(.null)
        }
    }

    private mutating func plain(_ list: PropertyList) -> KeyedArchive.Reference {
        archive.add(.plain(list))
    }

    private mutating func add(
        _ name: String,
        _ values: KeyedArchive.Values
    ) -> KeyedArchive.Reference {
        archive.add(.instance(.init(.init(name), values)))
    }

    private mutating func dictionary(
        _ pairs: [(String, KeyedArchive.Reference)]
    ) -> KeyedArchive.Reference {
        let keys = pairs.map { plain(.string($0.0)) }
        return add(
            "NSMutableDictionary",
            ["NS.keys": .references(keys), "NS.objects": .references(pairs.map(\.1))]
        )
    }
}
