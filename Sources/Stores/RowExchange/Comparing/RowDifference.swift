/// What differs between two stores in one object.
public struct RowDifference: Sendable, Hashable {
    /// What became of an object.
    public enum Kind: String, Sendable, Hashable {
        /// Only the new store has it.
        case added
        /// Only the old store has it.
        case removed
        /// Both have it, with other values or links.
        case changed
    }

    /// A property that differs, with its values as canonical JSON; `nil` where an object has none.
    public struct Property: Sendable, Hashable {
        /// The name.
        public var name: String
        /// The value in the old store.
        public var old: String?
        /// The value in the new store.
        public var new: String?
    }

    /// The entity.
    public var entity: String
    /// The object, as `Book/p5`, or by its natural key, as `Book[isbn="978"]`.
    public var object: String
    /// What became of it.
    public var kind: Kind
    /// The properties that differ, by name; of an object that only one store has, all that it has.
    public var properties: [Property]
}

/// How many objects of each entity differ between two stores.
public struct RowComparison: Sendable {
    /// The objects of an entity.
    public struct Counts: Sendable, Hashable {
        /// Those that only the new store has.
        public var added = 0
        /// Those that only the old store has.
        public var removed = 0
        /// Those with other values or links.
        public var changed = 0
        /// Those without a difference.
        public var same = 0

        /// Whether no object differs.
        public var isEqual: Bool { added == 0 && removed == 0 && changed == 0 }
    }

    /// The counts, by entity and by name.
    public internal(set) var entities: [(name: String, counts: Counts)] = []

    /// Creates a comparison of no objects.
    public init() {}

    /// All objects together.
    public var total: Counts {
        entities.reduce(into: Counts()) { sum, entity in
            sum.added += entity.counts.added
            sum.removed += entity.counts.removed
            sum.changed += entity.counts.changed
            sum.same += entity.counts.same
        }
    }
}

/// Which objects of two stores are compared, and how they find each other.
public struct RowComparisonOptions: Sendable, Hashable {
    /// The entities whose objects are compared, with those below them; all when empty.
    public var entities: [String]
    /// The attributes that tell the objects of an entity, and those below it, apart in place of their keys.
    public var naturalKeys: [String: [String]]

    /// Creates options; without arguments, those that compare all objects by their keys.
    public init(entities: [String] = [], naturalKeys: [String: [String]] = [:]) {
        self.entities = entities
        self.naturalKeys = naturalKeys
    }
}
