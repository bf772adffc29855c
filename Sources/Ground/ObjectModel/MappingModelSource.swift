package import Diagnostics
package import struct Essentials.Data
package import ModelLanguage

/// A mapping model as an `.xcmappingmodel` holds it: what Xcode's editor was told, gaps to be filled on compiling.
package struct MappingModelSource: Sendable, Hashable {
    /// An expression that is not understood: it is compiled as it is, and no step is taken by it.
    package struct UnreadExpression: Sendable, Hashable {
        /// Why, as a sentence about its mapping.
        package var reason: String
        /// The archive of the expression; `nil` where it cannot be copied.
        package var archive: Data?

        package init(reason: String, archive: Data? = nil) {
            (self.reason, self.archive) = (reason, archive)
        }
    }

    /// The mapping of one entity, the making of a new one, or the dropping of an old one.
    package struct EntityMapping: Sendable, Hashable {
        /// The name where one is written.
        package var name: String?
        /// The entity of the old model; `nil` for a new entity.
        package var sourceName: String?
        /// The entity of the new model; `nil` for a dropped one.
        package var destinationName: String?
        /// Which objects of the old entity take part; `nil` for all.
        package var sourcePredicate: Predicate?
        /// What says which objects take part, where that is not understood.
        package var unreadSource: UnreadExpression?
        /// The class of the migration policy where one is set.
        package var policyClassName: String?
        /// The place in the order of mappings, from 1.
        package var number: Int
        /// The version hash of the old entity, which compiled mapping models have.
        package var sourceHash: VersionHash?
        /// The version hash of the new entity, which compiled mapping models have.
        package var destinationHash: VersionHash?
        /// The mappings of attributes.
        package var attributes: [PropertyMapping]
        /// The mappings of relationships.
        package var relationships: [PropertyMapping]
        /// Notes that the editor shows beside the mapping, by key.
        package var userInfo: [UserInfoEntry] = []

        /// The class of a migration policy of the app's own; `nil` for Core Data's, which only maps.
        package var customPolicyClassName: String? {
            policyClassName == "NSEntityMigrationPolicy" ? nil : policyClassName
        }

        package init(
            name: String? = nil,
            sourceName: String?,
            destinationName: String?,
            sourcePredicate: Predicate? = nil,
            policyClassName: String? = nil,
            number: Int = 0,
            attributes: [PropertyMapping] = [],
            relationships: [PropertyMapping] = []
        ) {
            self.name = name
            self.sourceName = sourceName
            self.destinationName = destinationName
            self.sourcePredicate = sourcePredicate
            self.policyClassName = policyClassName
            self.number = number
            self.attributes = attributes
            self.relationships = relationships
        }

        /// Why it is not known what the mapping does; empty where it is.
        package var unreadReasons: [String] {
            [unreadSource?.reason].compactMap(\.self)
                + (attributes + relationships).compactMap(\.unreadValue?.reason)
        }

        /// The name, or the one that Xcode makes of the entities' names.
        package var effectiveName: String {
            if let name, !name.isEmpty { return name }
            return [sourceName, destinationName].compactMap(\.self).joined(separator: "To")
        }
    }

    /// The mapping of one property of the destination.
    package struct PropertyMapping: Sendable, Hashable {
        /// The name of the property.
        package var name: String
        /// The expression of its value where one is written.
        package var valueExpression: PredicateExpression?
        /// The expression where it is not understood.
        package var unreadValue: UnreadExpression?
        /// The entity mapping that a relationship's objects go through, where one is chosen.
        package var sourceMappingName: String?
        /// The path to a relationship's source objects, where one is written.
        package var sourceKeyPath: String?

        package init(
            name: String,
            valueExpression: PredicateExpression? = nil,
            sourceMappingName: String? = nil,
            sourceKeyPath: String? = nil
        ) {
            self.name = name
            self.valueExpression = valueExpression
            self.sourceMappingName = sourceMappingName
            self.sourceKeyPath = sourceKeyPath
        }
    }

    /// The path of the old model's version, relative to its project.
    package var sourceModelPath: String?
    /// The path of the new model's version, relative to its project.
    package var destinationModelPath: String?
    /// The mappings, by their numbers.
    package var entityMappings: [EntityMapping]

    package init(
        sourceModelPath: String? = nil,
        destinationModelPath: String? = nil,
        entityMappings: [EntityMapping] = []
    ) {
        self.sourceModelPath = sourceModelPath
        self.destinationModelPath = destinationModelPath
        self.entityMappings = entityMappings
    }
}

extension RuleID {
    /// A value of a mapping model that is not understood.
    package static let unreadableMappingValue: RuleID = "unreadable-mapping-value"
}
