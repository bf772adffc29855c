import Essentials
import ModelLanguage
import ObjectModel
import RowExchange
import SQLiteAccess
import StoreFormat

/// Finds what a store lacks against its layout, and the statements that bring it back.
struct RepairBuilder {
    let store: StoreFile
    let model: ManagedObjectModel
    let layout: StoreLayout
    let schema: StoreSchema
    /// Values for attributes that have none.
    let values: [String: AttributeValue]
    let clearsLinks: Bool
    var steps: [StoreRepair.Step] = []
    var obstacles: [StoreRepair.Obstacle] = []
    let graph: ModelGraph
    /// The columns that the store will have when the steps so far are done.
    var columns: [String: Set<String>]

    init(
        store: StoreFile,
        model: ManagedObjectModel,
        layout: StoreLayout,
        schema: StoreSchema,
        values: [String: AttributeValue],
        clearsLinks: Bool
    ) {
        self.store = store
        self.model = model
        self.layout = layout
        self.schema = schema
        self.values = values
        self.clearsLinks = clearsLinks
        graph = ModelGraph(model)
        columns = schema.columns.mapValues { Set($0) }
    }

    private enum Part {
        case tables, keys, indexes, triggers
        case columns(EntityTable), joinColumns(JoinTable)
        case links(Entity), joinLinks(JoinTable)
    }

    /// What is looked at, in order; what comes later relies on the columns that earlier parts add.
    private var parts: [Part] {
        let tables = layout.tables.filter { schema.hasTable($0.name) }
        let joins = layout.joinTables.filter { schema.hasTable($0.name) }
        return [.tables] + tables.map(Part.columns) + joins.map(Part.joinColumns) + [.keys]
            + model.entities.map(Part.links) + joins.map(Part.joinLinks) + [.indexes, .triggers]
    }

    private mutating func look(at part: Part) throws(StoreError) {
        switch part {
        case .tables: try addTables()
        case .columns(let table): try addColumns(of: table)
        case .joinColumns(let join): addColumns(of: join)
        case .keys: try addPrimaryKeys()
        case .links(let entity): try repairLinks(of: entity)
        case .joinLinks(let join): try clearLinks(of: join)
        case .indexes: try addIndexes()
        case .triggers: addTriggers()
        }
    }

    /// The number of parts that ``build(_:)`` looks at.
    var partCount: Int { parts.count }

    /// Looks at the store, part by part; says how many are done.
    mutating func build(_ isDone: (Int) -> Void) throws(StoreError) {
        for (place, part) in parts.enumerated() {
            try look(at: part)
            isDone(place + 1)
        }
    }

    mutating func add(_ purpose: String, lost: String? = nil, _ statements: String...) {
        steps.append(StoreRepair.Step(purpose: purpose, lost: lost, statements: statements))
    }

    mutating func refuse(_ problem: String, _ remedy: String, asksFor: String? = nil) {
        obstacles.append(
            StoreRepair.Obstacle(problem: problem, remedy: remedy, asksFor: asksFor)
        )
    }

    func count(_ sql: String) throws(StoreError) -> Int64 {
        try store.connection.value("SELECT count(*) FROM " + sql)?.integer ?? 0
    }

    /// Whether the store has all columns.
    func has(_ table: String, _ names: [String]) -> Bool {
        schema.columns[table].map { Set($0).isSuperset(of: names) } ?? false
    }

    /// The condition that a row is of an entity or one below it.
    func isKind(of entity: String, row: String = "") -> String {
        let numbers = layout.numbers(ofHierarchy: entity)
        return "\(row)Z_ENT BETWEEN \(numbers.first ?? 0) AND \(numbers.last ?? 0)"
    }

    private mutating func addTables() throws(StoreError) {
        let joins = layout.joinTables.map { ($0.name, $0.createSQL, $0.columnNames, "links") }
        let tables = layout.tables.map {
            ($0.name, $0.createSQL, $0.columns.map(\.name), "objects")
        }
        for (name, sql, names, what) in tables + joins where !schema.hasTable(name) {
            if let needed = try requiredLinks(in: name) {
                refuse(
                    "the table \(name) is missing, and the links of '\(needed)' in it are required",
                    "restore the store from a backup: nothing tells where they led"
                )
                continue
            }
            add("create the table \(name), empty", lost: "its \(what) were already lost", sql)
            columns[name] = Set(names)
        }
    }

    /// A to-many relationship of objects that are there, which must not be empty and whose links a table holds.
    private func requiredLinks(in table: String) throws(StoreError) -> String? {
        for entity in model.entities {
            guard let owner = layout.table(of: entity.name),
                schema.columns[owner.name]?.contains("Z_ENT") == true
            else { continue }
            for relationship in entity.relationships
            where relationship.isToMany && !relationship.isOptional
                && relationship.minCount ?? 0 > 0
            {
                let storage = layout.storage(of: relationship.name, declaredBy: entity.name)
                switch storage {
                case .inverseForeignKey(table, _, _, _)?, .joinTable(table, _, _, _)?,
                    .ownerColumn(table, _, _)?:
                    let rows = "\(quotedIdentifier(owner.name)) WHERE \(isKind(of: entity.name))"
                    if try count(rows) > 0 { return "\(entity.name).\(relationship.name)" }
                default: break
                }
            }
        }
        return nil
    }

    private mutating func addColumns(of join: JoinTable) {
        let present = columns[join.name] ?? []
        guard present.isSuperset(of: [join.first.name, join.second.name]) else {
            refuse(
                "the table \(join.name) lacks a column of its links",
                "restore the links from a backup: DROP TABLE \(quotedIdentifier(join.name)), then"
                    + " repair creates it empty"
            )
            return
        }
        for side in [join.first, join.second] {
            guard let key = side.orderKey, !present.contains(key) else { continue }
            let other = side.name == join.first.name ? join.second : join.first
            let table = quotedIdentifier(join.name)
            add(
                "add the column \(key) to \(join.name), with an order by key",
                lost: "the order of \(side.leadsThrough.entity).\(side.leadsThrough.name)",
                "ALTER TABLE \(table) ADD COLUMN \(quotedIdentifier(key)) INTEGER",
                numbering(join.name, key, of: other.name, rowKey: "rowid")
            )
            columns[join.name]?.insert(key)
        }
    }

    /// The statement that numbers the rows of each owner anew, in the steps that Core Data takes.
    func numbering(_ table: String, _ key: String, of owner: String, rowKey: String) -> String {
        let (table, key, owner) = (
            quotedIdentifier(table), quotedIdentifier(key), quotedIdentifier(owner)
        )
        return "UPDATE \(table) SET \(key) = p.place FROM (SELECT \(rowKey) AS id, "
            + "1024 * (1 + row_number() OVER (PARTITION BY \(owner) ORDER BY \(key), \(rowKey))) "
            + "AS place FROM \(table) WHERE \(owner) NOT NULL) AS p WHERE \(table).\(rowKey) = p.id"
    }

    private mutating func addPrimaryKeys() throws(StoreError) {
        let rows = try store.primaryKeys()
        let known = Dictionary(
            rows.map { ($0.number, $0) },
            uniquingKeysWith: { first, _ in first }
        )
        for entity in layout.entities {
            let table = layout.table(of: entity.rootName)?.name ?? ""
            let hasRows = entity.superNumber == 0 && columns[table]?.contains("Z_PK") == true
            let greatest =
                hasRows && schema.hasTable(table)
                ? "(SELECT COALESCE(max(Z_PK), 0) FROM \(quotedIdentifier(table)))" : "0"
            guard let row = known[Int64(entity.number)] else {
                add(
                    "give '\(entity.name)' its number \(entity.number) in Z_PRIMARYKEY",
                    "INSERT INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES "
                        + "(\(entity.number), \(quotedText(entity.name)), \(entity.superNumber), "
                        + "\(greatest))"
                )
                continue
            }
            guard row.superNumber == entity.superNumber, row.name == entity.name || isFree(row)
            else {
                refuse(
                    "number \(entity.number) of '\(entity.name)' belongs to '\(row.name)'",
                    "restore the store from a backup; its rows may be of either entity"
                )
                continue
            }
            guard hasRows, schema.hasTable(table) else { continue }
            let maximum = try store.connection.value(
                "SELECT max(Z_PK) FROM \(quotedIdentifier(table))"
            )?.integer
            if let maximum, maximum > row.maximumKey {
                add(
                    "raise Z_MAX of '\(entity.name)' from \(row.maximumKey) to \(maximum)",
                    "UPDATE Z_PRIMARYKEY SET Z_MAX = \(maximum) WHERE Z_ENT = \(entity.number)"
                )
            }
        }
    }

    /// Whether the name of a row is that of no entity, as one that a migration renamed leaves it.
    private func isFree(_ row: PrimaryKeyRow) -> Bool {
        !layout.entities.contains { $0.name == row.name }
    }

    private mutating func addIndexes() throws(StoreError) {
        let present = Set(schema.indexes.map(\.name))
        for index in layout.indexes where !present.contains(index.name) {
            if index.isUnique, try hasDuplicates(under: index) {
                refuse(
                    "rows have equal values, which the unique index \(index.name) does not allow",
                    "momtool verify lists the rows; make their values different"
                )
                continue
            }
            add("create the index \(index.name)", index.sql)
        }
        let objects = Set(schema.columns.keys).union(schema.triggers.map(\.name))
        for index in layout.spatialIndexes {
            let hasTable = objects.contains(index.name)
            if !hasTable {
                add("create the spatial index \(index.name)", index.createSQL, index.fillSQL)
            }
            for trigger in index.triggers where !objects.contains(trigger.name) {
                add("create the trigger \(trigger.name)", trigger.sql)
            }
        }
    }

    private func hasDuplicates(under index: StoreIndex) throws(StoreError) -> Bool {
        let unique = layout.entities.lazy.flatMap { entity in
            (graph.entity(entity.name)?.uniquenessConstraints ?? []).compactMap {
                layout.columns(of: $0.properties, in: entity.name).map { (entity.name, $0) }
            }
        }.first { entity, names in
            layout.table(of: entity)?.name == index.table
                && names.allSatisfy { index.sql.contains(quotedIdentifier($0)) }
        }
        guard let (entity, names) = unique, let stored = schema.columns[index.table],
            Set(stored).isSuperset(of: names)
        else { return false }
        let list = names.map(quotedIdentifier)
        let condition = list.map { " AND \($0) NOT NULL" }.joined()
        return try count(
            "(SELECT 1 FROM \(quotedIdentifier(index.table)) WHERE \(isKind(of: entity))\(condition) "
                + "GROUP BY \(list.joined(separator: ", ")) HAVING count(*) > 1)"
        ) > 0
    }

    /// Takes persistent history away that is older than a moment, as Core Data does when an app asks it to.
    mutating func pruneHistory(before moment: Double) throws(StoreError) {
        guard schema.hasTable("ATRANSACTION"), schema.hasTable("ACHANGE") else { return }
        let old = "ATRANSACTION WHERE ZTIMESTAMP < \(moment)"
        let transactions = try count(old)
        guard transactions > 0 else { return }
        let changes = "ACHANGE WHERE ZTRANSACTIONID IN (SELECT Z_PK FROM \(old))"
        add(
            "remove \(transactions.counted("old transaction")) with \(try count(changes).counted("change")) from the history",
            lost: "those that CloudKit or an extension has not read yet",
            "DELETE FROM \(changes)",
            "DELETE FROM \(old)"
        )
    }

    private mutating func addTriggers() {
        let present = Set(schema.triggers.map(\.name))
        for trigger in layout.triggers where !present.contains(trigger.name) {
            add("create the trigger \(trigger.name)", trigger.sql)
        }
    }
}
