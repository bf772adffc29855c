/// What differs between two stores in one object.
package struct RowDifference: Sendable, Hashable {
    /// What became of an object.
    package enum Kind: String, Sendable, Hashable {
        /// Only the new store has it.
        case added
        /// Only the old store has it.
        case removed
        /// Both have it, with other values or links.
        case changed
    }

    /// A property that differs, with its values as canonical JSON; `nil` where an object has none.
    package struct Property: Sendable, Hashable {
        /// The name.
        package var name: String
        /// The value in the old store.
        package var old: String?
        /// The value in the new store.
        package var new: String?
    }

    /// The entity.
    package var entity: String
    /// The object, such as `Book/p5`, or by its natural key, such as `Book[isbn="978"]`.
    package var object: String
    /// What became of it.
    package var kind: Kind
    /// The properties that differ, by name; of an object that only one store has, all that it has.
    package var properties: [Property]
}

/// How many objects of each entity differ between two stores.
package struct RowComparison: Sendable {
    /// The objects of an entity.
    package struct Counts: Sendable, Hashable {
        /// Those that only the new store has.
        package var added = 0
        /// Those that only the old store has.
        package var removed = 0
        /// Those with other values or links.
        package var changed = 0
        /// Those without a difference.
        package var same = 0

        /// Whether no object differs.
        package var isEqual: Bool { added == 0 && removed == 0 && changed == 0 }
    }

    /// The counts, by entity and by name.
    package internal(set) var entities: [(name: String, counts: Counts)] = []

    /// Creates a comparison of no objects.
    package init() {}

    /// All objects together.
    package var total: Counts {
        entities.reduce(into: Counts()) { sum, entity in
            sum.added += entity.counts.added
            sum.removed += entity.counts.removed
            sum.changed += entity.counts.changed
            sum.same += entity.counts.same
        }
    }
}

/// Which objects of two stores are compared, and how they find each other.
package struct RowComparisonOptions: Sendable, Hashable {
    /// The entities whose objects are compared, with those below them; all when empty.
    package var entities: [String]
    /// The attributes that tell the objects of an entity, and those below it, apart in place of their keys.
    package var naturalKeys: [String: [String]]
    /// What the old store's version calls otherwise; with natural keys, properties alone.
    package var renames = RowRenames()

    /// Creates options; without arguments, those that compare all objects by their keys.
    package init(entities: [String] = [], naturalKeys: [String: [String]] = [:]) {
        self.entities = entities
        self.naturalKeys = naturalKeys
    }
}

/// What entities and properties of an old version are called in a new one, where the names differ.
package struct RowRenames: Sendable, Hashable {
    /// The new names of entities, by their old ones.
    package var entities: [String: String] = [:]
    /// The new names of properties, by the new name of their entity and their old ones.
    package var properties: [String: [String: String]] = [:]

    /// Creates renames: none.
    package init() {}

    /// What an entity of the new version is called in the old one.
    func oldName(of entity: String) -> String {
        entities.filter { $0.value == entity }.keys.min() ?? entity
    }

    /// A value of the old store, with the new names of entities in its references.
    func renewed(_ value: String) -> String {
        guard value.contains("/p") else { return value }
        return entities.reduce(value) { $0.replacing("\"\($1.key)/p", with: "\"\($1.value)/p") }
    }
}
