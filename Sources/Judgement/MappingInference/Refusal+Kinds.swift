import Diagnostics
import ModelDiffing
package import ObjectModel

extension Refusal {
    /// Several items claim one: Core Data has one partner for each (MigrationBehaviour, "Matching old and new").
    init(_ conflict: MatchConflict) {
        let names = conflict.claimants.map { "'\($0)'" }.joined(separator: ", ")
        let location = conflict.sources.last?.location(of: "elementID")
        let chosen = [conflict.entity, conflict.claimants.last].compactMap(\.self).joined(
            separator: "."
        )
        self.init(
            rule: "ambiguous-renaming-identifier",
            code: nil,
            reason: "\(names) share the renaming identifier '\(conflict.identifier)'",
            evidence: .inferred,
            entity: conflict.entity ?? conflict.claimants.last,
            property: conflict.entity == nil ? nil : conflict.claimants.last,
            fromLocation: conflict.side == .from ? location : nil,
            toLocation: conflict.side == .to ? location : nil,
            cure: "give each of \(names) its own renaming identifier, or choose the one that was"
                + " renamed: 'claimants: [\(chosen)]' in .momtool.yml"
        )
    }

    /// A store of the new version holds the hash of each entity; without it Core Data would not open the store.
    package static func unknownHash(of entity: Entity) -> Refusal {
        Refusal(
            rule: "unknown-version-hash",
            code: nil,
            reason: "the version hash of '\(entity.name)' is unknown: " + entity.gaps.joined,
            evidence: .documented,
            entity: entity.name,
            toLocation: entity.source.location(of: "name"),
            cure: "migrate on a Mac, or to a version whose entities all have hashes"
        )
    }

    /// Code and reason as Core Data gave them for String to Binary (MigrationBehaviour, "Changes").
    static func incompatibleTypes(
        _ pair: PropertyPair<Attribute>,
        _ from: Attribute,
        _ to: Attribute
    ) -> Refusal {
        let isUnverified = AttributeConversion.isUnverified(from.type, to.type)
        let types = "\(from.type.displayName) to \(to.type.displayName)"
        let evidence = AttributeConversion.refusalEvidence(from.type, to.type)
        return Refusal(
            rule: "incompatible-attribute-types",
            code: evidence.isGuess ? nil : .inferredMappingModel,
            reason: evidence.isGuess
                ? "no public document describes \(types)"
                : "Source and destination attribute types are incompatible",
            evidence: evidence,
            entity: pair.to.declaredBy,
            property: pair.to.property.name,
            types: "\(from.type.displayName) → \(to.type.displayName)",
            fromLocation: from.source.location(of: "attributeType"),
            toLocation: to.source.location(of: "attributeType"),
            cure: isUnverified
                ? "nothing public shows that Core Data converts \(types); convert in a custom stage"
                : "add a new attribute and convert \(types) in a custom stage or a mapping model"
        )
    }

    /// A relationship leads elsewhere from now on, and Core Data has nothing to put there (openradar 12153321).
    ///
    /// No code is on record.
    static func mandatoryRelationship(
        _ relationship: DeclaredProperty<Relationship>,
        _ matching: ModelMatching
    ) -> Refusal {
        let owner = matching.sourceName(ofDestination: relationship.declaredBy)
        return Refusal(
            rule: "mandatory-relationship-added",
            code: nil,
            reason: "existing objects have no destination for the mandatory relationship",
            evidence: .reported,
            entity: relationship.declaredBy,
            property: relationship.property.name,
            fromLocation: owner.flatMap(matching.from.entity)?.source.element,
            toLocation: relationship.property.source.location(of: "optional"),
            cure: "make '\(relationship.property.name)' optional, or fill it in a custom stage"
        )
    }

    /// Beyond the limit of comparison, where inherited properties would be left out.
    static var tooLarge: Refusal {
        Refusal(
            rule: "model-too-large",
            code: nil,
            reason: "the entities have more than \(InheritedProperties.limit) properties in total,"
                + " including inherited ones",
            evidence: .unverified,
            cure: "declare fewer properties, or fewer sub-entities"
        )
    }

    /// Larger ones are not compared; no real model comes near this limit.
    static func tooManyElements(_ pair: PropertyPair<Attribute>) -> Refusal {
        Refusal(
            rule: "composite-too-large",
            code: nil,
            reason: "a composite attribute has more than \(CompositeMatching.leafLimit) values",
            evidence: .unverified,
            entity: pair.to.declaredBy,
            property: pair.to.property.name,
            fromLocation: pair.from.property.source.element,
            toLocation: pair.to.property.source.element,
            cure: "nest composite types less"
        )
    }
}

extension AttributeType {
    /// The name as model sources write it.
    var displayName: String { sourceName ?? "Undefined" }
}
