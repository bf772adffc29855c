import ObjectModel
import SwiftDataReading

/// Writes the structs and enums of composites, where only a model is known.
struct ValueTypeWriting {
    /// The plain values that SwiftData keeps arrays of.
    static let arrayElements: Set<String> = [
        "Bool", "Data", "Date", "Decimal", "Double", "Float", "Int", "Int16", "Int32", "Int64",
        "String", "UInt", "UInt16", "UInt32", "UInt64", "UInt8", "URL", "UUID",
    ]

    private let composites: [String: CompositeType]
    private let entities: Set<String>
    private var takenNames: Set<String>
    private var names: [String: String] = [:]
    private(set) var declarations: [String] = []

    init(_ model: ManagedObjectModel, taken entities: Set<String>) {
        composites = Dictionary(firstOf: model.composites.map { ($0.name, $0) })
        self.entities = entities
        let known: Set<String> = ["Array", "Dictionary", "Optional", "Schema"]
        takenNames = entities.union(Self.arrayElements).union(known)
    }

    /// The type of plain values; `nil` for others.
    func name(of type: AttributeType) -> String? {
        let name = type.row.swiftData
        guard let name, entities.contains(name) else { return name }
        let isFoundation = ["Data", "Date", "Decimal", "URL", "UUID"].contains(name)
        return (isFoundation ? "Foundation." : "Swift.") + name
    }

    /// Returns the type of a composite attribute; `nil` when no struct or enum is stored like it.
    mutating func type(of attribute: Attribute, in entity: Entity) -> String? {
        guard let composite = attribute.compositeName.flatMap({ composites[$0] }),
            !composite.attributes.isEmpty
        else { return nil }
        if let name = names[composite.name] { return name }
        let isPlainEnum =
            attribute.userInfo.contains { $0.key == "EnumType" }
            && attribute.userInfo.contains { $0.key == "enum" }
        var name = attribute.name.capitalizedFirst
        if takenNames.contains(name) { name = entity.name + name }
        var text = isPlainEnum ? enumText(composite, name) : structText(composite.attributes)
        if !isPlainEnum, attribute.userInfo.contains(where: { $0.key == "EnumType" }) {
            text = text.map {
                "// An enum, whose cases are not in any model; this type is stored the same way.\n"
                    + $0
            }
        }
        guard let text else { return nil }
        var number = 2
        let base = name
        while !takenNames.insert(name).inserted {
            name = base + String(number)
            number += 1
        }
        names[composite.name] = name
        declarations.append(text.replacing("\u{0}", with: name))
        return name
    }

    /// The name of a required value in an optional composite.
    func requiredLeaf(of attribute: Attribute) -> String? {
        guard attribute.isOptional, attribute.type == .composite else { return nil }
        let composite = attribute.compositeName.flatMap { composites[$0] }
        return composite?.attributes.first { !$0.isOptional }?.name
    }

    private func enumText(_ composite: CompositeType, _ name: String) -> String? {
        guard composite.attributes.allSatisfy(\.name.isIdentifier) else { return nil }
        let cases = composite.attributes.map { "    case \($0.name.swiftName)\n" }.joined()
        return "enum \u{0}: Codable {\n\(cases)}\n"
    }

    /// Writes a struct; repeated leaf names that came from nested structs become nested again.
    private func structText(_ leaves: [Attribute]) -> String? {
        // The n-th group has the names that occurred n times before.
        var groups: [[Attribute]] = []
        var counts: [String: Int] = [:]
        for leaf in leaves {
            let place = counts[leaf.name, default: 0]
            counts[leaf.name] = place + 1
            if place == groups.count { groups.append([]) }
            groups[place].append(leaf)
        }
        var field = "others"
        while leaves.contains(where: { $0.name.hasPrefix(field) }) { field += "_" }
        guard let own = fields(groups.first ?? [], "    ") else { return nil }
        var text = "struct \u{0}: Codable {\n\(own)"
        for place in groups.indices.dropFirst() {
            text += "    var \(field)\(place): Others\(place)\n"
        }
        for (place, group) in groups.enumerated().dropFirst() {
            guard let inner = fields(group, "        ") else { return nil }
            text += "\n    struct Others\(place): Codable {\n\(inner)    }\n"
        }
        return text + "}\n"
    }

    private func fields(_ leaves: [Attribute], _ margin: String) -> String? {
        var text = ""
        for leaf in leaves {
            guard leaf.name.isIdentifier, let type = leafType(leaf) else { return nil }
            text += "\(margin)var \(leaf.name.swiftName): \(type)\(leaf.isOptional ? "?" : "")\n"
        }
        return text
    }

    private func leafType(_ leaf: Attribute) -> String? {
        if leaf.type == .transformable {
            guard let name = leaf.customClassName, name.hasPrefix("Array<"), name.hasSuffix(">")
            else { return nil }
            let element = String(name.dropFirst("Array<".count).dropLast())
            return Self.arrayElements.contains(element) ? "[\(element)]" : nil
        }
        guard leaf.versionHashModifier == nil, leaf.derivation == nil, !leaf.isTransient else {
            return nil
        }
        return name(of: leaf.type)
    }
}
