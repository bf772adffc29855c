import Diagnostics
import FileSystem
import Foundation
import MappingInference
public import MigrationPlanning
import ModelHashing
import ObjectModel
import SQLiteAccess
public import StoreFormat

/// A migration of one store by a list of stages, planned and not yet done.
public struct StagedStoreMigration: Sendable {
    /// The stages.
    public let manager: StagedMigrationManager
    /// The work of custom stages, by their places in the list.
    public let works: [Int: CustomStageWork]
    /// The code that mapping models call by name.
    public let policies: MigrationPolicies
    /// What is done, in order.
    public let plan: StagedPlan

    /// Plans the migration of a store.
    ///
    /// - Parameters:
    ///   - store: the store, open for reading.
    ///   - manager: the stages.
    ///   - works: the work of custom stages, by their places in the list; it decides which parts a stage has.
    ///   - policies: the code that mapping models call by name.
    ///   - target: the checksum of the version that the store shall get; `nil` for the last one listed.
    ///   - semantics: how the list is walked.
    /// - Throws: `StoreMigrationError` when the stages do not lead there.
    public init(
        of store: StoreFile,
        by manager: StagedMigrationManager,
        works: [Int: CustomStageWork] = [:],
        policies: MigrationPolicies = MigrationPolicies(),
        to target: String? = nil,
        semantics: StageSemantics = .apple
    ) throws(StoreMigrationError) {
        var manager = manager
        for (place, stage) in manager.stages.enumerated() {
            guard case .custom(var custom) = stage else { continue }
            custom.parts = works[place]?.parts ?? []
            manager.stages[place] = .custom(custom)
        }
        self.manager = manager
        self.works = works
        self.policies = policies
        let hashes = try storeErrors { () throws(StoreError) in try store.metadata().hashes }
        let last = manager.stages.last?.versions.last?.versionChecksum ?? hashes.checksum
        do throws(StagedPlanError) {
            plan = try manager.plan(
                from: hashes.checksum,
                to: target ?? last,
                semantics: semantics
            )
        } catch {
            throw .stages(error)
        }
        try requirePolicies()
    }

    /// Refuses to begin what cannot be carried out, because a mapping names code that is not there.
    private func requirePolicies() throws(StoreMigrationError) {
        for step in plan.steps {
            guard case .map(_, let stage) = step, let map = works[stage]?.map else { continue }
            let missing = Set(map.entities.compactMap(\.policyName)).subtracting(policies.names)
            guard missing.isEmpty else {
                let faults = missing.sorted().map { name in
                    let message = "no Swift policy is registered under the name '\(name)'"
                    return Diagnostic("unregistered-policy", message)
                }
                throw .map(stage: title(of: step), faults)
            }
        }
    }

    /// Migrates a copy of the store into a new file; the store itself is only read.
    ///
    /// - Throws: `StoreMigrationError`; then there is no new file.
    public func run(
        from store: StoreFile,
        toNewFile path: String,
        options: StagedRunOptions = StagedRunOptions()
    ) throws(StoreMigrationError) {
        var options = options
        options.run.checksWholeFile = true
        try migrateCopy(of: store, toNewFile: path) { connection throws(StoreMigrationError) in
            try run(on: connection, of: store.path, options)
        }
    }

    /// Migrates the store where it is: all stages in one transaction.
    ///
    /// To leave each intermediate store the stages are carried out on a copy first, because SQLite copies nothing out
    /// of an open transaction.
    ///
    /// - Throws: `StoreMigrationError`; then the store is as it was.
    public func runInPlace(
        path: String,
        backup: String? = nil,
        options: StagedRunOptions = StagedRunOptions()
    ) throws(StoreMigrationError) {
        var options = options
        if options.stagesFolder != nil {
            try rehearse(path, options)
            options.stagesFolder = nil
        }
        try migrateInPlace(path: path, backup: backup) {
            connection throws(StoreMigrationError) in
            try run(on: connection, of: path, options)
        }
    }

    private func rehearse(
        _ path: String,
        _ options: StagedRunOptions
    ) throws(StoreMigrationError) {
        let store = try storeErrors { () throws(StoreError) in try StoreFile(path: path) }
        let folder = try storeErrors { () throws(StoreError) in
            try fileErrors { () throws(FileError) in try TemporaryFolder() }
        }
        let copy = folder.url.appending(path: "Rehearsal.sqlite").path
        try workOnCopy(of: store, at: copy, reportedPath: path) {
            connection throws(StoreMigrationError) in
            try run(on: connection, of: path, options)
        }
    }

    /// What a step does, for people.
    public func title(of step: StagedStep) -> String {
        switch step {
        case .migrate(let plan, let stage):
            let step = "\(plan.source.name) → \(plan.destination.name)"
            return stage.map { "\(manager.stages[$0].title): \(step)" } ?? "lightweight \(step)"
        case .map(let plan, let stage):
            return "\(manager.stages[stage].title): map \(plan.source.name) → "
                + plan.destination.name
        case .willMigrate(_, let stage): return "\(manager.stages[stage].title): before the step"
        case .didMigrate(_, let stage): return "\(manager.stages[stage].title): after the step"
        }
    }

    private func run(
        on connection: SQLiteConnection,
        of path: String,
        _ options: StagedRunOptions
    ) throws(StoreMigrationError) {
        let deadline = ScriptDeadline(options.cancellation)
        try storeErrors { () throws(StoreError) in
            try registerScriptFunctions(on: connection, deadline: deadline)
        }
        let steps = plan.steps
        let reporter = StageReporter(
            connection,
            steps: steps.count,
            stages: steps.indices.count(where: endsStage),
            options.progress
        )
        connection.setProgress {
            reporter.tick()
            return deadline.hasPassed
        }
        defer { connection.setProgress(nil) }
        var inspection: StageInspection?
        if let first = steps.first {
            try removeForeignTriggers(from: connection, at: source(of: first))
            inspection = try StageInspection(connection, at: source(of: first))
        }
        for (place, step) in steps.enumerated() {
            let title = title(of: step)
            do throws(StoreMigrationError) {
                let label = step.stage.map { manager.stages[$0].title } ?? title
                let rows = try rowCount(of: connection)
                reporter.begin(place: place, title: title, label: label, knownRows: rows)
                try perform(step, on: connection, options, deadline)
                try inspection?.check(connection, at: step.version, stage: title)
            } catch {
                guard deadline.hasPassed else { throw error }
                throw .interrupted(stage: title, isTimeout: deadline.isOver)
            }
            if let folder = options.stagesFolder {
                try keep(connection, of: path, in: folder, place, step.version)
            }
            reporter.end(isLastOfStage: endsStage(place))
        }
    }

    /// Whether the step at a place is the last one of its stage.
    private func endsStage(_ place: Int) -> Bool {
        let stage = plan.steps[place].stage
        return stage == nil || place + 1 == plan.steps.count || plan.steps[place + 1].stage != stage
    }

    private func rowCount(of connection: SQLiteConnection) throws(StoreMigrationError) -> Int {
        try storeErrors { () throws(StoreError) in
            let store = StoreFile(on: connection)
            return try store.rowCounts(of: store.schema()).values.reduce(0, +)
        }
    }

    private func source(of step: StagedStep) -> ModelVersion {
        switch step {
        case .migrate(let plan, _), .map(let plan, _): plan.source
        case .willMigrate(let version, _), .didMigrate(let version, _): version
        }
    }

    private func perform(
        _ step: StagedStep,
        on connection: SQLiteConnection,
        _ options: StagedRunOptions,
        _ deadline: ScriptDeadline
    ) throws(StoreMigrationError) {
        switch step {
        case .migrate(let plan, _):
            let migration = try StoreMigration(
                of: StoreFile(on: connection),
                from: plan.source,
                to: plan.destination,
                options: manager.options
            )
            try migration.runInTransaction(connection, options.run)
            try removeTemporaryTables(from: connection)
        case .map(let plan, let stage):
            let map = try MapMigration(
                of: StoreFile(on: connection),
                plan,
                works[stage]?.map ?? StageMap(),
                policies: policies,
                stage: title(of: step)
            )
            deadline.start(options.timeout)
            try map.run(on: connection, deadline)
            deadline.start(nil)
            try removeTemporaryTables(from: connection)
        case .willMigrate(let version, let stage):
            guard let work = works[stage]?.willMigrate else { return }
            let session = try StageSession(connection, version.model)
            try session.run(work, stage: title(of: step), deadline, options.timeout)
        case .didMigrate(let version, let stage):
            guard let work = works[stage]?.didMigrate else { return }
            let session = try StageSession(connection, version.model)
            try session.run(work, stage: title(of: step), deadline, options.timeout)
        }
    }

    /// Removes triggers that no derived attribute has: a script shall do what it says, and nothing else.
    private func removeForeignTriggers(
        from connection: SQLiteConnection,
        at version: ModelVersion
    ) throws(StoreMigrationError) {
        try storeErrors { () throws(StoreError) in
            let store = StoreFile(on: connection)
            let schema = try store.schema()
            let layout = storedLayout(of: version.model, try store.metadata(), schema)
            let own = Dictionary(
                layout.triggers.map { ($0.name, $0.sql) },
                uniquingKeysWith: { first, _ in first }
            )
            let changing = ChangingTables(layout)
            for trigger in schema where trigger.kind == .trigger {
                guard changing.contains(trigger.table), own[trigger.name] != trigger.sql else {
                    continue
                }
                try connection.execute("DROP TRIGGER \(quotedIdentifier(trigger.name))")
                if let sql = own[trigger.name] { try connection.execute(sql) }
            }
        }
    }

    /// Removes what a step kept in temporary tables, which another one would find in its way.
    private func removeTemporaryTables(
        from connection: SQLiteConnection
    ) throws(StoreMigrationError) {
        try storeErrors { () throws(StoreError) in
            let sql = "SELECT name FROM temp.sqlite_master WHERE type = 'table' ORDER BY rowid"
            for name in try connection.rows(sql).compactMap(\.first?.text) {
                try connection.execute("DROP TABLE temp.\(quotedIdentifier(name))")
            }
        }
    }

    /// Leaves the store as it is after a step, so that a person can look at it.
    private func keep(
        _ connection: SQLiteConnection,
        of store: String,
        in folder: String,
        _ place: Int,
        _ version: ModelVersion
    ) throws(StoreMigrationError) {
        let safeName = version.name.replacing("/", with: "_")
        let path = "\(folder)/\(place + 1)-\(safeName).sqlite"
        try storeErrors { () throws(StoreError) in
            do {
                try FileManager.default.createDirectory(
                    atPath: folder,
                    withIntermediateDirectories: true
                )
            } catch {
                throw StoreError.inaccessible(path: folder, reason: "cannot be made: \(error)")
            }
            let file = try WorkFile(for: path)
            // The work is done on a copy, which a fault throws away whole.
            try connection.execute("COMMIT")
            try connection.copy(
                into: SQLiteConnection(path: file.path, mode: .create, reportedPath: path)
            )
            try file.copyExternalData(of: store)
            try file.publish()
            try connection.execute("BEGIN IMMEDIATE")
        }
    }
}

/// What was wrong with a store before a stage, so that only what is new counts against the stage.
private struct StageInspection {
    private var counts: [String: Int]

    init(_ connection: SQLiteConnection, at version: ModelVersion) throws(StoreMigrationError) {
        counts = Self.counts(try Self.errors(connection, version))
    }

    /// Refuses what a stage made worse, by `verify`'s rules.
    mutating func check(
        _ connection: SQLiteConnection,
        at version: ModelVersion,
        stage: String
    ) throws(StoreMigrationError) {
        let errors = try Self.errors(connection, version)
        let now = Self.counts(errors)
        let worse = errors.filter {
            now[$0.rule.rawValue, default: 0] > counts[$0.rule.rawValue, default: 0]
        }
        guard worse.isEmpty else { throw .stageFindings(stage: stage, worse) }
        counts = now
    }

    private static func errors(
        _ connection: SQLiteConnection,
        _ version: ModelVersion
    ) throws(StoreMigrationError) -> [StoreFinding] {
        try storeErrors { () throws(StoreError) in
            try verifyContents(
                of: StoreFile(on: connection),
                against: version.model,
                checksFiles: false
            )
        }.filter { $0.severity == .error }
    }

    private static func counts(_ findings: [StoreFinding]) -> [String: Int] {
        Dictionary(findings.map { ($0.rule.rawValue, $0.count) }, uniquingKeysWith: +)
    }
}
