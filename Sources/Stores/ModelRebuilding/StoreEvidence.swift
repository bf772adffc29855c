import ModelHashing
import ObjectModel
import SQLiteAccess
import StoreFormat

/// What a store tells of its model by its metadata, its schema and its rows.
struct StoreEvidence {
    /// An entity, from `Z_PRIMARYKEY`.
    struct EntityFacts {
        var number: Int
        var name: String
        var parent: String?
        var root: String
        var hasSubentities: Bool
        var rows = 0

        var table: String { "Z" + root.uppercased() }
    }

    /// What a column of an entity table is.
    enum Role: Equatable {
        case attribute
        /// With the number of the destination, where a column beside it tells one.
        case toOne(destination: Int?, isOrdered: Bool)
        /// A to-many relationship without inverse of another entity.
        case owner(entity: String, isOrdered: Bool)
    }

    /// A column of an entity table that a property has made.
    struct Column {
        var table: String
        var name: String
        /// The name of the property in capitals; several where a number may be a part of it.
        var texts: [String]
        var declaredType: String
        var role: Role
        /// The entity whose property it is, or its topmost one where rows do not tell.
        var owner: String
        var values = ValueFacts()
        /// How many rows of each entity, by its number, have a value.
        var presence: [Int: Int] = [:]
    }

    /// What the rows of the owner have in a column.
    struct ValueFacts {
        var present = 0
        var least: Int64?
        var greatest: Int64?
        /// Floating-point numbers that four bytes cannot hold.
        var needsDouble = false
        /// Values that are 16 bytes long.
        var uuids = 0
        /// Values that begin as one that may be in a file of its own.
        var prefixed = 0
        var samples: [Int64] = []
    }

    /// One direction of a many-to-many relationship.
    struct JoinSide {
        var owner: String
        var text: String
        var destination: String
        var isOrdered: Bool
        /// The other direction; `nil` when it is its own.
        var inverseText: String?
    }

    let store: StoreFile
    let hashes: ModelHashes
    var entities: [EntityFacts]
    var columns: [Column] = []
    var joins: [(JoinSide, JoinSide?)] = []
    /// The uniqueness constraints of each entity.
    var constraints: [String: [[String]]] = [:]
    /// The constraints within the statements of tables, as systems before indexes had names made them: the texts of
    /// columns, by the topmost entity.
    var tableConstraints: [String: [[String]]] = [:]
    /// Names of properties in their own spelling.
    var spellings: [String] = []

    func entity(_ name: String) -> EntityFacts? { entities.first { $0.name == name } }

    func entity(number: Int) -> EntityFacts? { entities.first { $0.number == number } }

    /// An entity and those above it, from the nearest.
    func lineage(of name: String) -> [String] {
        var names: [String] = []
        var next: String? = name
        while let name = next, !names.contains(name) {
            names.append(name)
            next = entity(name)?.parent
        }
        return names
    }

    init(of store: StoreFile) throws(StoreError) {
        self.store = store
        hashes = try store.metadata().hashes
        entities = Self.entities(try store.primaryKeys(), hashes)
        nameRenamed()
        let schema = try store.schema()
        for (number, count) in try store.rowCounts(of: schema) {
            guard let place = entities.firstIndex(where: { $0.number == number }) else { continue }
            entities[place].rows = count
        }
        readNames(schema)
        let indexes = Set(schema.filter { $0.kind == .index }.map(\.name))
        for root in entities where root.parent == nil {
            guard schema.contains(where: { $0.name == root.table && $0.isEntityTable }) else {
                continue
            }
            try readColumns(of: root, indexes)
        }
        readJoins(schema)
    }

    private static func entities(
        _ rows: [PrimaryKeyRow],
        _ hashes: ModelHashes
    ) -> [EntityFacts] {
        // History has numbers of its own, far above.
        let rows = rows.filter { $0.number > 0 && $0.number < 16_000 }
        let names = Dictionary(rows.map { ($0.number, $0.name) }, uniquingKeysWith: { a, _ in a })
        let parents = Dictionary(
            rows.map { ($0.number, $0.superNumber) },
            uniquingKeysWith: { a, _ in a }
        )
        var known: Set<String> = []
        return rows.filter { known.insert($0.name).inserted }.map { row in
            var root = row.number
            for _ in 0..<1000 {
                guard let parent = parents[root], parent > 0, parent < root else { break }
                root = parent
            }
            return EntityFacts(
                number: Int(row.number),
                name: row.name,
                parent: row.superNumber < row.number ? names[row.superNumber] : nil,
                root: names[root] ?? row.name,
                hasSubentities: rows.contains { $0.superNumber == row.number }
            )
        }
    }

    /// A migration that renames an entity leaves its old name in `Z_PRIMARYKEY` (SQLiteStores, "Traces of
    /// migration").
    private mutating func nameRenamed() {
        let old = entities.map(\.name).filter { hashes.entities[$0] == nil }
        let new = hashes.entityNames.filter { name in !entities.contains { $0.name == name } }
        // Of several it is unknown which became which.
        guard old.count == 1, new.count == 1 else { return }
        for place in entities.indices {
            if entities[place].name == old[0] { entities[place].name = new[0] }
            if entities[place].parent == old[0] { entities[place].parent = new[0] }
            if entities[place].root == old[0] { entities[place].root = new[0] }
        }
    }

    private mutating func readColumns(
        of root: EntityFacts,
        _ indexes: Set<String>
    ) throws(StoreError) {
        let table = root.table
        let own = try store.connection.columns(of: table)
        let names = Set(own.map(\.name))
        let counts = try presence(in: table, names)
        var previous: [String: String] = [:]
        for (name, type) in own.map({ ($0.name, $0.type) }) where isProperty(name, names) {
            let isKey = type == "INTEGER" && indexes.contains("\(table)_\(name)_INDEX")
            let (role, text) = role(of: name, isKey: isKey, names)
            let group = role == .attribute ? type : "INTEGER"
            let holders = counts.filter { ($0.value[name] ?? 0) > 0 }.keys
            let owner =
                root.hasSubentities
                ? holder(of: holders) ?? previous[group] ?? root.name : root.name
            previous[group] = owner
            var texts = [text]
            let base = String(text.reversed().drop { $0.isNumber }.reversed())
            if base != text, names.contains("Z" + base) { texts.insert(base, at: 0) }
            var column = Column(
                table: table,
                name: name,
                texts: texts,
                declaredType: type,
                role: role,
                owner: owner
            )
            column.presence = counts.compactMapValues { $0[name] }.filter { $0.value > 0 }
            column.values = try values(of: column)
            columns.append(column)
        }
    }

    /// Whether a property has made a column: the entity of a destination stands beside its key, such as `Z4_OWNER`.
    private func isProperty(_ name: String, _ names: Set<String>) -> Bool {
        guard name.hasPrefix("Z"), name.count > 1, !Self.ownColumns.contains(name) else {
            return false
        }
        // What keeps the order of a relationship; a name may begin with `_`, too.
        if name.hasPrefix("Z_FOK_"), names.contains("Z" + name.dropFirst(6)) { return false }
        let rest = name.dropFirst().drop { $0.isNumber }
        let isBeside = rest.count < name.count - 1 && rest.hasPrefix("_")
        return !(isBeside && names.contains("Z" + rest.dropFirst()))
    }

    /// The columns of every table.
    private static let ownColumns: Set<String> = ["Z_PK", "Z_ENT", "Z_OPT"]

    /// What a column is, and the name of its property in capitals.
    private func role(
        of name: String,
        isKey: Bool,
        _ names: Set<String>
    ) -> (role: Role, text: String) {
        let text = String(name.dropFirst())
        let number = text.prefix { $0.isNumber }
        let isOrdered = names.contains("Z_FOK_" + text)
        if isKey, let owner = Int(number).flatMap({ entity(number: $0) }) {
            let role = Role.owner(entity: owner.name, isOrdered: isOrdered)
            return (role, String(text.dropFirst(number.count)))
        }
        guard isKey || isOrdered else { return (.attribute, text) }
        let destination = names.lazy.compactMap { other -> Int? in
            guard other.hasSuffix("_\(text)"), other.hasPrefix("Z") else { return nil }
            return Int(other.dropFirst().dropLast(text.count + 1))
        }.first
        return (.toOne(destination: destination, isOrdered: isOrdered), text)
    }

    /// Counts the values of all columns by the entities of their rows; under an empty name, the rows.
    private func presence(
        in table: String,
        _ names: Set<String>
    ) throws(StoreError) -> [Int: [String: Int]] {
        let list = names.filter { isProperty($0, names) }.sorted()
        var counts: [Int: [String: Int]] = [:]
        // SQLite takes only so many columns.
        for start in stride(from: 0, to: max(list.count, 1), by: 500) {
            let part = list[start..<min(start + 500, list.count)]
            let sums = part.map { ", COUNT(\(quotedIdentifier($0)))" }.joined()
            let sql =
                "SELECT Z_ENT, COUNT(*)\(sums) FROM \(quotedIdentifier(table)) GROUP BY Z_ENT"
            for row in try store.connection.rows(sql) {
                guard let number = row[0].integer.map({ Int(clamping: $0) }) else { continue }
                counts[number, default: [:]][""] = row[1].integer.map { Int(clamping: $0) }
                for (name, count) in zip(part, row.dropFirst(2)) {
                    counts[number, default: [:]][name] = count.integer.map { Int(clamping: $0) }
                }
            }
        }
        return counts
    }

    /// The nearest entity that all have in common whose rows hold values; `nil` when no row does.
    func holder(of numbers: some Collection<Int>) -> String? {
        let holders = entities.filter { numbers.contains($0.number) }.map(\.name)
        guard let first = holders.first else { return nil }
        var common = lineage(of: first)
        for holder in holders.dropFirst() {
            let own = Set(lineage(of: holder))
            common.removeAll { !own.contains($0) }
        }
        return common.first
    }

    /// Whether some row of an entity, or of one below it, has no value in a column.
    func isPartial(_ column: Column, of owner: String) -> Bool {
        entities.contains { entity in
            (column.presence[entity.number] ?? 0) < entity.rows
                && lineage(of: entity.name).contains(owner)
        }
    }

    private func values(of column: Column) throws(StoreError) -> ValueFacts {
        var facts = ValueFacts()
        facts.present = column.presence.values.reduce(0, +)
        guard facts.present > 0 else { return facts }
        let (value, table) = (quotedIdentifier(column.name), quotedIdentifier(column.table))
        switch column.declaredType {
        case "INTEGER":
            let row = try store.connection.rows("SELECT MIN(\(value)), MAX(\(value)) FROM \(table)")
            facts.least = row.first?[0].integer
            facts.greatest = row.first?[1].integer
            facts.samples = try store.connection.rows(
                "SELECT DISTINCT \(value) FROM \(table) WHERE \(value) NOT NULL LIMIT 200"
            ).compactMap(\.first?.integer)
        case "FLOAT":
            let sql = "SELECT \(value) FROM \(table) WHERE typeof(\(value)) = 'real' LIMIT 1000"
            for row in try store.connection.rows(sql) {
                guard case .real(let number)? = row.first else { continue }
                if Double(Float(number)) != number { facts.needsDouble = true }
            }
        case "BLOB":
            let row = try store.connection.rows(
                "SELECT TOTAL(length(\(value)) = 16), "
                    + "TOTAL(substr(\(value), 1, 1) IN (x'01', x'02')) FROM \(table)"
            ).first
            if case .real(let count)? = row?[0] { facts.uuids = Int(count) }
            if case .real(let count)? = row?[1] { facts.prefixed = Int(count) }
        default: break
        }
        return facts
    }
}
