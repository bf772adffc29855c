import SQLiteAccess
import StoreFormat

/// The objects that were found by values, so that each search does not go through all objects.
///
/// Code that changes a table by other means must say so.
struct FoundObjects {
    /// An entity with the attributes that are looked at.
    struct Key: Hashable {
        var table: String
        var entity: String
        var attributes: [String]
    }

    private var objects: [Key: [[SQLiteValue]: Int64]] = [:]

    /// Whether the objects of an entity are known by these attributes.
    func knows(_ key: Key) -> Bool { objects[key] != nil }

    /// Returns the object with these values; `nil` when there is none.
    func object(_ key: Key, _ values: [SQLiteValue]) -> Int64? {
        objects[key]?[values.map(\.comparable)]
    }

    /// Remembers an object; of several with the same values the first counts.
    mutating func add(_ object: Int64, _ key: Key, _ values: [SQLiteValue]) {
        let values = values.map(\.comparable)
        guard objects[key, default: [:]][values] == nil else { return }
        objects[key, default: [:]][values] = object
    }

    /// Makes the objects of an entity known, of which there may be none.
    mutating func begin(_ key: Key) { objects[key] = [:] }

    /// Gives the objects away that are known by a key, while their table is changed.
    mutating func taken(_ key: Key) -> [[SQLiteValue]: Int64] {
        let taken = objects[key] ?? [:]
        objects[key] = nil
        return taken
    }

    /// Takes back what was given away.
    mutating func put(back taken: [[SQLiteValue]: Int64], _ key: Key) { objects[key] = taken }

    var isEmpty: Bool { objects.isEmpty }

    /// Forgets the objects of a table.
    mutating func forget(table: String) {
        for key in objects.keys where key.table == table { objects[key] = nil }
    }

    /// Forgets everything.
    mutating func forget() { objects = [:] }
}

extension SQLiteValue {
    /// The value in the form in which equal numbers are equal values.
    fileprivate var comparable: SQLiteValue {
        guard case .real(let value) = self, let integer = Int64(exactly: value) else { return self }
        return .integer(integer)
    }
}
