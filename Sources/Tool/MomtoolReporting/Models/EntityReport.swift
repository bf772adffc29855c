import ObjectModel

let entityShape = """
    entity = { name: string, parent?: string, abstract: boolean, className?: string, renamingIdentifier?: string,
      versionHashModifier?: string, attributes: [attribute], relationships: [relationship],
      fetchedProperties: [string], indexes: [string], uniquenessConstraints: [[string]] }
    attribute = { name: string, type: string "As in sources, such as Integer 64.", optional: boolean,
      transient: boolean, derivation?: string,
      defaultValue?: string "As sources write it; of a date, seconds since 2001.",
      minimum?: string "The least value or length.", maximum?: string "The greatest value or length.",
      regularExpression?: string, renamingIdentifier?: string "The name in older versions.",
      versionHashModifier?: string }
    relationship = { name: string, destination?: string, inverse?: string, toMany: boolean, ordered: boolean,
      optional: boolean, deleteRule: "No Action" | "Nullify" | "Cascade" | "Deny", renamingIdentifier?: string,
      versionHashModifier?: string }
    """
func jsonObject(_ entity: Entity) -> JSONObject {
    [
        "name": entity.name, "parent": entity.parentEntity, "abstract": entity.isAbstract,
        "className": entity.className, "renamingIdentifier": entity.renamingIdentifier,
        "versionHashModifier": entity.versionHashModifier,
        "attributes": entity.attributes.map(jsonObject),
        "relationships": entity.relationships.map(jsonObject),
        "fetchedProperties": entity.fetchedProperties.map(\.name),
        "indexes": entity.fetchIndexes.map(\.name)
            + entity.compoundIndexes.map { $0.joined(separator: "_") },
        "uniquenessConstraints": entity.uniquenessConstraints.map(\.properties),
    ]
}

func jsonObject(_ attribute: Attribute) -> JSONObject {
    [
        "name": attribute.name, "type": attribute.typeName, "optional": attribute.isOptional,
        "transient": attribute.isTransient, "derivation": attribute.derivation?.expression,
        "defaultValue": attribute.defaultText,
        "minimum": attribute.validation.minimum.map(sourceText),
        "maximum": attribute.validation.maximum.map(sourceText),
        "regularExpression": attribute.validation.regularExpression,
        "renamingIdentifier": attribute.renamingIdentifier,
        "versionHashModifier": attribute.versionHashModifier,
    ]
}

private func jsonObject(_ relationship: Relationship) -> JSONObject {
    [
        "name": relationship.name, "destination": relationship.destinationEntity,
        "inverse": relationship.inverseName, "toMany": relationship.isToMany,
        "ordered": relationship.isOrdered, "optional": relationship.isOptional,
        "deleteRule": relationship.deleteRule.sourceName,
        "renamingIdentifier": relationship.renamingIdentifier,
        "versionHashModifier": relationship.versionHashModifier,
    ]
}

private func sourceText(_ value: AttributeValue) -> String { value.sourceText ?? value.description }

extension Attribute {
    /// The type, by the name that sources use.
    fileprivate var typeName: String { compositeName ?? type.sourceName ?? "Undefined" }

    fileprivate var defaultText: String? {
        hasUnstatedValue ? defaultWords : defaultValue.map(sourceText)
    }

    var line: String {
        let value = defaultText.map { typeName == "String" ? "\"\($0)\"" : $0 }
        return "\(name): \(typeName)\(isOptional ? "?" : "")" + (value.map { " = \($0)" } ?? "")
    }
}

extension Relationship {
    var line: String {
        "\(name) → \(destinationEntity ?? "?")"
            + (isToMany ? (isOrdered ? " [ordered]" : " [many]") : "")
    }
}
