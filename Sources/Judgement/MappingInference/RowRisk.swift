package import ObjectModel

/// Something that only the rows of a store can decide; the payload says which rows are at stake.
///
/// Entities and properties of the old version are those to count in; `destination…` ones are what the
/// same thing is called in the new version.
package enum RowRisk: Sendable, Hashable {
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
    /// A number type became narrower: values that do not fit are changed.
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

    /// An ordered to-many relationship is no longer ordered.
    case orderLost(
        sourceEntity: String,
        source: MappedProperty,
        destinationEntity: String,
        destination: MappedProperty
    )
    /// The maximum of a to-many relationship became smaller: objects may have more links than that.
    ///
    /// Nothing is dropped, but Core Data saves none of them before it has fewer.
    case tooManyLinks(
        sourceEntity: String,
        source: MappedProperty,
        destinationEntity: String,
        destination: MappedProperty,
        most: Int
    )
    /// An entity goes, and its objects with it.
    case removedEntity(sourceEntity: String)
    /// An attribute, or an element of a composite one, has no place for the values of an entity's objects any more.
    case removedAttribute(
        sourceEntity: String,
        source: MappedProperty,
        sourceElementPath: [String],
        reason: AttributeLoss
    )
    /// A relationship has no place for the links of an entity's objects any more.
    case removedRelationship(sourceEntity: String, source: MappedProperty)
    /// A relationship goes on, but not with all objects that it led from or to.
    ///
    /// Found when a migration is worked out, not by inference.
    case linksToRemovedObjects(sourceEntity: String, source: MappedProperty)
    /// Objects of an entity that nothing is made of.
    ///
    /// Found when a migration is worked out or has run, not by inference.
    case objectsLeftOut(sourceEntity: String, by: LeftOut)
    /// A value expression of a map does not keep all that it works with.
    ///
    /// Found when a migration is worked out, not by inference.
    case expressionLoss(
        sourceEntity: String,
        destinationEntity: String,
        destination: MappedProperty,
        elementPath: [String],
        loss: ExpressionLoss
    )
    /// Objects of an entity that become one with others that have the same keys.
    ///
    /// Found when a migration is worked out, not by inference.
    case mergedObjects(sourceEntity: String, destinationEntity: String)
    /// Values live in files beside the store that are not there.
    case missingExternalFile(
        sourceEntity: String,
        source: MappedProperty,
        sourceElementPath: [String]
    )
    /// Rows that are of no entity of the table's hierarchy: the store is damaged, and they go where rows are rewritten.
    case rowsOfNoEntity(rootEntity: String)
    /// What persistent history or CloudKit mirroring says of objects that do not stay what they were: those of an entity
    /// that goes, or those of an entity of which not all stay.
    ///
    /// Found when a migration is worked out, not by inference.
    case recordsOfRemovedObjects(sourceEntity: String, table: String, isWholeEntity: Bool)
    /// Values that have another type than the attribute, which is to be converted: the store is damaged.
    case valuesOfOtherType(
        sourceEntity: String,
        source: MappedProperty,
        sourceElementPath: [String]
    )
    /// The entity numbers beside a relationship's keys are not those of the objects that they lead to: the store is
    /// damaged, and the step goes by them.
    case wrongEntityNumbers(sourceEntity: String, source: MappedProperty)
    /// A column, index or trigger that is not Core Data's, and that the step cannot keep; the reason is lower case,
    /// without a final period.
    ///
    /// Found when a migration is worked out, not by inference.
    case foreignObject(
        sourceEntity: String,
        kind: ForeignKind,
        name: String,
        table: String,
        reason: String
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

    /// What an app may add to a store of its own.
    package enum ForeignKind: String, Sendable, Hashable {
        case column, index, trigger
    }

    /// What a value expression does not keep.
    package enum ExpressionLoss: Sendable, Hashable {
        /// What it gives does not fit the type of the attribute.
        case misfit(AttributeType)
        /// What it casts does not fit the type that is asked for.
        case cast(AttributeType)
        /// It gives nothing, and the attribute is mandatory.
        case noMandatoryValue
        /// It divides by zero, which gives nothing.
        case divisionByZero
        /// It looks for one object of an entity, and there are several.
        case severalFound(entity: String)
        /// What it leads to has room for one link, and has another.
        case noRoom
        /// It reads a file beside the store that is not there.
        case missingFile
        /// Several objects become one, which has another value.
        case merged
    }

    /// A property of a uniqueness constraint.
    package struct ConstrainedProperty: Sendable, Hashable {
        /// The property of the new version.
        package var destination: MappedProperty
        /// The property of the old version that it continues; `nil` when it is new.
        package var source: MappedProperty?
        /// What rows get when it is new.
        package var fill: AttributeValue?

        package init(
            destination: MappedProperty,
            source: MappedProperty?,
            fill: AttributeValue? = nil
        ) {
            self.destination = destination
            self.source = source
            self.fill = fill
        }
    }

    /// Why nothing is made of objects.
    package enum LeftOut: Sendable, Hashable {
        /// No condition of a mapping takes them.
        case condition
        /// Their entity stays, and no mapping is for it.
        case mapping
        /// The code of a policy makes nothing of them.
        case code
        /// What somebody wrote for a stage deletes them, which is meant.
        case stage
    }

    /// Why an attribute has no place for its values any more.
    package enum AttributeLoss: Sendable, Hashable {
        /// It is gone.
        case removed
        /// It is gone, and large values of it are in files beside the store, which stay there unused.
        case removedWithFiles
        /// It became transient.
        case transient
        /// It is derived from now on.
        case derived
    }

    /// What it rests on that Core Data fails; a guess is never said to be Apple's word (MigrationBehaviour,
    /// "Changes" and "Error codes").
    package var evidence: Evidence {
        switch self {
        case .mandatoryWithoutDefault, .nullInMandatoryAttribute, .newUniquenessConstraint:
            .reported
        case .nullInMandatoryRelationship: .unverified
        case .becomesAbstract, .destinationsOutOfReach: .inferred
        case .toManyBecomesToOne, .sharedDestination, .narrowingConversion,
            .orderLostInManyToMany, .derivationNotComputed, .orderLost, .tooManyLinks,
            .removedEntity, .removedAttribute, .removedRelationship, .linksToRemovedObjects,
            .objectsLeftOut, .missingExternalFile, .rowsOfNoEntity, .recordsOfRemovedObjects,
            .valuesOfOtherType, .expressionLoss, .mergedObjects, .wrongEntityNumbers,
            .foreignObject:
            .inferred
        }
    }

    /// Whether Core Data fails when the rows are against it, or the store is damaged; otherwise something is lost.
    package var isFatal: Bool {
        switch self {
        case .mandatoryWithoutDefault, .nullInMandatoryAttribute, .nullInMandatoryRelationship,
            .newUniquenessConstraint, .becomesAbstract, .valuesOfOtherType, .wrongEntityNumbers:
            true
        case .destinationsOutOfReach(_, _, _, _, _, let isMandatory):
            isMandatory
        case .expressionLoss(_, _, _, _, .noMandatoryValue): true
        case .toManyBecomesToOne, .sharedDestination, .narrowingConversion,
            .orderLostInManyToMany, .derivationNotComputed, .orderLost, .tooManyLinks,
            .removedEntity, .removedAttribute, .removedRelationship, .linksToRemovedObjects,
            .objectsLeftOut, .missingExternalFile, .rowsOfNoEntity, .recordsOfRemovedObjects,
            .expressionLoss, .mergedObjects, .foreignObject:
            false
        }
    }
}
