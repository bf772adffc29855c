import Diagnostics
import Essentials

// The descriptions of a model and its parts: a line each, as their values fill pages.

extension ManagedObjectModel: CustomStringConvertible {
    /// The number of entities, such as `7 entities`.
    public var description: String { entities.count.counted("entity", "entities") }
}

extension ModelVersion: CustomStringConvertible {
    /// The name and the number of entities, such as `V2 (current): 7 entities`.
    public var description: String { "\(name)\(isCurrent ? " (current)" : ""): \(model)".onOneLine }
}

extension Entity: CustomStringConvertible {
    /// The name, the parent and the number of own properties, such as `Book: Item, 3 attributes, 1 relationship`.
    public var description: String {
        let parts = [
            isAbstract ? "abstract" : nil, parentEntity,
            attributes.count.counted("attribute"), relationships.count.counted("relationship"),
        ]
        return "\(name): \(parts.compactMap(\.self).joined(separator: ", "))".onOneLine
    }
}

extension Attribute: CustomStringConvertible {
    /// The name, the type and the default value, such as `pages: optional Integer 16, default 0`.
    public var description: String {
        let kind = compositeName ?? type.sourceName ?? "Undefined"
        let value = defaultWords.map { ", default \($0)" } ?? ""
        return "\(name): \(isOptional ? "optional " : "")\(kind)\(value)".onOneLine
    }
}

extension Relationship: CustomStringConvertible {
    /// The name and its destination, such as `books: to-many Book, inverse author`.
    public var description: String {
        let back = inverseName.map { ", inverse \($0)" } ?? ""
        let end = destinationEntity ?? "nothing"
        return "\(name): \(isToMany ? "to-many" : "to-one") \(end)\(back)".onOneLine
    }
}

extension AttributeValue: CustomStringConvertible {
    /// The value for people, on one line: `"none"`, `YES`, `12 bytes`.
    public var description: String {
        switch self {
        case .integer(let value): String(value)
        case .double(let value): String(value)
        case .float(let value): String(value)
        case .decimal(let value): value.description
        case .string(let value): "\"\(value)\"".onOneLine
        case .boolean(let value): value ? "YES" : "NO"
        case .date(let seconds): "\(seconds) s since 2001"
        case .binary(let data): data.count.counted("byte")
        case .uuid(let value): value.uuidString
        case .uri(let value): value.onOneLine
        }
    }
}
