package import ObjectModel

/// Something that only the rows of a store can decide, with the rows at stake.
///
/// Rows are counted in entities and properties of the old version; destinations are their names in the new version.
package struct RowRisk: Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
        /// A new mandatory attribute has no default: Core Data fails on any row of exactly this entity.
        ///
        /// Error 134110, `missing attribute values on mandatory destination attribute`.
        case mandatoryWithoutDefault
        /// An attribute became mandatory without a default: Core Data fails on any NULL of exactly this entity.
        ///
        /// Error 134110, as for `mandatoryWithoutDefault`.
        case nullInMandatoryAttribute
        /// A to-one relationship became mandatory: Core Data fails on any NULL of exactly this entity, or, without a
        /// source, on any row.
        ///
        /// Error 134110, `missing attribute values on mandatory destination relationship`, where it is new.
        case nullInMandatoryRelationship
        /// A uniqueness constraint is new: duplicates in the entity and its sub-entities make it fail.
        ///
        /// Error 134110, `Cannot migrate store in-place: constraint violation during attempted migration`. The
        /// properties belong to the new version, each with the one it continues, if any.
        case newUniquenessConstraint([ConstrainedProperty])
        /// An entity became abstract: any row of exactly this entity would have no legal entity.
        case becomesAbstract
        /// A to-many relationship became to-one: all but one of an object's links are dropped.
        case toManyBecomesToOne
        /// Objects with several owners may have only one now: all but one link are dropped.
        ///
        /// The inverse became new and to-one, or went, so that the store has room for one owner.
        case sharedDestination
        /// The destination entity changed: links to objects of other entities are dropped.
        ///
        /// Where the relationship must have a destination, Core Data fails.
        case destinationsOutOfReach(reachableEntities: [String], isMandatory: Bool)
        /// A number type became narrower: values that do not fit are changed.
        case narrowingConversion
        /// A to-many relationship that keeps its order became many-to-many: Core Data loses the order.
        case orderLostInManyToMany
        /// An ordered to-many relationship is no longer ordered.
        case orderLost
        /// The maximum of a to-many relationship became smaller: objects may have more links than that.
        ///
        /// Nothing is dropped, but Core Data saves none of them before it has fewer.
        case tooManyLinks(most: Int)
        case removedEntity
        /// The new version no longer has a place for the values of an attribute, or of an element of a composite one.
        case removedAttribute(AttributeLoss)
        /// The new version no longer has a relationship for the links of an entity's objects.
        case removedRelationship
        /// Values in external files that are missing.
        case missingExternalFile
        /// Rows of no entity in a root entity's hierarchy: the store is damaged, and they go where rows are rewritten.
        case rowsOfNoEntity
        /// Values of another type than the attribute, which is to be converted, or that do not say whether they are in an
        /// external file: the store is damaged.
        case valuesOfOtherType(isExternal: Bool)
        /// The entity numbers of a relationship's keys differ from the destination objects: the store is damaged, and
        /// the step relies on them.
        case wrongEntityNumbers
        /// Objects that need new keys, of which the greatest one of their root entity leaves none: the store is damaged.
        case noKeysLeft(root: String)

        // What follows is found when a migration is worked out or has run, not by inference; reasons are lower case,
        // without a final period.

        /// A relationship continues, but not with all objects at either end.
        case linksToRemovedObjects
        /// Objects of an entity from which nothing is made.
        case objectsLeftOut(by: LeftOut)
        /// A value expression of a map does not keep all of its values.
        case expressionLoss(ExpressionLoss)
        /// Objects of an entity that become one with others with the same keys.
        case mergedObjects
        /// Entries of history or mirroring about objects that do not stay what they were: all or some of an entity.
        case recordsOfRemovedObjects(table: String, isWholeEntity: Bool)
        /// A column, index or trigger, not Core Data's, that the step cannot keep, or a table of an unknown model.
        case foreignObject(ForeignKind, name: String, table: String, reason: String)
        /// A derived attribute is new, or has a new derivation, and its values cannot be computed here.
        case derivationNotComputed(reason: String)
    }

    package let kind: Kind
    package let sourceEntity: String
    package let source: PropertyReference?
    package let destinationEntity: String?
    package let destination: PropertyReference?
    /// The names from below a composite attribute to the value; empty for any other.
    package let elementPath: [String]

    package init(
        _ kind: Kind,
        of sourceEntity: String,
        _ source: PropertyReference? = nil,
        to destinationEntity: String? = nil,
        _ destination: PropertyReference? = nil,
        at elementPath: [String] = []
    ) {
        self.kind = kind
        (self.sourceEntity, self.source) = (sourceEntity, source)
        (self.destinationEntity, self.destination) = (destinationEntity, destination)
        self.elementPath = elementPath
    }

    /// What an app may add to its store.
    package enum ForeignKind: String, Sendable, Hashable { case column, index, trigger, table }

    package enum ExpressionLoss: Sendable, Hashable {
        /// Its result does not fit the type of the attribute.
        case misfit(AttributeType)
        case cast(AttributeType)
        /// It has no result, but the attribute is mandatory.
        case noMandatoryValue
        /// It divides by zero, which has no result.
        case divisionByZero
        /// It looks for one object of an entity, and there are several.
        case severalFound(entity: String)
        /// Its destination has room for one link, and has another.
        case noRoom
        /// It reads an external file that is missing.
        case missingFile
        /// Several objects become one, which has another value.
        case merged
    }

    package struct ConstrainedProperty: Sendable, Hashable {
        package var destination: PropertyReference
        /// The property of the old version that it continues; `nil` when it is new.
        package var source: PropertyReference?
        /// The value of all rows when it is new.
        package var fill: AttributeValue?

        package init(
            destination: PropertyReference,
            source: PropertyReference?,
            fill: AttributeValue? = nil
        ) { (self.destination, self.source, self.fill) = (destination, source, fill) }
    }

    package enum LeftOut: Sendable, Hashable {
        /// No condition of a mapping takes them.
        case condition
        /// Their entity stays, but has no mapping.
        case mapping
        /// The code of a policy creates nothing from them.
        case code
        /// The work of a stage deletes them on purpose.
        case stage
    }

    package enum AttributeLoss: Sendable, Hashable {
        case removed
        /// Removed, and its large values are in external files, which stay there unused.
        case removedWithFiles
        case transient, derived
    }

    package enum Unit: String, Sendable, Hashable, CaseIterable {
        case rows, values, links
        /// Entries of persistent history or CloudKit mirroring about objects.
        case records
        /// Indexes and triggers that are not Core Data's.
        case schemaObjects = "schema objects"

        /// Singular, such as `row`.
        package var name: String { String(rawValue.dropLast()) }
    }

    /// The evidence that Core Data fails; a guess is never presented as Apple's word (MigrationBehaviour, "Changes" and
    /// "Error codes").
    package var evidence: Evidence { nature.evidence }
    /// Whether Core Data fails when the rows forbid it, or the store is damaged; otherwise something is lost.
    package var isFatal: Bool { nature.isFatal }
    package var unit: Unit { nature.unit }

    private var nature: (evidence: Evidence, isFatal: Bool, unit: Unit) {
        switch kind {
        case .mandatoryWithoutDefault, .nullInMandatoryAttribute, .newUniquenessConstraint:
            (.reported, true, .rows)
        case .nullInMandatoryRelationship: (source == nil ? .reported : .unverified, true, .rows)
        case .becomesAbstract, .noKeysLeft: (.inferred, true, .rows)
        case .valuesOfOtherType: (.inferred, true, .values)
        case .wrongEntityNumbers: (.inferred, true, .links)
        case .destinationsOutOfReach(_, let isMandatory): (.inferred, isMandatory, .links)
        case .expressionLoss(let loss): (.inferred, loss == .noMandatoryValue, .values)
        case .removedEntity, .objectsLeftOut, .tooManyLinks, .rowsOfNoEntity,
            .derivationNotComputed, .mergedObjects:
            (.inferred, false, .rows)
        case .narrowingConversion, .removedAttribute, .missingExternalFile:
            (.inferred, false, .values)
        case .toManyBecomesToOne, .sharedDestination, .orderLostInManyToMany, .orderLost,
            .removedRelationship, .linksToRemovedObjects:
            (.inferred, false, .links)
        case .recordsOfRemovedObjects: (.inferred, false, .records)
        case .foreignObject(let kind, _, _, _):
            (.inferred, false, kind == .column ? .values : .schemaObjects)
        }
    }

    /// What a new uniqueness constraint adds to the name of its entity, such as `.line+place`.
    package var constraint: String? {
        guard case .newUniquenessConstraint(let members) = kind else { return nil }
        return ".\(members.map(\.destination.name).joined(separator: "+"))"
    }

    /// Whether a new constraint is over new attributes with defaults alone, so that any two rows violate it.
    var isViolatedByAnyRows: Bool {
        guard case .newUniquenessConstraint(let members) = kind else { return false }
        return !members.isEmpty && members.allSatisfy { $0.source == nil && $0.fill != nil }
    }

    /// Whether Core Data has a value for the rows: that of a default in Swift sources whose code is not understood here.
    package func isMetByCode(in model: ManagedObjectModel) -> Bool {
        guard let property = destination, elementPath.isEmpty else { return false }
        let owner = model.entities.first { $0.name == property.entity }
        return owner?.attributes.contains {
            $0.unreadDefault != nil && $0.name == property.name
        } == true
    }

    /// The names of a loss, such as `Book.notes`: by the old version, by the entity that declares it, by the new one.
    package var names: [String] {
        func name(_ entity: String, _ property: PropertyReference?) -> String {
            guard let property else { return entity }
            return ([entity, property.name] + elementPath).joined(separator: ".")
        }
        // By its entity, and by its table, as in SQL.
        if case .foreignObject(_, let own, let table, _) = kind {
            return ["\(sourceEntity).\(own)", "\(table).\(own)"]
        }
        // The result of an expression belongs to no one property of the old version.
        let isExpression = if case .expressionLoss = kind { true } else { false }
        var names =
            isExpression ? [] : [name(sourceEntity, source ?? (isFatal ? destination : nil))]
        if let source { names.append(name(source.entity, source)) }
        if let destinationEntity { names.append(name(destinationEntity, destination)) }
        if let destination { names.append(name(destination.entity, destination)) }
        // What is allowed is one value of two rows, and not all that happens to the entity.
        if isViolatedByAnyRows { names = names.map { $0 + (constraint ?? "") } }
        return names.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }
}
