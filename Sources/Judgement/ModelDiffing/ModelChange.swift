package import ObjectModel

package enum ModelChange: Sendable, Hashable {
    case entityAdded(Entity)
    case entityRemoved(Entity)
    case entityChanged(EntityPair, EntityChange)
    case attributeAdded(Attribute, in: EntityPair)
    case attributeRemoved(Attribute, in: EntityPair)
    case attributeChanged(PropertyPair<Attribute>, AttributeChange)
    case relationshipAdded(Relationship, in: EntityPair)
    case relationshipRemoved(Relationship, in: EntityPair)
    case relationshipChanged(PropertyPair<Relationship>, RelationshipChange)
    case part(PartChange)
    /// Of the model, or of its document.
    case setting(PlainSetting, from: String?, to: String?)

    /// Whether the change alone affects the version hash of an entity (VersionHashes, "Overview").
    ///
    /// An added or removed entity counts: the model's set of hashes changes.
    package var movesVersionHash: Bool {
        switch self {
        case .entityAdded, .entityRemoved: true
        case .entityChanged(_, let change): change.movesVersionHash
        case .attributeAdded(let attribute, _), .attributeRemoved(let attribute, _):
            !attribute.isTransient
        case .attributeChanged(let pair, let change):
            change.movesVersionHash(from: pair.from.property, to: pair.to.property)
        case .relationshipAdded(let relationship, _), .relationshipRemoved(let relationship, _):
            !relationship.isTransient
        case .relationshipChanged(let pair, let change):
            change.movesVersionHash(from: pair.from, to: pair.to)
        case .part, .setting: false
        }
    }

    package var addsOrRemovesEntity: Bool {
        switch self {
        case .entityAdded, .entityRemoved: true
        case .entityChanged, .attributeAdded, .attributeRemoved, .attributeChanged,
            .relationshipAdded, .relationshipRemoved, .relationshipChanged, .part, .setting:
            false
        }
    }

    /// The subject of a change by its new names, or the old ones for what was removed.
    package struct Subject: Sendable, Hashable {
        package var entity: String?
        package var property: String?

        /// The path in diagnostics, such as `Person.name`; `nil` for the whole model.
        package var path: String? {
            entity.map { entity in property.map { "\(entity).\($0)" } ?? entity }
        }
    }

    package var subject: Subject {
        switch self {
        case .entityAdded(let entity), .entityRemoved(let entity): Subject(entity: entity.name)
        case .entityChanged(let pair, _): Subject(entity: pair.to.name)
        case .attributeAdded(let attribute, let pair):
            Subject(entity: pair.to.name, property: attribute.name)
        case .attributeRemoved(let attribute, let pair):
            Subject(entity: pair.from.name, property: attribute.name)
        case .attributeChanged(let pair, _):
            Subject(entity: pair.to.declaredBy, property: pair.to.property.name)
        case .relationshipAdded(let relationship, let pair):
            Subject(entity: pair.to.name, property: relationship.name)
        case .relationshipRemoved(let relationship, let pair):
            Subject(entity: pair.from.name, property: relationship.name)
        case .relationshipChanged(let pair, _):
            Subject(entity: pair.to.declaredBy, property: pair.to.property.name)
        case .part(let part):
            Subject(entity: part.entity, property: part.entity == nil ? nil : part.name)
        case .setting: Subject()
        }
    }
}

/// The change of a part of a model that has no rows: it is in no hash.
package struct PartChange: Sendable, Hashable {
    package enum Kind: String, Sendable, Hashable {
        case fetchedProperty = "fetched property"
        /// The effect of its changes is visible at the attributes of the type.
        case compositeType = "composite type"
        case configuration = "configuration"
        case fetchRequest = "fetch request"
    }

    package enum Action: String, Sendable, Hashable { case added, removed, changed }

    package var kind: Kind
    package var action: Action
    package var entity: String?
    package var name: String
    /// Where it is in the old version; for a new fetched property its entity.
    package var from: SourceMark?
    package var to: SourceMark?

    package var words: String {
        kind == .fetchedProperty
            ? "\(kind.rawValue) \(action)" : "\(kind.rawValue) '\(name)' \(action)"
    }
}
