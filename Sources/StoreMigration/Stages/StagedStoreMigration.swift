import FileSystem
import Essentials
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
    /// What is done, in order.
    public let plan: StagedPlan
    private let parts: [StagedPart]
    /// Triggers that no derived attribute has: a script shall do what it says, and nothing else.
    private let foreignTriggers: [StoreSchema.Object]
    /// Those of them that come back when all is done.
    private let restorations: [SchemaChange]
    /// Indexes and triggers that are not Core Data's and cannot stay.
    public let abandoned: [AbandonedObject]

    /// Plans the migration of a store, and works out every step of it.
    ///
    /// - Parameters:
    ///   - store: the store, open for reading.
    ///   - manager: the stages.
    ///   - works: the work of custom stages, by their places in the list; it decides which parts a stage has.
    ///   - policies: the code that mapping models call by name.
    ///   - target: the checksum of the version that the store shall get; `nil` for the last one listed.
    ///   - semantics: how the list is walked.
    /// - Throws: `StoreMigrationError` when the stages do not lead there, or a map cannot be carried out.
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
        let contents = try storeErrors { () throws(StoreError) in try StoreContents(of: store) }
        let hashes = contents.metadata.hashes
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
        guard let first = plan.steps.first else {
            (parts, foreignTriggers, restorations, abandoned) = ([], [], [], [])
            return
        }
        var state = try StoreState(contents, at: first.startVersion.model)
        foreignTriggers = state.schema.removeForeignTriggers(state.layout)
        parts = try stagedParts(of: plan, works, policies, state)
        let programs = Self.programs(of: parts)
        try requireRoom(for: programs, in: state, of: contents.path)
        let settling = ForeignObjects(
            from: state.layout,
            to: programs.last?.layout ?? state.layout
        )
        var (restorations, abandoned) = ([SchemaChange](), programs.flatMap(\.abandoned))
        for trigger in foreignTriggers where trigger.isForeign {
            switch settling.settled(trigger, "trigger") {
            case .restored(let change): restorations.append(change)
            case .abandoned(let object): abandoned.append(object)
            }
        }
        (self.restorations, self.abandoned) = (restorations, abandoned)
    }

    /// Join tables of the last version that Core Data may look for under another name.
    public var uncertain: [UncertainJoinTable] {
        let last = programs.last?.layout.joinTables.map(\.name) ?? []
        var known: Set<String> = []
        return programs.reversed().flatMap(\.uncertain).filter { table in
            last.contains(table.table) && known.insert(table.table).inserted
        }
    }

    /// The programs of all steps, in order.
    public var programs: [MigrationProgram] { Self.programs(of: parts) }

    private static func programs(of parts: [StagedPart]) -> [MigrationProgram] {
        parts.compactMap { part in
            if case .step(let step) = part { step.program } else { nil }
        }
    }

    /// Migrates a copy of the store into a new file; the store itself is only read.
    ///
    /// - Returns: what was lost, as agreed.
    /// - Throws: `StoreMigrationError`; then there is no new file.
    @discardableResult
    public func run(
        from store: StoreFile,
        toNewFile path: String,
        options: StagedRunOptions = StagedRunOptions()
    ) throws(StoreMigrationError) -> [RowFinding] {
        var losses: [RowFinding] = []
        try migrateCopy(of: store, toNewFile: path) { connection throws(StoreMigrationError) in
            losses = try run(on: connection, of: store.path, options, isNewFile: true)
        }
        return losses
    }

    /// Finds what the rows of a store say to all steps, by taking them on a copy that is thrown away.
    ///
    /// - Returns: what stands against a step, or what would be lost; empty when all is well.
    public func findings(
        in store: StoreFile,
        options: StagedRunOptions = StagedRunOptions()
    ) throws(StoreMigrationError) -> [RowFinding] {
        var options = options
        options.run.acceptsLosses = .all
        options.stagesFolder = nil
        do throws(StoreMigrationError) {
            return try rehearse(store.path, options)
        } catch .rows(let findings) {
            return findings
        }
    }

    /// Migrates the store where it is: all stages in one transaction.
    ///
    /// To leave each intermediate store the stages are carried out on a copy first, because SQLite copies nothing out
    /// of an open transaction.
    ///
    /// - Returns: what was lost, as agreed.
    /// - Throws: `StoreMigrationError`; then the store is as it was.
    @discardableResult
    public func runInPlace(
        path: String,
        backup: String? = nil,
        options: StagedRunOptions = StagedRunOptions()
    ) throws(StoreMigrationError) -> [RowFinding] {
        var options = options
        if options.stagesFolder != nil {
            _ = try rehearse(path, options)
            options.stagesFolder = nil
        }
        var losses: [RowFinding] = []
        try migrateInPlace(path: path, backup: backup) {
            connection throws(StoreMigrationError) in
            losses = try run(on: connection, of: path, options, isNewFile: false)
        }
        return losses
    }

    private func rehearse(
        _ path: String,
        _ options: StagedRunOptions
    ) throws(StoreMigrationError) -> [RowFinding] {
        let store = try storeErrors { () throws(StoreError) in try StoreFile(path: path) }
        let folder = try storeErrors { () throws(StoreError) in
            try fileErrors { () throws(FileError) in try TemporaryFolder() }
        }
        let copy = folder.url.appending(path: "Rehearsal.sqlite").path
        var losses: [RowFinding] = []
        try workOnCopy(of: store, at: copy, reportedPath: path) {
            connection throws(StoreMigrationError) in
            losses = try run(on: connection, of: path, options, isNewFile: false)
        }
        return losses
    }

    /// What a step does, for people.
    public func title(of step: StagedStep) -> String { plan.title(of: step, in: manager) }

    private func run(
        on connection: SQLiteConnection,
        of path: String,
        _ options: StagedRunOptions,
        isNewFile: Bool
    ) throws(StoreMigrationError) -> [RowFinding] {
        guard let first = plan.steps.first else { return [] }
        let deadline = ScriptDeadline(options.cancellation)
        let execution = MigrationExecution(connection, options.run)
        try execution.begin(at: first.startVersion)
        try storeErrors { () throws(StoreError) in
            try registerScriptFunctions(on: connection, deadline: deadline)
            for trigger in foreignTriggers {
                try connection.execute("DROP TRIGGER \(quotedIdentifier(trigger.name))")
            }
        }
        let reporter = options.progress.map { report in
            let stages = plan.steps.indices.count(where: endsStage)
            return StageReporter(connection, steps: plan.steps.count, stages: stages, report)
        }
        connection.setProgress {
            reporter?.tick()
            return deadline.hasPassed
        }
        defer { connection.setProgress(nil) }
        var arrived: StepProgram?
        var losses: [RowFinding] = []
        for (place, step) in plan.steps.enumerated() {
            let title = title(of: step)
            do throws(StoreMigrationError) {
                if let reporter {
                    let label = step.stage.map { manager.stages[$0].title } ?? title
                    let rows = try greatestKeys(of: parts[place], on: connection)
                    reporter.begin(place: place, title: title, label: label, knownRows: rows)
                }
                losses += try perform(parts[place], execution, title, options, deadline)
            } catch {
                guard deadline.hasPassed else { throw error }
                throw .interrupted(stage: title, isTimeout: deadline.isOver)
            }
            if case .step(let program) = parts[place] { arrived = program }
            if let folder = options.stagesFolder {
                if let arrived { try execution.writeVersion(of: arrived) }
                try keep(connection, of: path, in: folder, place, step.version)
            }
            reporter?.end(isLastOfStage: endsStage(place))
        }
        try storeErrors { () throws(StoreError) in
            for change in restorations { try connection.execute(change.sql) }
        }
        if let arrived { try execution.end(at: arrived, isNewFile: isNewFile) }
        return losses
    }

    /// Whether the step at a place is the last one of its stage.
    private func endsStage(_ place: Int) -> Bool {
        let stage = plan.steps[place].stage
        return stage == nil || place + 1 == plan.steps.count || plan.steps[place + 1].stage != stage
    }

    /// The rows that a store has, but for gaps: the sum of the greatest keys, which no pass is needed for.
    private func greatestKeys(
        of part: StagedPart,
        on connection: SQLiteConnection
    ) throws(StoreMigrationError) -> Int {
        let layout =
            switch part {
            case .step(let step): step.sourceLayout
            case .work(_, _, let layout): layout
            }
        return try storeErrors { () throws(StoreError) in
            var sum: Int64 = 0
            for table in layout.tables {
                let sql = "SELECT max(Z_PK) FROM \(quotedIdentifier(table.name))"
                sum &+= max(0, try connection.value(sql)?.integer ?? 0)
            }
            return Int(clamping: sum)
        }
    }

    private func perform(
        _ part: StagedPart,
        _ execution: MigrationExecution,
        _ title: String,
        _ options: StagedRunOptions,
        _ deadline: ScriptDeadline
    ) throws(StoreMigrationError) -> [RowFinding] {
        let connection = execution.connection
        switch part {
        case .step(let step):
            let isMapped = !step.mappedTables.new.isEmpty || !step.policyRuns.isEmpty
            guard isMapped else {
                let losses = try execution.carryOut(step, stage: title, deadline)
                try execution.removeTemporaryTables()
                return losses
            }
            let before = try storeErrors { () throws(StoreError) in
                try StageInspection.counts(before: step, on: connection)
            }
            deadline.start(options.timeout)
            let watch = options.timeout.map { StatementWatch(connection, for: $0) }
            defer { watch?.stop() }
            let losses = try execution.carryOut(step, stage: title, deadline)
            deadline.start(nil)
            watch?.stop()
            try execution.removeTemporaryTables()
            try StageInspection.check(step, against: before, on: connection, stage: title)
            return losses
        case .work(let work, let version, let layout):
            let inspection = StageInspection(connection, version.model, layout)
            let session = StageSession(
                connection,
                ModelViews(model: version.model, layout: layout),
                inspection: inspection
            )
            try session.run(work, stage: title, deadline, options.timeout)
            try inspection.check(stage: title)
            return []
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

extension StoreSchema {
    /// Takes away the triggers that no derived attribute has, and gives their names.
    fileprivate mutating func removeForeignTriggers(_ layout: StoreLayout) -> [Object] {
        let spatial = layout.spatialIndexes.flatMap(\.triggers)
        let own = Set((layout.triggers + spatial).map(\.sql))
        let changing = ChangingTables(layout)
        let foreign = triggers.filter { changing.contains($0.table) && !own.contains($0.sql) }
        triggers.removeAll { foreign.contains($0) }
        return foreign
    }
}
