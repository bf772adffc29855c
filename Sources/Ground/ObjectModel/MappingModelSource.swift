package import Diagnostics
package import struct Essentials.Data
package import ModelLanguage

/// A mapping model as an `.xcmappingmodel` holds it: the settings of Xcode's editor, with gaps that compiling fills.
package struct MappingModelSource: Sendable, Hashable {
    /// An expression that is not understood: it is compiled unchanged, and no step uses it.
    package struct UnreadExpression: Sendable, Hashable {
        /// Why, as a sentence about its mapping.
        package var reason: String
        /// The archive of the expression; `nil` where it cannot be copied.
        package var archive: Data?
        /// The text of a condition, which is compiled as it is written.
        package var condition: String?

        package init(reason: String, archive: Data? = nil, condition: String? = nil) {
            (self.reason, self.archive, self.condition) = (reason, archive, condition)
        }
    }

    /// The mapping of one entity, the making of a new one, or the dropping of an old one.
    package struct EntityMapping: Sendable, Hashable {
        package var name: String?
        /// The entity of the old model; `nil` for a new entity.
        package var sourceName: String?
        /// The entity of the new model; `nil` for a dropped one.
        package var destinationName: String?
        /// Which objects of the old entity take part; `nil` for all.
        package var sourcePredicate: Predicate?
        /// The condition on the objects, where it is not understood.
        package var unreadSource: UnreadExpression?
        package var policyClassName: String?
        /// The position in the order of mappings, from 1.
        package var number: Int
        /// The version hash of the old entity, which compiled mapping models have.
        package var sourceHash: VersionHash?
        /// The version hash of the new entity, which compiled mapping models have.
        package var destinationHash: VersionHash?
        package var attributes: [PropertyMapping]
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
            (self.name, self.sourceName, self.destinationName) = (name, sourceName, destinationName)
            (self.sourcePredicate, self.policyClassName) = (sourcePredicate, policyClassName)
            (self.number, self.attributes, self.relationships) = (number, attributes, relationships)
        }

        /// Why it is not known what the mapping does; empty where it is.
        package var unreadReasons: [String] {
            [unreadSource?.reason].compactMap(\.self)
                + (attributes + relationships).compactMap(\.unreadValue?.reason)
        }

        /// The name, or Xcode's default from the entities' names.
        package var effectiveName: String {
            if let name, !name.isEmpty { return name }
            return [sourceName, destinationName].compactMap(\.self).joined(separator: "To")
        }
    }

    package struct PropertyMapping: Sendable, Hashable {
        package var name: String
        package var valueExpression: PredicateExpression?
        package var unreadValue: UnreadExpression?
        /// The entity mapping of a relationship's objects, where one is chosen.
        package var sourceMappingName: String?
        /// The path to a relationship's source objects, where one is written.
        package var sourceKeyPath: String?

        package init(
            name: String,
            valueExpression: PredicateExpression? = nil,
            sourceMappingName: String? = nil,
            sourceKeyPath: String? = nil
        ) {
            (self.name, self.valueExpression) = (name, valueExpression)
            (self.sourceMappingName, self.sourceKeyPath) = (sourceMappingName, sourceKeyPath)
        }
    }

    /// The path of the old model's version, relative to its project.
    package var sourceModelPath: String?
    /// The path of the new model's version, relative to its project.
    package var destinationModelPath: String?
    package var entityMappings: [EntityMapping]

    package init(entityMappings: [EntityMapping] = []) { self.entityMappings = entityMappings }
}

extension RuleID { package static let unreadableMappingValue: RuleID = "unreadable-mapping-value" }
