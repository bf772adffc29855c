import SQLiteAccess

/// The objects that were found by values, so that not every search scans all objects.
///
/// Code that changes a table by other means must say so.
struct FoundObjects {
    struct Key: Hashable {
        var table: String
        var entity: String
        var attributes: [String]
    }

    private var objects: [Key: [[SQLiteValue]: Int64]] = [:]

    func knows(_ key: Key) -> Bool { objects[key] != nil }

    func object(_ key: Key, _ values: [SQLiteValue]) -> Int64? {
        objects[key]?[values.map(\.comparable)]
    }

    /// Remembers an object; of several with the same values the first counts.
    mutating func add(_ object: Int64, _ key: Key, _ values: [SQLiteValue]) {
        let values = values.map(\.comparable)
        guard objects[key, default: [:]][values] == nil else { return }
        objects[key, default: [:]][values] = object
    }

    /// Marks the objects of an entity as known; there may be none.
    mutating func begin(_ key: Key) { objects[key] = [:] }

    var isEmpty: Bool { objects.isEmpty }

    mutating func forget(table: String, except kept: Key? = nil) {
        for key in objects.keys where key.table == table && key != kept { objects[key] = nil }
    }

    mutating func forget() { objects = [:] }
}

extension SQLiteValue {
    /// The value in a form in which equal numbers are equal values.
    fileprivate var comparable: SQLiteValue {
        guard case .real(let value) = self, let integer = Int64(exactly: value) else { return self }
        return .integer(integer)
    }
}
