package import ObjectModel

/// An entity of a model, as reports give it.
package struct EntityReport: Sendable, Encodable {
    /// A relationship.
    package struct RelationshipReport: Sendable, Encodable {
        package var name: String
        /// The name of the destination entity.
        package var destination: String?
        /// The name of the inverse relationship.
        package var inverse: String?
        /// Whether it may hold more than one object.
        package var toMany: Bool
        /// Whether it keeps an order.
        package var ordered: Bool
        /// Whether it may be nil or empty.
        package var optional: Bool
        /// What happens to the destination: `No Action`, `Nullify`, `Cascade` or `Deny`.
        package var deleteRule: String
        /// The name in older versions.
        package var renamingIdentifier: String?
        /// What makes a version another one.
        package var versionHashModifier: String?
    }

    package var name: String
    /// The name of the parent.
    package var parent: String?
    /// Whether no object may be of exactly this entity.
    package var abstract: Bool
    package var className: String?
    /// The name in older versions.
    package var renamingIdentifier: String?
    /// What makes a version another one.
    package var versionHashModifier: String?
    /// Its own attributes.
    package var attributes: [AttributeReport]
    /// Its own relationships.
    package var relationships: [RelationshipReport]
    /// The names of its own fetched properties.
    package var fetchedProperties: [String]
    /// The names of its fetch indexes.
    package var indexes: [String]
    /// The property names of its uniqueness constraints.
    package var uniquenessConstraints: [[String]]

    /// Creates the report of an entity.
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

    /// The properties for people, a line each.
    var propertyLines: [String] {
        attributes.map(\.text) + relationships.map(\.text)
            + fetchedProperties.map { "\($0): fetched" }
    }
}

extension EntityReport.RelationshipReport {
    /// Creates the report of a relationship.
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

    /// The relationship for people.
    var text: String {
        "\(name) → \(destination ?? "?")" + (toMany ? (ordered ? " [ordered]" : " [many]") : "")
    }
}

/// An attribute of a model, as reports give it.
package struct AttributeReport: Sendable, Encodable {
    package var name: String
    /// The type, by the name that sources use.
    package var type: String
    /// Whether it may be nil.
    package var optional: Bool
    /// Whether it is not stored.
    package var transient: Bool
    /// The expression of a derived attribute.
    package var derivation: String?
    /// The default value, as sources write it.
    package var defaultValue: String?
    /// The least value or length, as sources write it.
    package var minimum: String?
    /// The greatest value or length, as sources write it.
    package var maximum: String?
    /// The pattern of its values.
    package var regularExpression: String?
    /// The name in older versions.
    package var renamingIdentifier: String?
    /// What makes a version another one.
    package var versionHashModifier: String?

    /// Creates the report of an attribute.
    package init(_ attribute: Attribute) {
        name = attribute.name
        type = attribute.compositeName ?? attribute.type.sourceName ?? "Undefined"
        optional = attribute.isOptional
        transient = attribute.isTransient
        derivation = attribute.derivation?.expression
        func text(_ value: AttributeValue?) -> String? {
            value.map { $0.sourceText ?? $0.description }
        }
        defaultValue = text(attribute.defaultValue)
        minimum = text(attribute.validation.minimum)
        maximum = text(attribute.validation.maximum)
        regularExpression = attribute.validation.regularExpression
        renamingIdentifier = attribute.renamingIdentifier
        versionHashModifier = attribute.versionHashModifier
    }

    /// The attribute for people.
    var text: String {
        let value = defaultValue.map { type == "String" ? "\"\($0)\"" : $0 }
        return "\(name): \(type)\(optional ? "?" : "")" + (value.map { " = \($0)" } ?? "")
    }
}
