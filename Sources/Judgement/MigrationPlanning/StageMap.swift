package import Diagnostics
package import ModelLanguage

/// The value expressions of a custom stage: how to create objects of the next version from those of the current one.
///
/// The declarative subset that mapping models use (MigrationBehaviour, "Mapping models"). Entities of the next version
/// without a mapping are copied from the entity that inference matches them with.
public struct StageMap: Sendable, Hashable {
    /// The mapping of one entity.
    public struct EntityMap: Sendable, Hashable {
        /// The name by which relationship functions find the resulting objects.
        public var name: String
        /// The entity of the current version; `nil` for an entity that gets no objects.
        public var source: String?
        /// The entity of the next version; `nil` when the objects are dropped.
        public var destination: String?
        /// `nil` for all objects.
        package var condition: Predicate?
        /// Attributes of the destination: objects with the same values there become one.
        package var findOrCreateKeys: [String] = []
        /// The values of attributes and relationships; others are copied by name.
        package var values: [String: PredicateExpression]
        package var copiesRest: Bool
        /// The notes of the mapping model on the mapping, by key, as its editor shows them under User Info.
        public var userInfo: [String: String] = [:]
        /// The name of the migration policy that makes the objects; `nil` when the values suffice.
        package var policyName: String?
        /// The locations of the properties, by name, and under an empty name the mapping itself; empty in memory.
        package var locations: [String: FileLocation] = [:]

        package init(
            name: String? = nil,
            source: String?,
            destination: String?,
            condition: Predicate? = nil,
            values: [String: PredicateExpression] = [:],
            copiesRest: Bool = true,
            policyName: String? = nil
        ) {
            self.name = name ?? [source, destination].compactMap(\.self).joined(separator: "To")
            self.source = source
            self.destination = destination
            self.condition = condition
            self.values = values
            self.copiesRest = copiesRest
            self.policyName = policyName
        }
    }

    package var entities: [EntityMap]
    /// Whether entities without a mapping are copied as inference matches them.
    package var copiesRest: Bool

    package init(entities: [EntityMap] = [], copiesRest: Bool = true) {
        self.entities = entities
        self.copiesRest = copiesRest
    }

    /// The functions of expressions besides Core Data's own, by selector.
    package enum Function {
        /// The first argument that is not nil.
        package static let coalesce = "coalesce:"
        /// A new UUID.
        package static let uuid = "uuid"
        /// The part of a text at an index, from 0, between separators.
        package static let split = "split:by:at:"
        /// The rest of a text after the first parts, including separators.
        package static let rest = "rest:by:from:"
        /// A value as another type: `CAST`.
        package static let cast = "castObject:toType:"
        /// The value at a key of the first object of an entity whose other key has a value.
        package static let lookup = "lookup:key:equals:value:"
        /// A constant without a literal form, by its kind and its text.
        package static let constant = "constant:of:"
        /// The texts that are not nil, joined by the first argument.
        package static let join = "join:"
        /// The value of the first object along a to-many relationship.
        package static let first = "firstOf:"
        /// The value of the last object along a to-many relationship.
        package static let last = "lastOf:"
        /// The object of an entity of the next version whose key has a value.
        package static let find = "find:key:equals:"
    }
}
