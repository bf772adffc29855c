import Diagnostics
import ModelHashing
public import ObjectModel
public import SQLiteAccess
public import StoreFormat

/// What can be made right in a damaged store without inventing anything, worked out and not yet done.
///
/// Missing tables, columns, indexes, triggers and numbers come back, keys and counters that are wrong are worked out
/// anew, and links that one side still knows are written on the other. Where a value would have to be invented, it is
/// asked for by name.
///
/// ```swift
/// let repair = try StoreRepair(of: StoreFile(path: "Shop.sqlite"), against: model)
/// for step in repair.steps { print(step.purpose) }
/// try repair.run(inPlace: "Shop.sqlite", backup: "Before.sqlite")
/// ```
public struct StoreRepair: Sendable {
    /// A repair.
    public struct Step: Sendable, Hashable {
        /// What it does, as `add the column ZNAME to ZBOOK`; lower case, no final period.
        public var purpose: String
        /// What is lost for good, although nothing is invented; `nil` when nothing is.
        public var lost: String?
        /// The statements, in order.
        package var statements: [String]
    }

    /// Something that cannot be made right as it is.
    public struct Obstacle: Sendable, Hashable {
        /// What is wrong; lower case, no final period.
        public var problem: String
        /// What to give, or to do.
        public var remedy: String
        /// The attribute whose value is asked for, as `Book.title`; `nil` when something else is needed.
        public var asksFor: String?
    }

    /// What is done, in order.
    public internal(set) var steps: [Step] = []
    /// What cannot be done.
    public internal(set) var obstacles: [Obstacle] = []
    /// Whether the model cache is written anew.
    let writesModelCache: Bool
    private let model: ManagedObjectModel
    /// The tables of entities that are there, of which no step takes a row.
    private var entityTables: [String] = []

    /// Works out what can be repaired; the store is only read.
    ///
    /// - Parameters:
    ///   - store: the store, open for reading.
    ///   - model: the model whose version it has.
    ///   - values: values for attributes that have none, by their names as `Book.title`.
    ///   - clearsLinks: whether links that lead nowhere are taken away.
    ///   - historyStart: the moment before which persistent history is taken away, in seconds since 2001-01-01; `nil`
    ///     to keep all of it.
    ///   - progress: is called now and then with the parts of the store that are looked at, and all that there are.
    /// - Throws: ``StoreError`` when the store cannot be read.
    public init(
        of store: StoreFile,
        against model: ManagedObjectModel,
        values: [String: AttributeValue] = [:],
        clearsLinks: Bool = false,
        historyStart: Double? = nil,
        progress: ((_ done: Int, _ total: Int) -> Void)? = nil
    ) throws(StoreError) {
        self.model = model
        let metadata = try store.metadata()
        let schema = try StoreSchema(store.connection)
        let layout = storedLayout(of: model, metadata, schema.objects)
        let isOfModel = metadata.hashes == versionHashes(of: model)
        writesModelCache = isOfModel && Self.hasStaleModelCache(store)
        guard isOfModel else {
            obstacles = [
                Obstacle(
                    problem: "the store was made with another version of the model",
                    remedy: "name the version that wrote it; momtool identify says which one did"
                )
            ]
            return
        }
        var builder = RepairBuilder(
            store: store,
            model: model,
            layout: layout,
            schema: schema,
            values: values,
            clearsLinks: clearsLinks
        )
        builder = try store.connection.telling(progress, of: builder.partCount) {
            [builder] isDone throws(StoreError) in
            var builder = builder
            try builder.build(isDone)
            if let historyStart { try builder.pruneHistory(before: historyStart) }
            return builder
        }
        (steps, obstacles) = (builder.steps, builder.obstacles)
        if writesModelCache {
            steps.append(Step(purpose: "write the model cache again", statements: []))
        }
        entityTables = layout.tables.map(\.name).filter(schema.hasTable)
        setTriggersAside(schema, layout)
    }

    /// Sets triggers aside that are not Core Data's while anything is repaired: what they do is not part of it.
    private mutating func setTriggersAside(_ schema: StoreSchema, _ layout: StoreLayout) {
        let own = Set((layout.triggers + layout.spatialIndexes.flatMap(\.triggers)).map(\.sql))
        let foreign = schema.triggers.filter { !own.contains($0.sql) && $0.sql.isTriggerStatement }
        guard !steps.isEmpty, !foreign.isEmpty else { return }
        let asides = foreign.map { trigger in
            Step(
                purpose: "set the trigger \(trigger.name) aside",
                statements: [SchemaChange.dropTrigger(trigger.name, of: trigger.table).sql]
            )
        }
        let returns = foreign.map { trigger in
            Step(purpose: "put the trigger \(trigger.name) back", statements: [trigger.sql])
        }
        steps = asides + steps + returns
    }

    /// Whether there is nothing to repair.
    public var isEmpty: Bool { steps.isEmpty && obstacles.isEmpty }

    /// Repairs a copy of the store; the store itself is only read.
    ///
    /// - Parameters:
    ///   - store: the store that the repair was worked out for.
    ///   - path: the path of the new file, where nothing may be yet.
    ///   - cancellation: stops the repair from elsewhere; `nil` when nothing does.
    ///   - progress: is called now and then with the steps that are done, and all that there are.
    /// - Throws: `StoreMigrationError`; then there is no new file.
    public func run(
        from store: StoreFile,
        toNewFile path: String,
        cancellation: MigrationCancellation? = nil,
        progress: ((_ done: Int, _ total: Int) -> Void)? = nil
    ) throws(StoreMigrationError) {
        try migrateCopy(of: store, toNewFile: path, cancellation) {
            connection throws(StoreMigrationError) in
            try run(on: connection, cancellation, progress)
        }
    }

    /// Repairs the store where it is, in one transaction.
    ///
    /// - Parameters:
    ///   - path: the path of the store that the repair was worked out for.
    ///   - backup: a path for a copy of the store as it was, where nothing may be yet; `nil` for none.
    ///   - cancellation: stops the repair from elsewhere; `nil` when nothing does.
    ///   - progress: is called now and then with the steps that are done, and all that there are.
    /// - Throws: `StoreMigrationError`; then the store is as it was.
    public func run(
        inPlace path: String,
        backup: String?,
        cancellation: MigrationCancellation? = nil,
        progress: ((_ done: Int, _ total: Int) -> Void)? = nil
    ) throws(StoreMigrationError) {
        try migrateInPlace(path: path, backup: backup, cancellation) {
            connection throws(StoreMigrationError) in
            try run(on: connection, cancellation, progress)
        }
    }

    private func run(
        on connection: SQLiteConnection,
        _ cancellation: MigrationCancellation?,
        _ progress: ((_ done: Int, _ total: Int) -> Void)?
    ) throws(StoreMigrationError) {
        let deadline = ScriptDeadline(cancellation)
        do throws(StoreMigrationError) {
            try carryOut(on: connection, deadline, progress)
            try deadline.check("the repair")
        } catch {
            try deadline.check("the repair")
            throw error
        }
    }

    private func carryOut(
        on connection: SQLiteConnection,
        _ deadline: ScriptDeadline,
        _ progress: ((_ done: Int, _ total: Int) -> Void)?
    ) throws(StoreMigrationError) {
        // The check of the whole file is the last step.
        try connection.telling(progress, of: steps.count + 1, stoppingWhen: { deadline.hasPassed })
        {
            isDone throws(StoreMigrationError) in
            let counts = try storeErrors { () throws(StoreError) in
                // The statements are the layout's own: triggers may write to the tables of spatial indexes.
                try connection.execute("PRAGMA trusted_schema = ON")
                let counts = try rowCounts(on: connection)
                for (place, step) in steps.enumerated() {
                    for sql in step.statements { try connection.execute(sql) }
                    isDone(place + 1)
                }
                if writesModelCache {
                    try replaceModelCache(by: ModelCache(of: model), on: connection)
                }
                try connection.execute("PRAGMA trusted_schema = OFF")
                return (counts, try rowCounts(on: connection))
            }
            for (index, table) in entityTables.enumerated() where counts.0[index] != counts.1[index]
            {
                throw .checkFailed(
                    path: connection.path,
                    subject: "the number of rows of \(table)",
                    expected: "\(counts.0[index])",
                    found: "\(counts.1[index])"
                )
            }
            try checkFile("integrity_check", on: connection)
        }
    }

    /// The rows of each table of entities.
    private func rowCounts(on connection: SQLiteConnection) throws(StoreError) -> [Int64] {
        try entityTables.map { table throws(StoreError) in
            let sql = "SELECT count(*) FROM \(quotedIdentifier(table))"
            return try connection.value(sql)?.integer ?? 0
        }
    }

    /// Whether the store has a place for its model, and nothing in it that can be read.
    private static func hasStaleModelCache(_ store: StoreFile) -> Bool {
        guard
            (try? store.connection.value(
                "SELECT count(*) FROM sqlite_master WHERE name = 'Z_MODELCACHE'"
            )?.integer) == 1
        else { return false }
        guard let archive = try? store.modelArchive() else { return true }
        return archive.isEmpty
    }
}
