public import ObjectModel

/// Something that only the rows of a store can decide; the payload says which rows are at stake.
///
/// Entities and properties of the old version are those to count in; `destination…` ones are what the
/// same thing is called in the new version.
public enum RowRisk: Sendable, Hashable {
    /// A new mandatory attribute has no default: any row of exactly this entity makes Core Data fail.
    ///
    /// Error 134110, `missing attribute values on mandatory destination attribute`.
    case mandatoryWithoutDefault(
        sourceEntity: String,
        destinationEntity: String,
        attribute: MappedProperty,
        elementPath: [String]
    )
    /// An attribute became mandatory and has no default: any NULL of exactly this entity makes it fail.
    ///
    /// Error 134110, as for `mandatoryWithoutDefault`.
    case nullInMandatoryAttribute(
        sourceEntity: String,
        source: MappedProperty,
        sourceElementPath: [String],
        destinationEntity: String,
        destination: MappedProperty
    )
    /// A to-one relationship became mandatory: any NULL of exactly this entity makes it fail.
    case nullInMandatoryRelationship(
        sourceEntity: String,
        source: MappedProperty,
        destinationEntity: String,
        destination: MappedProperty
    )
    /// A uniqueness constraint is new: duplicates in the entity and its sub-entities make it fail.
    ///
    /// Error 134110, `Cannot migrate store in-place: constraint violation during attempted migration`.
    /// The properties are those of the new version, each with the one it continues, if any.
    case newUniquenessConstraint(
        sourceEntity: String,
        destinationEntity: String,
        properties: [ConstrainedProperty]
    )
    /// An entity became abstract: any row of exactly this entity would have no legal entity.
    case becomesAbstract(sourceEntity: String, destinationEntity: String)
    /// A to-many relationship became to-one: all but one of an object's links are dropped.
    case toManyBecomesToOne(
        sourceEntity: String,
        source: MappedProperty,
        destinationEntity: String,
        destination: MappedProperty
    )
    /// Objects that several others lead to may be led to by one only from now on: all but one link are dropped.
    ///
    /// The inverse became new and to-one, or went, so that the store has room for one owner.
    case sharedDestination(
        sourceEntity: String,
        source: MappedProperty,
        destinationEntity: String,
        destination: MappedProperty
    )
    /// The destination entity became another one: links to objects that are none of it are dropped.
    ///
    /// Where the relationship must have a destination, Core Data fails.
    case destinationsOutOfReach(
        sourceEntity: String,
        source: MappedProperty,
        destinationEntity: String,
        destination: MappedProperty,
        reachableEntities: [String],
        isMandatory: Bool
    )
    /// A number type became narrower: values that do not fit come out as others.
    case narrowingConversion(
        sourceEntity: String,
        source: MappedProperty,
        sourceElementPath: [String],
        destinationEntity: String,
        destination: MappedProperty,
        conversion: AttributeConversion
    )
    /// A to-many relationship that keeps its order became many-to-many: Core Data loses the order.
    case orderLostInManyToMany(
        sourceEntity: String,
        source: MappedProperty,
        destinationEntity: String,
        destination: MappedProperty
    )

    /// A derived attribute is new, or derived in another way, and its values cannot be computed here.
    ///
    /// Found when a migration is worked out, not by inference; the reason is lower case, without a final period.
    case derivationNotComputed(
        sourceEntity: String,
        destinationEntity: String,
        attribute: MappedProperty,
        reason: String
    )

    /// A property of a uniqueness constraint.
    public struct ConstrainedProperty: Sendable, Hashable {
        /// The property of the new version.
        public var destination: MappedProperty
        /// The property of the old version that it continues; `nil` when it is new.
        public var source: MappedProperty?
        /// What rows get when it is new.
        public var fill: AttributeValue?

        /// Creates a constrained property.
        public init(
            destination: MappedProperty,
            source: MappedProperty?,
            fill: AttributeValue? = nil
        ) {
            self.destination = destination
            self.source = source
            self.fill = fill
        }
    }

    /// Whether Core Data fails when the rows are against it; otherwise it goes on and loses something.
    public var isFatal: Bool {
        switch self {
        case .mandatoryWithoutDefault, .nullInMandatoryAttribute, .nullInMandatoryRelationship,
            .newUniquenessConstraint, .becomesAbstract:
            true
        case .destinationsOutOfReach(_, _, _, _, _, let isMandatory):
            isMandatory
        case .toManyBecomesToOne, .sharedDestination, .narrowingConversion,
            .orderLostInManyToMany, .derivationNotComputed:
            false
        }
    }
}

/// Something that the new version has no place for.
public enum DataLoss: Sendable, Hashable {
    /// All objects of an entity.
    case entity(String)
    /// The values of an attribute, or of one element of a composite one, for the objects of an entity.
    case attribute(sourceEntity: String, MappedProperty, elementPath: [String])
    /// The links of a relationship, for the objects of an entity.
    case relationship(sourceEntity: String, MappedProperty)
    /// The links of a relationship to objects of other entities of the old version than these.
    case linksOutOfReach(sourceEntity: String, MappedProperty, reachableEntities: [String])
    /// The order of a relationship that is no longer ordered, or becomes many-to-many.
    case order(sourceEntity: String, MappedProperty)
    /// All but one of an object's links.
    case additionalLinks(sourceEntity: String, MappedProperty)
    /// What does not fit into a narrower number type.
    case precision(sourceEntity: String, MappedProperty, elementPath: [String], AttributeConversion)
}
