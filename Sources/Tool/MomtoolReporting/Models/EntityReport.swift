package import ObjectModel

package struct EntityReport: Sendable, Encodable {
    package struct RelationshipReport: Sendable, Encodable {
        package var name: String
        package var destination: String?
        package var inverse: String?
        package var toMany: Bool
        package var ordered: Bool
        package var optional: Bool
        /// What happens to the destination: `No Action`, `Nullify`, `Cascade` or `Deny`.
        package var deleteRule: String
        package var renamingIdentifier: String?
        package var versionHashModifier: String?
    }

    package var name: String
    package var parent: String?
    package var abstract: Bool
    package var className: String?
    package var renamingIdentifier: String?
    package var versionHashModifier: String?
    package var attributes: [AttributeReport]
    package var relationships: [RelationshipReport]
    package var fetchedProperties: [String]
    package var indexes: [String]
    package var uniquenessConstraints: [[String]]

    package init(_ entity: Entity) {
        name = entity.name
        parent = entity.parentEntity
        abstract = entity.isAbstract
        className = entity.className
        renamingIdentifier = entity.renamingIdentifier
        versionHashModifier = entity.versionHashModifier
        attributes = entity.attributes.map(AttributeReport.init)
        relationships = entity.relationships.map(RelationshipReport.init)
        fetchedProperties = entity.fetchedProperties.map(\.name)
        indexes =
            entity.fetchIndexes.map(\.name)
            + entity.compoundIndexes.map { $0.joined(separator: "_") }
        uniquenessConstraints = entity.uniquenessConstraints.map(\.properties)
    }

    var propertyLines: [String] {
        attributes.map(\.text) + relationships.map(\.text)
            + fetchedProperties.map { "\($0): fetched" }
    }
}

extension EntityReport.RelationshipReport {
    init(_ relationship: Relationship) {
        name = relationship.name
        destination = relationship.destinationEntity
        inverse = relationship.inverseName
        toMany = relationship.isToMany
        ordered = relationship.isOrdered
        optional = relationship.isOptional
        deleteRule = relationship.deleteRule.sourceName
        renamingIdentifier = relationship.renamingIdentifier
        versionHashModifier = relationship.versionHashModifier
    }

    var text: String {
        "\(name) → \(destination ?? "?")" + (toMany ? (ordered ? " [ordered]" : " [many]") : "")
    }
}

package struct AttributeReport: Sendable, Encodable {
    package var name: String
    /// The type, by the name that sources use.
    package var type: String
    package var optional: Bool
    package var transient: Bool
    package var derivation: String?
    /// As sources write it, like those below.
    package var defaultValue: String?
    package var minimum: String?
    package var maximum: String?
    package var regularExpression: String?
    package var renamingIdentifier: String?
    package var versionHashModifier: String?

    package init(_ attribute: Attribute) {
        name = attribute.name
        type = attribute.compositeName ?? attribute.type.sourceName ?? "Undefined"
        optional = attribute.isOptional
        transient = attribute.isTransient
        derivation = attribute.derivation?.expression
        func text(_ value: AttributeValue?) -> String? {
            value.map { $0.sourceText ?? $0.description }
        }
        defaultValue =
            attribute.hasUnstatedValue ? attribute.defaultWords : text(attribute.defaultValue)
        minimum = text(attribute.validation.minimum)
        maximum = text(attribute.validation.maximum)
        regularExpression = attribute.validation.regularExpression
        renamingIdentifier = attribute.renamingIdentifier
        versionHashModifier = attribute.versionHashModifier
    }

    var text: String {
        let value = defaultValue.map { type == "String" ? "\"\($0)\"" : $0 }
        return "\(name): \(type)\(optional ? "?" : "")" + (value.map { " = \($0)" } ?? "")
    }
}
