import ObjectModel
import TestSupport
import Testing

/// A model of one line for each entity, such as `Album/Parent: name size:integer16! songs>>Song.album`.
///
/// An attribute is a text unless it has a type. `!` says that a value or a link is required. `>` leads to one object,
/// `>>` to several, `>>>` to several in an order. An abstract entity begins with `*`.
func modelOf(_ entities: String...) -> ManagedObjectModel {
    ManagedObjectModel(entities.map(entityOf))
}

func entityOf(_ text: String) -> Entity {
    let parts = text.split(separator: ":", maxSplits: 1)
    let names = parts[0].drop { $0 == "*" }.split(separator: "/").map(String.init)
    let properties = (parts.count > 1 ? parts[1] : "").split(separator: " ")
    return Entity(
        names[0],
        parentEntity: names.count > 1 ? names[1] : nil,
        isAbstract: text.hasPrefix("*"),
        properties.filter { !$0.contains(">") }.map { attributeOf(String($0)) },
        relationships: properties.filter { $0.contains(">") }.map { linkOf(String($0)) }
    )
}

private let types = Dictionary(
    uniqueKeysWithValues: AttributeType.allCases.map { ("\($0)", $0) }
)

func attributeOf(_ text: String) -> Attribute {
    let parts = text.filter { $0 != "!" }.split(separator: ":")
    let type = parts.count > 1 ? types[String(parts[1])] : .string
    if type == nil { Issue.record("no type: \(text)") }
    return Attribute(String(parts[0]), type ?? .string, isOptional: !text.hasSuffix("!"))
}

func linkOf(_ text: String) -> Relationship {
    let parts = text.split { ">.!".contains($0) }.map(String.init)
    let inverse = parts.count > 2 ? parts[2] : nil
    let (isOptional, isOrdered) = (!text.hasSuffix("!"), text.contains(">>>"))
    return text.contains(">>")
        ? .many(parts[0], parts[1], inverse, isOptional: isOptional, isOrdered: isOrdered)
        : .one(parts[0], parts[1], inverse, isOptional: isOptional)
}
