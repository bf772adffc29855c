import ObjectModel
import StoreFormat

/// The keys of the rows of a text, by entity and `@id`.
///
/// `p12` gets the key 12, so that an export keeps its keys; every other `@id` gets a key beyond the greatest of these.
/// Entities of one hierarchy share their keys, as they share a table.
struct RowIdentifiers {
    private struct Hierarchy {
        var taken = KeySet()
        var greatest: Int64 = 0
        var others: Int64 = 0
    }

    private struct Group {
        var root: Int
        /// The entity itself, then its sub-entities.
        var members: [Int]
        var numbered = KeySet()
        /// The rows with other texts, counted through their hierarchy from 1.
        var named: [[UInt8]: Int64] = [:]
    }

    private var hierarchies: [Hierarchy]
    private var groups: [Group]

    init(_ layout: StoreLayout) {
        let roots = Dictionary(firstOf: layout.tables.enumerated().map { ($1.rootEntity, $0) })
        hierarchies = Array(repeating: Hierarchy(), count: layout.tables.count)
        groups = layout.entities.map { entity in
            Group(
                root: roots[entity.rootName] ?? 0,
                members: layout.numbers(ofHierarchy: entity.name).map { $0 - 1 }
            )
        }
    }

    /// Adds a row of an entity; `false` when its text is already used.
    mutating func add(_ text: UnsafeRawBufferPointer, to entity: Int) -> Bool {
        let root = groups[entity].root
        if let key = ownKey(text) {
            if groups[entity].numbered.contains(key) { return false }
            if hierarchies[root].taken.insert(key) {
                groups[entity].numbered.insert(key)
                hierarchies[root].greatest = max(hierarchies[root].greatest, key)
                return true
            }
        }
        let name = Array(text)
        guard groups[entity].named[name] == nil else { return false }
        hierarchies[root].others += 1
        groups[entity].named[name] = hierarchies[root].others
        return true
    }

    func key(_ text: UnsafeRawBufferPointer, of entity: Int) -> Int64? {
        if let key = ownKey(text), groups[entity].numbered.contains(key) { return key }
        guard !groups[entity].named.isEmpty,
            let place = groups[entity].named[Array(text)]
        else { return nil }
        return hierarchies[groups[entity].root].greatest + place
    }

    /// Finds the row of a reference: one of the entity, or the only one of a sub-entity.
    func find(_ text: UnsafeRawBufferPointer, of entity: Int) -> (entity: Int, key: Int64)? {
        if let key = key(text, of: entity) { return (entity, key) }
        let found = groups[entity].members.dropFirst().compactMap { member in
            key(text, of: member).map { (member, $0) }
        }
        return found.count == 1 ? found[0] : nil
    }

    mutating func makeKey(for entity: Int) -> Int64 {
        let root = groups[entity].root
        hierarchies[root].others += 1
        return hierarchies[root].greatest + hierarchies[root].others
    }

    func greatestKey(ofHierarchy root: Int) -> Int64 {
        hierarchies[root].greatest + hierarchies[root].others
    }

    func names(of layout: StoreLayout) -> [String: String] {
        var names: [String: String] = [:]
        for (group, entity) in zip(groups, layout.entities) {
            for key in group.numbered.keys {
                names["\(entity.name)/p\(key)"] = "\(entity.name)/p\(key)"
            }
            let greatest = hierarchies[group.root].greatest
            for (text, place) in group.named {
                let name = String(decoding: text, as: UTF8.self)
                names["\(entity.name)/p\(greatest + place)"] = "\(entity.name)/\(name)"
            }
        }
        return names
    }

    private func ownKey(_ text: UnsafeRawBufferPointer) -> Int64? {
        guard text.count > 1, text.count < 20, text[0] == UInt8(ascii: "p"),
            text[1] != UInt8(ascii: "0")
        else { return nil }
        var key: Int64 = 0
        for byte in text.dropFirst() {
            guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { return nil }
            key = key * 10 + Int64(byte - UInt8(ascii: "0"))
        }
        // The keys that are counted on from it stay below the limit, too.
        return key < keyLimit / 2 ? key : nil
    }
}

/// A set of keys, most of which are consecutive.
struct KeySet {
    private var words: [Int64: UInt64] = [:]

    func contains(_ key: Int64) -> Bool {
        words[key >> 6, default: 0] & (1 << UInt64(key & 63)) != 0
    }

    /// The keys, in no order.
    var keys: [Int64] {
        words.flatMap { word, bits in
            (0..<64).filter { bits & (1 << UInt64($0)) != 0 }.map { word << 6 | Int64($0) }
        }
    }

    @discardableResult
    mutating func insert(_ key: Int64) -> Bool {
        let bit: UInt64 = 1 << UInt64(key & 63)
        let isNew = words[key >> 6, default: 0] & bit == 0
        words[key >> 6, default: 0] |= bit
        return isNew
    }
}
