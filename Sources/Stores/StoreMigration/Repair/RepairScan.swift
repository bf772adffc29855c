import Diagnostics
import ObjectModel
import SQLiteAccess
import StoreFormat

/// One scan of a part of a store: what it lacks compared with its layout, and the steps that restore it.
struct RepairScan: LaidOut {
    /// The parts of a store, in the order of repair: later parts rely on earlier ones, and removing comes after all
    /// restoring.
    enum Part: CaseIterable {
        case metadata, tables, columns, numbers, objects, entities, links, values, ownerless,
            removals, keys
        case history, modelCache

        /// Whether repairing the part may uncover faults that were there before.
        var mayUncoverFaults: Bool { self == .objects || self == .entities }
    }

    let connection: SQLiteConnection
    let layout: StoreLayout
    let options: RepairOptions
    let schema: StoreSchema
    let columns: [String: Set<String>]
    var steps: [StoreRepair.Step] = []
    private(set) var obstacles: [StoreRepair.Obstacle] = []

    init(
        _ connection: SQLiteConnection,
        _ layout: StoreLayout,
        _ options: RepairOptions
    ) throws(StoreError) {
        self.connection = connection
        self.layout = layout
        self.options = options
        schema = try StoreSchema(connection)
        columns = schema.columnSets
    }

    var model: ManagedObjectModel { graph.model }

    /// Looks at a part, and records what is to be done and what needs a decision.
    mutating func scan(_ part: Part) throws(StoreError) {
        switch part {
        case .metadata: try scanMetadata()
        case .tables: try scanTables()
        case .columns: try scanColumns()
        case .numbers: try scanNumbers()
        case .objects: try scanObjects()
        case .entities: try scanEntities()
        case .links: try scanLinks()
        case .values: try scanValues()
        case .ownerless: try scanOwnerless()
        case .removals: try scanLostLinks()
        case .keys: try scanKeys()
        case .history: try scanHistory()
        case .modelCache: try scanModelCache()
        }
    }

    /// Adds a change, unless it creates something under the name of another object.
    mutating func add(_ change: SchemaChange, lost: String? = nil, curing kinds: FindingKind...) {
        if let object = holder(ofNameIn: change) {
            let problem =
                "the \(object.kind.rawValue) \(object.name) has the name of what is missing"
            return refuse(problem, "rename or remove it", advice: [], kinds)
        }
        steps.append(StoreRepair.Step(change: .schema(change), lost: lost))
    }

    /// The object that has the name of what a change creates; SQLite ignores the case of names.
    func holder(ofNameIn change: SchemaChange) -> SchemaObject? {
        var name = ProgramStep.schema(change).createdNames.first
        if case .restore(let lost) = change { name = lost.name }
        // A table that is made anew goes before, with its indexes.
        let isAnew = steps.contains {
            if case .schema(.dropTable) = $0.change.action { true } else { false }
        }
        guard !isAnew, let name = name?.lowercased() else { return nil }
        return schema.objects.first { $0.name.lowercased() == name }
    }

    mutating func add(_ change: RowChange, lost: String? = nil) {
        steps.append(StoreRepair.Step(change: .rows(change), lost: lost))
    }

    /// Writes a value into a column of the rows `t` that meet a condition.
    mutating func write(
        _ value: String,
        to column: String,
        of table: String,
        where condition: String,
        _ what: String
    ) {
        add(.write(table: table, column: column, value: value, where: condition, what: what))
    }

    mutating func refuse(_ problem: String, _ remedy: Wording, _ findings: FindingKind...) {
        refuse(problem, remedy, advice: remedy.advice, findings)
    }

    mutating func refuse(
        _ problem: String,
        _ remedy: Wording,
        advice: [Advice],
        _ findings: [FindingKind]
    ) {
        obstacles.append(
            .init(problem: problem, remedy: remedy, advice: advice, findings: findings)
        )
    }

    /// The number of rows `t` that meet a condition.
    func count(_ table: String, where condition: String = "1") throws(StoreError) -> Int64 {
        try count(of: "\(quotedIdentifier(table)) AS t WHERE \(condition)")
    }

    func count(of rows: String) throws(StoreError) -> Int64 {
        try connection.value("SELECT count(*) FROM \(rows)")?.integer ?? 0
    }

    /// The number of rows `t` that meet a condition; `nil` if there are none.
    func someRows(_ table: String, where condition: String) throws(StoreError) -> Int64? {
        let rows = try count(table, where: condition)
        return rows > 0 ? rows : nil
    }

    /// The first keys of the rows of a condition over the row `t`, such as ` (p3, p4, …)`.
    func examples(_ table: String, _ condition: String, key: String = "Z_PK") throws(StoreError)
        -> String
    {
        let limit = Diagnostic.AffectedRows.keyLimit
        let keys = try connection.rows(
            "SELECT \(key) FROM \(quotedIdentifier(table)) AS t WHERE \(condition) ORDER BY \(key) "
                + "LIMIT \(limit + 1)"
        ).compactMap(\.first?.integer)
        let list = keys.prefix(limit).map { "p\($0)" }.joined(separator: ", ")
        return " (\(list)\(keys.count > limit ? ", …" : ""))"
    }

    /// Rebuilds indexes that differ from their tables; a file with other faults is not repaired.
    ///
    /// It comes first, as an index may answer any query.
    mutating func scanIndexes() throws(StoreError) {
        let faults = try StoreFile(on: connection).integrityFaults(limit: Self.faultLimit)
        guard !faults.isEmpty else { return }
        guard var names = damagedIndexes(by: faults) else {
            return refuse(
                "the file itself is damaged: \(faults[0])",
                "save what can be read; \(.examine) shows how",
                FindingKind(.damagedDatabase, nil)
            )
        }
        let known = try connection.rows(
            "SELECT name, tbl_name FROM sqlite_master WHERE type = 'index'"
        )
        let tables = Dictionary(
            firstOf: known.compactMap { row in
                row[0].text.flatMap { name in row[1].text.map { (name, $0) } }
            }
        )
        // Faults beyond the limit may be in any index.
        if faults.count >= Self.faultLimit { names = tables.keys.sorted() }
        for name in names {
            guard let table = tables[name] else { continue }
            add(.rebuildIndex(name, of: table))
        }
    }

    private static let faultLimit = 1000
}
