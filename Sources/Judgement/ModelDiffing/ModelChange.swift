package import ObjectModel

/// One difference between two versions of a model, with the values of both sides.
package enum ModelChange: Sendable, Hashable {
    /// An entity that continues none.
    case entityAdded(Entity)
    /// An entity that none continues.
    case entityRemoved(Entity)
    /// Something in an entity that both versions have.
    case entityChanged(EntityPair, EntityChange)
    /// An attribute that continues none.
    case attributeAdded(Attribute, in: EntityPair)
    /// An attribute that none continues.
    case attributeRemoved(Attribute, in: EntityPair)
    /// Something in an attribute that both versions have.
    case attributeChanged(PropertyPair<Attribute>, AttributeChange)
    /// A relationship that continues none.
    case relationshipAdded(Relationship, in: EntityPair)
    /// A relationship that none continues.
    case relationshipRemoved(Relationship, in: EntityPair)
    /// Something in a relationship that both versions have.
    case relationshipChanged(PropertyPair<Relationship>, RelationshipChange)
    /// A fetched property that is new.
    case fetchedPropertyAdded(FetchedProperty, in: EntityPair)
    /// A fetched property that is gone.
    case fetchedPropertyRemoved(FetchedProperty, in: EntityPair)
    /// A fetched property that reads differently.
    case fetchedPropertyChanged(PropertyPair<FetchedProperty>)
    /// A composite type that is new.
    case compositeTypeAdded(CompositeType)
    /// A composite type that is gone.
    case compositeTypeRemoved(CompositeType)
    /// A composite type that reads differently; what that does is seen at the attributes of the type.
    case compositeTypeChanged(from: CompositeType, to: CompositeType)
    /// A configuration that is new.
    case configurationAdded(Configuration)
    /// A configuration that is gone.
    case configurationRemoved(Configuration)
    /// A configuration that reads differently.
    case configurationChanged(from: Configuration, to: Configuration)
    /// A fetch request template that is new.
    case fetchRequestTemplateAdded(FetchRequest)
    /// A fetch request template that is gone.
    case fetchRequestTemplateRemoved(FetchRequest)
    /// A fetch request template that reads differently.
    case fetchRequestTemplateChanged(from: FetchRequest, to: FetchRequest)
    /// The version identifiers.
    case versionIdentifiers(from: [String], to: [String])
    /// A setting of the document that says nothing about the data, by its XML attribute name.
    case documentSetting(name: String, from: String?, to: String?)
    /// What the reader did not understand in the model itself.
    case unrecognized(from: [UnrecognizedItem], to: [UnrecognizedItem])
}

extension ModelChange {
    /// Whether the change by itself moves the version hash of an entity (VersionHashes, "Overview").
    ///
    /// An added or removed entity counts: the model's set of hashes is another one.
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
        case .fetchedPropertyAdded, .fetchedPropertyRemoved, .fetchedPropertyChanged,
            .compositeTypeAdded, .compositeTypeRemoved, .compositeTypeChanged,
            .configurationAdded, .configurationRemoved, .configurationChanged,
            .fetchRequestTemplateAdded, .fetchRequestTemplateRemoved,
            .fetchRequestTemplateChanged, .versionIdentifiers, .documentSetting, .unrecognized:
            false
        }
    }

    /// Whether the entity itself is new or gone.
    package var addsOrRemovesEntity: Bool {
        switch self {
        case .entityAdded, .entityRemoved: true
        case .entityChanged, .attributeAdded, .attributeRemoved, .attributeChanged,
            .relationshipAdded, .relationshipRemoved, .relationshipChanged, .fetchedPropertyAdded,
            .fetchedPropertyRemoved, .fetchedPropertyChanged, .compositeTypeAdded,
            .compositeTypeRemoved, .compositeTypeChanged, .configurationAdded,
            .configurationRemoved, .configurationChanged, .fetchRequestTemplateAdded,
            .fetchRequestTemplateRemoved, .fetchRequestTemplateChanged, .versionIdentifiers,
            .documentSetting, .unrecognized:
            false
        }
    }

    /// What a change is about, by names: the new version's, or the old one's for what was removed.
    package struct Subject: Sendable, Hashable {
        /// The entity, where the change is in one.
        package var entity: String?
        /// The property, where the change is in one.
        package var property: String?

        /// The path as diagnostics write it, such as `Person.name`; `nil` for the model as a whole.
        package var path: String? {
            entity.map { entity in property.map { "\(entity).\($0)" } ?? entity }
        }
    }

    /// What the change is about.
    package var subject: Subject {
        switch self {
        case .entityAdded(let entity), .entityRemoved(let entity):
            Subject(entity: entity.name)
        case .entityChanged(let pair, _):
            Subject(entity: pair.to.name)
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
        case .fetchedPropertyAdded(let property, let pair):
            Subject(entity: pair.to.name, property: property.name)
        case .fetchedPropertyRemoved(let property, let pair):
            Subject(entity: pair.from.name, property: property.name)
        case .fetchedPropertyChanged(let pair):
            Subject(entity: pair.to.declaredBy, property: pair.to.property.name)
        case .compositeTypeAdded, .compositeTypeRemoved, .compositeTypeChanged,
            .configurationAdded, .configurationRemoved, .configurationChanged,
            .fetchRequestTemplateAdded, .fetchRequestTemplateRemoved,
            .fetchRequestTemplateChanged, .versionIdentifiers, .documentSetting, .unrecognized:
            Subject()
        }
    }
}
