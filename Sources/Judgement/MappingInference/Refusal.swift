package import Diagnostics
import ModelDiffing
package import ObjectModel

/// Something that Core Data would refuse before it looks at a row, or whose outcome is unknown.
package struct Refusal: Sendable, Hashable {
    package var rule: RuleID
    /// Core Data's error; `nil` where none is on record.
    package var code: CoreDataErrorCode?
    /// Whether Core Data raises an exception instead of returning the error.
    package var raisesException: Bool = false
    /// The reason in Core Data's words, where these are known.
    package var reason: String
    /// A guess is momtool's own, and never presented as Apple's.
    package var evidence: Evidence
    /// The entity, by its new name if it continues.
    package var entity: String?
    /// The property, by its new name if it continues.
    package var property: String?
    /// The old and the new type of the property, such as `Integer 16 → String`; `nil` where others are refused.
    package var types: String?
    package var fromLocation: FileLocation?
    package var toLocation: FileLocation?
    /// What to do instead; imperative.
    package var cure: String

    package var path: String? {
        entity.map { entity in property.map { "\(entity).\($0)" } ?? entity }
    }

    /// The reason with Core Data's error where it is on record; a guess is marked as one.
    package var text: String {
        if evidence.isGuess { return "momtool cannot tell what Core Data does: \(reason)" }
        return code.map { "\(reason) (\($0.number))" } ?? reason
    }

    /// The property with its types, then the reason.
    package var subject: String {
        let types = types.map { " (\($0))" } ?? ""
        return (path.map { "\($0)\(types): " } ?? "") + reason
    }

    /// The subject with Core Data's error where it is on record.
    package var sentence: String {
        subject + (code.map { " (\($0.number) \($0.constantName))" } ?? "")
    }

    package var diagnostic: Diagnostic {
        Diagnostic(
            rule,
            evidence.isGuess
                ? "momtool cannot tell whether a mapping can be inferred: \(sentence)"
                : "no mapping can be inferred: \(sentence)",
            at: toLocation ?? fromLocation,
            element: path,
            notes: (fromLocation.map { [Diagnostic.Note("it was here", at: $0)] } ?? [])
                + [Diagnostic.Note(cure)]
        )
    }
}

extension Refusal {
    /// Several items claim one: Core Data has one partner for each (MigrationBehaviour, "Matching old and new").
    init(_ conflict: MatchConflict) {
        let names = conflict.claimants.map { "'\($0)'" }.joined(separator: ", ")
        let location = conflict.sources.last?.location(of: "elementID")
        // One whose name is the identifier itself need not be the renamed one.
        let renamed = conflict.claimants.filter { $0 != conflict.identifier }
        let isClear = conflict.side == .to && renamed.count == 1
        let chosen = (isClear ? renamed : conflict.claimants).map { name in
            let path = [conflict.entity, name].compactMap(\.self).joined(separator: ".")
            return "'claimants: [\(path)]'"
        }
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
                + " renamed: \(chosen.joined(separator: " or ")) in .momtool.yml"
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

extension AttributeType { var displayName: String { sourceName ?? "Undefined" } }
