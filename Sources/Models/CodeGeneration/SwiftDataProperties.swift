import Essentials
import ObjectModel
import SwiftDataReading

extension SwiftDataWriter {
    /// A property as it is written, and the initializer's parameter for it.
    struct WrittenProperty {
        var text: String
        var parameter: Parameter?
    }

    /// Writes an attribute; `nil` when a class cannot hold it.
    mutating func text(of attribute: Attribute, in entity: Entity) -> WrittenProperty? {
        let path = "\(entity.name).\(attribute.name)"
        if let fault = attribute.fault {
            error(fault, path, attribute.source)
            return nil
        }
        if !attribute.validation.isEmpty {
            warn("SwiftData does not check limits of values", path, attribute.source)
        }
        if let leaf = values.requiredLeaf(of: attribute) {
            let message =
                "'\(leaf)' is required in an optional composite, but all members of an optional struct are optional"
            error(message, path, attribute.source)
        }
        guard var type = type(of: attribute, in: entity) else {
            error("no Swift type is stored like it", path, attribute.source)
            return nil
        }
        let name = attribute.name.swiftName
        if attribute.isTransient {
            return WrittenProperty(text: "@Transient var \(name): \(type.optional)")
        }
        type = attribute.isOptional ? type.optional : type
        let value = defaultText(of: attribute, of: type, path)
        var options = options(of: attribute, in: entity)
        if shapes.codable.contains(path) {
            options.insert(".codable", at: 0)
        } else if let transformer = transformer(of: attribute, type) {
            let written = shapes.transformers[path].map { "\($0).self" } ?? transformer.swiftLiteral
            options.insert(".transformable(by: \(written))", at: 0)
        }
        let isGiven = value == nil && !attribute.isOptional
        return WrittenProperty(
            text: (options.isEmpty ? "" : "@Attribute(\(options.joined(separator: ", "))) ")
                + "var \(name): \(type)" + (value.map { " = " + $0 } ?? ""),
            parameter: isGiven ? Parameter(name: attribute.name, type: type) : nil
        )
    }

    private mutating func type(of attribute: Attribute, in entity: Entity) -> String? {
        if let known = shapes.types["\(entity.name).\(attribute.name)"] {
            return known.hasSuffix("?") ? String(known.dropLast()) : known
        }
        if attribute.type == .composite { return values.type(of: attribute, in: entity) }
        if attribute.type == .transformable {
            return attribute.plainArray ?? attribute.valueClass ?? "NSObject"
        }
        return values.name(of: attribute.type)
    }

    /// The transformer that must be named: arrays of plain values have their own.
    private func transformer(of attribute: Attribute, _ type: String) -> String? {
        guard attribute.type == .transformable else { return nil }
        let name = attribute.valueTransformerName ?? ""
        let secure = "NSSecureUnarchiveFromData"
        guard !type.hasPrefix("[") || name != secure else { return nil }
        return name.isEmpty ? secure : name
    }

    private func options(of attribute: Attribute, in entity: Entity) -> [String] {
        var options: [String] = []
        let isUnique = entity.uniquenessConstraints.contains {
            entity.isPlainUnique($0) && $0.properties[0] == attribute.name
        }
        if isUnique { options.append(".unique") }
        options += PropertyFlag.allCases.filter { attribute.flags[$0] }
            .compactMap(\.row.swiftDataOption).map { ".\($0)" }
        if let name = attribute.renamingIdentifier, name != attribute.name {
            options.append("originalName: \(name.swiftLiteral)")
        }
        if let modifier = attribute.versionHashModifier, !modifier.isEmpty {
            options.append("hashModifier: \(modifier.swiftLiteral)")
        }
        return options
    }

    private mutating func defaultText(
        of attribute: Attribute,
        of type: String,
        _ path: String
    ) -> String? {
        switch attribute.unstatedDefault {
        case .moment(let text)?: return text
        case .expression(let text)?:
            if let known = shapes.defaults[path] { return known }
            let message = "the default \(text) is not written: its value depends on other code"
            warn(message, path, attribute.source)
            return nil
        case nil: return attribute.defaultValue?.swiftText
        }
    }

    /// Writes a relationship; `nil` if its destination has no class.
    mutating func text(of relationship: Relationship, in entity: Entity) -> WrittenProperty? {
        let path = "\(entity.name).\(relationship.name)"
        if let fault = fault(of: relationship) {
            error(fault, path, relationship.source)
            return nil
        }
        if relationship.isOrdered {
            error("SwiftData does not keep the order of related objects", path, relationship.source)
        }
        let name = relationship.name.swiftName
        let target = (relationship.destinationEntity ?? "").swiftName
        var type = relationship.isToMany ? "[\(target)]" : target
        if relationship.isOptional { type += "?" }
        if relationship.isTransient {
            return .init(text: "@Transient var \(name): \(type.optional)")
        }
        let arguments = arguments(of: relationship, in: entity)
        let isApart = arguments.isEmpty && isLeftAlone(relationship, in: entity)
        let head =
            arguments.isEmpty
            ? (isApart ? "@Relationship " : "")
            : "@Relationship(\(arguments.joined(separator: ", "))) "
        let isGiven = !relationship.isOptional && !relationship.isToMany
        let value = !relationship.isOptional && relationship.isToMany ? " = []" : ""
        return WrittenProperty(
            text: "\(head)var \(name): \(type)\(value)",
            parameter: isGiven ? Parameter(name: relationship.name, type: type) : nil
        )
    }

    private func fault(of relationship: Relationship) -> String? {
        guard relationship.name.isIdentifier else { return "the name is not a valid property name" }
        guard entities.contains(where: { $0.name == relationship.destinationEntity }) else {
            return "its destination has no class"
        }
        return nil
    }

    private func arguments(of relationship: Relationship, in entity: Entity) -> [String] {
        var arguments: [String] = []
        if relationship.deleteRule != .nullify {
            arguments.append("deleteRule: .\(relationship.deleteRule)")
        }
        if relationship.compiledMinCount != 0 {
            arguments.append("minimumModelCount: \(relationship.compiledMinCount)")
        }
        if relationship.compiledMaxCount != (relationship.isToMany ? 0 : 1) {
            arguments.append("maximumModelCount: \(relationship.compiledMaxCount)")
        }
        if let name = relationship.renamingIdentifier, name != relationship.name {
            arguments.append("originalName: \(name.swiftLiteral)")
        }
        if let inverse = relationship.inverseName, saysInverse(relationship, in: entity) {
            let target = (relationship.destinationEntity ?? "").swiftName
            arguments.append("inverse: \\\(target).\(inverse.swiftName)")
        }
        if let modifier = relationship.versionHashModifier, !modifier.isEmpty {
            arguments.append("hashModifier: \(modifier.swiftLiteral)")
        }
        return arguments
    }

    /// Whether this side names the inverse: if both did, Swift would refuse the cycle.
    private func saysInverse(_ relationship: Relationship, in entity: Entity) -> Bool {
        guard let target = entities.first(where: { $0.name == relationship.destinationEntity }),
            let other = target.relationships.first(where: { $0.name == relationship.inverseName }),
            other.inverseName == relationship.name, other.destinationEntity == entity.name
        else { return true }
        if other.isToMany != relationship.isToMany { return relationship.isToMany }
        return "\(entity.name).\(relationship.name)" <= "\(target.name).\(other.name)"
    }

    /// Whether SwiftData could find an inverse where there is none.
    private func isLeftAlone(_ relationship: Relationship, in entity: Entity) -> Bool {
        guard relationship.inverseName == nil else { return false }
        let target = entities.first { $0.name == relationship.destinationEntity }
        return target?.relationships.contains {
            $0.destinationEntity == entity.name && $0.inverseName == nil
                && !($0.name == relationship.name && target?.name == entity.name)
        } ?? false
    }
}

extension Attribute {
    /// What prevents the attribute from being a property of a class.
    fileprivate var fault: String? {
        if !name.isIdentifier { return "the name is not a valid property name" }
        if derivation != nil { return "SwiftData has no derived attributes" }
        if type == .undefined || type == .objectID, !isTransient {
            return "the attribute has no storable type"
        }
        return nil
    }

    /// The array of plain values that SwiftData stores natively.
    fileprivate var plainArray: String? {
        guard valueTransformerName == "NSSecureUnarchiveFromData", let name = customClassName,
            name.hasSuffix(">"), name.hasPrefix("Array<")
        else { return nil }
        let element = String(name.dropFirst("Array<".count).dropLast())
        return ValueTypeWriting.arrayElements.contains(element) ? "[\(element)]" : nil
    }
}

extension String { fileprivate var optional: String { hasSuffix("?") ? self : self + "?" } }

extension AttributeValue {
    fileprivate var swiftText: String? {
        switch self {
        case .integer(let value): String(value)
        case .double(let value): value.isFinite ? String(value) : nil
        case .float(let value): value.isFinite ? String(value) : nil
        case .decimal(let value): value.swiftText
        case .string(let text): text.swiftLiteral
        case .boolean(let value): String(value)
        // The macro needs the full name, although a member expression would do elsewhere.
        case .date(Self.distantPast): "Date.distantPast"
        case .date(Self.distantFuture): "Date.distantFuture"
        case .date(let seconds):
            seconds.isFinite ? "Date(timeIntervalSinceReferenceDate: \(seconds))" : nil
        case .binary(let data):
            data.isEmpty ? "Data()" : "Data(base64Encoded: \"\(data.base64EncodedString())\")!"
        case .uuid(let identifier): "UUID(uuidString: \"\(identifier.uuidString)\")!"
        case .uri(let text): "URL(string: \(text.swiftLiteral))!"
        }
    }
}

extension DecimalValue {
    /// A literal is read as a Double first, which keeps fifteen digits of any number.
    fileprivate var swiftText: String {
        let text = description
        return text.filter(\.isNumber).count <= 15 ? text : "Decimal(string: \"\(text)\")!"
    }
}
