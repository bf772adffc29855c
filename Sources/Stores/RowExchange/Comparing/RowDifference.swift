import Essentials
import SQLiteAccess

package struct RowDifference: Sendable, Hashable {
    package enum Kind: String, Sendable, Hashable {
        case added
        case removed
        /// Both have it, with other values or links.
        case changed
    }

    /// A property that differs, with its values as canonical JSON; `nil` where an object has none.
    package struct Property: Sendable, Hashable {
        package var name: String
        package var old: String?
        package var new: String?
    }

    package var entity: String
    /// The object, such as `Book/p5`, or by its natural key, such as `Book[isbn="978"]`.
    package var object: String
    package var kind: Kind
    /// The properties that differ, by name; of an object that only one store has, all that it has.
    package var properties: [Property]
}

package struct RowComparison: Sendable {
    package struct Counts: Sendable, Hashable {
        package var added = 0
        package var removed = 0
        package var changed = 0
        package var same = 0

        package var isEqual: Bool { added == 0 && removed == 0 && changed == 0 }
    }

    package internal(set) var entities: [(name: String, counts: Counts)] = []

    package init() {}

    package var total: Counts {
        entities.reduce(into: Counts()) { sum, entity in
            sum.added += entity.counts.added
            sum.removed += entity.counts.removed
            sum.changed += entity.counts.changed
            sum.same += entity.counts.same
        }
    }
}

/// Which objects of two stores are compared, and how they are matched.
package struct RowComparisonOptions: Sendable, Hashable {
    /// The entities whose objects are compared, with their sub-entities; all when empty.
    package var entities: [String]
    /// The attributes that identify the objects of an entity and its sub-entities, instead of their keys.
    package var naturalKeys: [String: [String]]
    /// What the old store's version calls otherwise; with natural keys, only properties.
    package var renames = RowRenames()

    /// Creates options; by default all objects are compared by their keys.
    package init(entities: [String] = [], naturalKeys: [String: [String]] = [:]) {
        (self.entities, self.naturalKeys) = (entities, naturalKeys)
    }
}

/// The new names of renamed entities and properties of an old version.
package struct RowRenames: Sendable, Hashable {
    package var entities: [String: String] = [:]
    /// The new names of properties, by the new name of their entity and their old ones.
    package var properties: [String: [String: String]] = [:]

    package init() {}

    func oldName(of entity: String) -> String {
        entities.filter { $0.value == entity }.keys.min() ?? entity
    }

    /// The references of a relationship of the old store, as in an export, with the new names of entities.
    ///
    /// Each name is replaced once, so names may be swapped; unordered references are sorted again.
    func renewed(_ references: String, isOrdered: Bool) throws(StoreError) -> String {
        let precedes = { (left: String, right: String) in
            let (first, second) = (parts(of: left), parts(of: right))
            return haveSameBytes(first.name, second.name)
                ? first.key < second.key
                : first.name.utf8.lexicographicallyPrecedes(second.name.utf8)
        }
        let bytes = try renamedReferences(references, sortedBy: isOrdered ? nil : precedes) {
            let (name, key) = parts(of: $0)
            return "\(entities[name] ?? name)/p\(key)"
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private func parts(of reference: String) -> (name: String, key: Int64) {
        let bytes = Array(reference.utf8)
        // A key has no slash; a name may.
        let end = bytes.lastIndex(of: UInt8(ascii: "/")) ?? bytes.endIndex
        let key = String(decoding: bytes[end...].dropFirst(2), as: UTF8.self)
        return (String(decoding: bytes[..<end], as: UTF8.self), Int64(key) ?? 0)
    }
}
