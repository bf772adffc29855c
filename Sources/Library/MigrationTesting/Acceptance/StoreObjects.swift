import Essentials
import ObjectModel
import SQLiteAccess
import StoreFormat

/// Returns the objects of a store in the format of the acceptance program: by root entity and key, as `Item/p12`, each
/// value with its type, such as `text:Ada`.
///
/// Values are read from the tables by the layout, not through an export, so that a fault of the export shows.
func acceptanceObjects(
    of store: StoreFile,
    model: ManagedObjectModel
) throws(StoreError) -> JSONValue {
    let dump = try StoreDump(store, model: model)
    let graph = ModelGraph(model)
    let external = externalDataFolder(of: store.path)
    var objects: [String: JSONValue] = [:]
    for (key, values) in dump.values {
        guard let entity = graph.entity(key.entity) else { continue }
        var contents: [String: JSONValue] = ["@entity": .string(key.entity)]
        for attribute in graph.attributes(of: entity) where !attribute.isTransient {
            for leaf in graph.values(of: attribute) {
                let name = ([attribute.name] + leaf.path).joined(separator: ".")
                contents[name] = text(of: values[name], leaf.attribute, external).map {
                    .string($0)
                }
            }
        }
        for relationship in graph.relationships(of: entity) where !relationship.isTransient {
            guard let keys = dump.links[key]?[relationship.name], !keys.isEmpty,
                let destination = graph.destination(of: relationship)
            else { continue }
            let root = graph.root(of: destination).name
            var names = keys.map { "\(root)/p\($0)" }
            if !relationship.isToMany || !relationship.isOrdered {
                names.sort { $0.utf16.lexicographicallyPrecedes($1.utf16) }
            }
            contents[relationship.name] = .list(names.map { .string($0) })
        }
        objects["\(graph.root(of: entity).name)/p\(key.key)"] = .object(contents)
    }
    return .object(objects)
}

/// A stored value with its type; `nil` for NULL.
private func text(of value: SQLiteValue?, _ attribute: Attribute, _ external: URL) -> String? {
    switch (attribute.type.values, value) {
    case (_, nil), (_, .null?): nil
    case (.boolean, .integer(let number)?), (.integer, .integer(let number)?): "integer:\(number)"
    case (.double, let value?), (.float, let value?): numberText("double", value)
    case (.decimal, let value?): numberText("decimal", value)
    case (.date, let value?): numberText("date", value)
    case (.string, .text(let text)?): "text:\(text)"
    case (.uri, .text(let text)?): "uri:\(text)"
    case (.uuid, .blob(let bytes)?): uuidText(bytes)
    case (.binary, .blob(let bytes)?), (.transformable, .blob(let bytes)?):
        content(bytes, attribute, external).map { "bytes:\($0.base64EncodedString())" }
            ?? "other:a missing file"
    default: "other:a value of another type"
    }
}

private func numberText(_ kind: String, _ value: SQLiteValue) -> String {
    let number: Double
    switch value {
    case .integer(let integer): number = Double(integer)
    case .real(let real): number = real
    // SQLite keeps a decimal that is not a number as text.
    case .text(let text): return "\(kind):\(text)"
    default: return "other:a value of another type"
    }
    guard number.isFinite else {
        return "\(kind):" + (number.isNaN ? "NaN" : number < 0 ? "-Infinity" : "Infinity")
    }
    return "\(kind):\(number)"
}

private func uuidText(_ bytes: Data) -> String {
    guard bytes.count == 16 else { return "other:\(bytes.count) bytes" }
    let digits = bytes.map { byte in
        let text = String(byte, radix: 16, uppercase: true)
        return text.count < 2 ? "0" + text : text
    }
    let groups = [0..<4, 4..<6, 6..<8, 8..<10, 10..<16].map { digits[$0].joined() }
    return "uuid:" + groups.joined(separator: "-")
}

/// The bytes of a value, from its file where it has one (SQLiteStores, "Values").
private func content(_ bytes: Data, _ attribute: Attribute, _ folder: URL) -> Data? {
    guard attribute.allowsExternalBinaryDataStorage, let mark = bytes.first else { return bytes }
    switch mark {
    case 1: return bytes.dropFirst()
    case 2:
        let name = String(decoding: bytes.dropFirst().prefix { $0 != 0 }, as: UTF8.self)
        // A name is a UUID; anything else could lead out of the folder.
        guard UUID(uuidString: name) != nil else { return nil }
        return try? Data(contentsOf: folder.appending(path: name))
    default: return bytes
    }
}
