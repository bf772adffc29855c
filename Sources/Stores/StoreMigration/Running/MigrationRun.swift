import Diagnostics
import Essentials
import FileSystem
import MappingInference
import MigrationPlanning
import ObjectModel
import SQLiteAccess
package import StoreFormat

extension Migration {
    /// Migrates a copy of the store into a new file, and returns what was lost, as agreed; the store is only read.
    ///
    /// The copy is created beside the new file, migrated, checked by SQLite, synchronized to disk and only then
    /// renamed. Large values in files beside the store are copied with it. `path` must not exist; if it throws, there
    /// is no new file.
    @discardableResult
    package func run(
        from store: StoreFile,
        toNewFile path: String,
        options: MigrationOptions = MigrationOptions()
    ) throws(StoreMigrationError) -> [RowFinding] {
        let kept = options.stagesFolder.map(KeptStores.init)
        do throws(StoreMigrationError) {
            try MigrationRoom.require([(path, room(for: store).ofCopy)])
            var losses: [RowFinding] = []
            try migrateCopy(of: store, toNewFile: path, options.cancellation) {
                connection throws(StoreMigrationError) in
                losses = try run(on: connection, of: store.path, options, kept, isNewFile: true)
            }
            return losses
        } catch {
            kept?.end(because: error)
            throw try explained(error, options) { store }
        }
    }

    /// Migrates the store in place, all steps in one transaction, and returns what was lost, as agreed.
    ///
    /// To keep each intermediate store the steps run on a copy first, because SQLite copies nothing out of an open
    /// transaction. `backup` is a path for a copy of the original store, which must not exist unless it is such a copy.
    /// If it throws, the store is unchanged.
    @discardableResult
    package func runInPlace(
        path: String,
        backup: String? = nil,
        options: MigrationOptions = MigrationOptions()
    ) throws(StoreMigrationError) -> [RowFinding] {
        // An unchanged store needs no copy, and is not opened for writing.
        guard !steps.isEmpty else { return [] }
        let kept = options.stagesFolder.map(KeptStores.init)
        do throws(StoreMigrationError) {
            if let kept { _ = try rehearse(path, options, kept) }
            var losses: [RowFinding] = []
            try migrateInPlace(path: path, backup: backup, options.cancellation) {
                connection throws(StoreMigrationError) in
                let room = try room(on: connection, of: path)
                let kept = backup.map { exists($0) ? 0 : room.ofBackup } ?? 0
                try MigrationRoom.require([(path, room.inPlace), (backup ?? path, kept)])
            } _: { connection throws(StoreMigrationError) in
                losses = try run(on: connection, of: path, options, nil, isNewFile: false)
            }
            return losses
        } catch {
            kept?.end(because: error)
            throw try explained(error, options) { () throws(StoreError) in try StoreFile(path: path)
            }
        }
    }

    /// Carries all steps out on a throwaway copy.
    func rehearse(
        _ path: String,
        _ options: MigrationOptions,
        _ kept: KeptStores?
    ) throws(StoreMigrationError) -> [RowFinding] {
        let store = try storeErrors(StoreFile(path: path))
        let folder = try storeErrors(fileErrors(TemporaryFolder()))
        let copy = folder.url.appending(path: "Rehearsal.sqlite").path
        var losses: [RowFinding] = []
        var options = options
        options.isRehearsal = true
        try workOnCopy(of: store, at: copy, reportedPath: path, options.cancellation) {
            connection throws(StoreMigrationError) in
            losses = try run(on: connection, of: path, options, kept, isNewFile: false)
        }
        return losses
    }

    private func run(
        on connection: SQLiteConnection,
        of path: String,
        _ options: MigrationOptions,
        _ kept: KeptStores?,
        isNewFile: Bool
    ) throws(StoreMigrationError) -> [RowFinding] {
        guard let first = route.steps.first else { return [] }
        try requireAllowed(options)
        let unhashed = steps.compactMap(\.stepProgram).flatMap { step in
            step.destination.model.entities.filter { !$0.gaps.isEmpty }
        }
        guard unhashed.isEmpty else { throw .notInferable(unhashed.map(Refusal.unknownHash)) }
        let reporter = options.progress.map { report in
            ProgressReporter(connection, steps: steps.count, stages: route.stageCount, report)
        }
        let execution = MigrationExecution(connection, options, reporter)
        do throws(StoreMigrationError) {
            try storeErrors(execution.begin(at: first.source))
            return try run(execution, of: path, kept, isNewFile: isNewFile)
        } catch {
            if case .interrupted = error { throw error }
            // The cancellation met a statement before or after the steps, such as the check of the file.
            try execution.deadline.check("the migration")
            throw error
        }
    }

    private func run(
        _ execution: MigrationExecution,
        of path: String,
        _ kept: KeptStores?,
        isNewFile: Bool
    ) throws(StoreMigrationError) -> [RowFinding] {
        let (connection, deadline) = (execution.connection, execution.deadline)
        let reporter = execution.reporter
        connection.setProgress {
            reporter?.tick()
            return deadline.hasPassed
        }
        defer { connection.setProgress(nil) }
        let untouched = try storeErrors(UntouchedObjects(of: connection, without: schemaChanges))
        if !route.isDirect {
            try storeErrors(registerScriptFunctions(on: connection, deadline: deadline))
            for change in asides { try storeErrors(connection.execute(change.sql)) }
        }
        var arrived: StepProgram?
        var losses = try execution.accepted(abandonedFindings)
        for index in steps.indices {
            losses += try perform(index, execution)
            arrived = steps[index].stepProgram ?? arrived
            if let kept {
                let copy = keptPath(after: index, in: kept.folder)
                if let arrived { try storeErrors(execution.writeVersion(of: arrived)) }
                try storeErrors(kept.keep(connection, of: path, at: copy))
            }
            reporter?.end(isLastOfStage: route.endsStage(index))
        }
        for change in restorations { try storeErrors(connection.execute(change.sql)) }
        try untouched.check(on: connection)
        if let arrived { try execution.end(at: arrived, isNewFile: isNewFile) }
        try deadline.check("the end")
        return losses
    }

    /// Refuses programs where they are not allowed: a stages file from elsewhere must not run code unasked.
    private func requireAllowed(_ options: MigrationOptions) throws(StoreMigrationError) {
        guard !options.allowsPrograms else { return }
        for case .stage(.program(let program)) in steps.map(\.work) {
            throw .programNotAllowed(
                path: program.location.path,
                line: program.location.line ?? 1,
                column: program.location.column ?? 1,
                name: program.name
            )
        }
    }

    private var schemaChanges: [SchemaChange] {
        asides + restorations
            + programs.flatMap(\.steps).compactMap { step in
                if case .schema(let change) = step.action { change } else { nil }
            }
    }

    /// Carries out the step at an index, and reports an interruption where that caused the fault.
    private func perform(
        _ index: Int,
        _ execution: MigrationExecution
    ) throws(StoreMigrationError) -> [RowFinding] {
        let step = steps[index]
        let (title, deadline) = (step.title, execution.deadline)
        var execution = execution
        execution.stage = title
        do throws(StoreMigrationError) {
            try deadline.check(title)
            if let reporter = execution.reporter {
                let label = step.step.stage.map { route.manager.stages[$0].title } ?? title
                let rows = try expectedRows(of: step, on: execution.connection)
                reporter.begin(place: index, title: title, label: label, knownRows: rows)
            }
            switch step.work {
            case .program(let program):
                let place = steps.count > 1 ? index : nil
                do throws(StoreMigrationError) {
                    return try perform(program, execution).met(at: place)
                } catch {
                    guard case .rows(let findings) = error else { throw error }
                    throw .rows(findings.met(at: place))
                }
            case .stage(let work):
                let inspection = StageInspection(execution.connection, step.layout)
                let session = StageSession(
                    execution.connection,
                    ModelViews(step.layout),
                    deadline,
                    inspection: inspection,
                    isRehearsal: execution.options.isRehearsal
                )
                let timeout = execution.options.timeout
                do throws(StoreMigrationError) {
                    try session.run(work, stage: title, timeout)
                } catch { throw route.explained(error, at: index) }
                try inspection.check(stage: title)
                return try execution.accepted(inspection.lost().met(at: index))
            }
        } catch {
            try deadline.check(title)
            throw error
        }
    }

    private func perform(
        _ step: StepProgram,
        _ execution: MigrationExecution
    ) throws(StoreMigrationError) -> [RowFinding] {
        // Sorting the values of a new constraint once is enough where only its index is in doubt.
        guard !route.isDirect else { return try execution.carryOut(step, provesByIndexes: true) }
        guard step.isMapped else {
            let losses = try execution.carryOutNamingDuplicates(step)
            try storeErrors(execution.removeTemporaryTables())
            return losses
        }
        let (connection, deadline) = (execution.connection, execution.deadline)
        let before = try storeErrors(StageInspection.counts(before: step, on: connection))
        let timeout = execution.options.timeout
        deadline.start(timeout)
        let watch = timeout.map { StatementWatch(connection, for: $0) }
        defer { watch?.stop() }
        let losses = try execution.carryOutNamingDuplicates(step)
        deadline.start(nil)
        watch?.stop()
        try storeErrors(execution.removeTemporaryTables())
        try StageInspection.check(step, against: before, on: connection, stage: execution.stage)
        return losses
    }

    /// About how many rows a step writes, with those of the tables that it passes over.
    private func expectedRows(
        of step: Step,
        on connection: SQLiteConnection
    ) throws(StoreMigrationError) -> Int {
        let tables: [String]
        switch step.work {
        case .stage: tables = step.layout.tables.map(\.name)
        case .program(let own):
            let changed = own.program.changes.filter { $0.treatment == .rebuild }.map(\.table)
            let names = step.layout.tables.map(\.name)
            let written = own.program.updatedTables.union(changed).union(own.inspected.mapped)
            tables = (written + own.program.steps.compactMap(\.passedTable)).filter(names.contains)
        }
        var sum = 0
        for table in tables { sum &+= try storeErrors(connection.mostRows(of: table)) }
        return sum
    }

    /// The path of the store as it is after the step at an index, in a folder for the stores of all steps.
    package func keptPath(after index: Int, in folder: String) -> String {
        let name = route.steps[index].destination.name.replacing("/", with: "_")
        return "\(folder)/\(index + 1)-\(name).sqlite"
    }

    /// Whether code or a program runs on the way, which must not run more often than was asked for.
    private var runsCode: Bool {
        steps.contains { step in
            switch step.work {
            case .stage(.script): false
            case .stage: true
            case .program(let own): !own.policyRuns.isEmpty
            }
        }
    }

    /// Names the rows to blame when a unique index could not be made or a check failed, and everything that all steps
    /// would lose where one of several is refused for losses; other errors stay as they are.
    private func explained(
        _ error: StoreMigrationError,
        _ options: MigrationOptions,
        _ open: () throws(StoreError) -> StoreFile
    ) throws(StoreMigrationError) -> StoreMigrationError {
        if case .rows(let first) = error, steps.count > 1, !runsCode {
            var asked = options
            (asked.stagesFolder, asked.progress) = (nil, nil)
            do throws(StoreMigrationError) {
                let refused = try findings(in: storeErrors(open), options: asked)
                    .filter { !$0.isAccepted(by: options.acceptsLosses) }
                return .rows(refused.isEmpty ? first : refused)
            } catch { return .rows(first) }
        }
        let isOfRows =
            switch error {
            case .store(let cause): cause.isOfContents
            case .checkFailed: true
            default: false
            }
        guard isOfRows, options.cancellation?.isCancelled != true else { return error }
        do throws(StoreMigrationError) {
            let store = try storeErrors(open)
            if route.isDirect {
                let findings = try findings(in: store).filter(\.risk.isFatal)
                guard findings.isEmpty else { return .rows(findings) }
            }
            let damage = try damage(in: store, searchingAll: true)
                .filter { $0.finding.severity != .note }
            return damage.isEmpty ? error : .damaged(path: store.path, damage)
        } catch _ {
            // The original error says more than the lack of an explanation.
            return error
        }
    }
}

extension [RowFinding] {
    fileprivate func met(at index: Int?) -> [RowFinding] {
        map { finding in
            var finding = finding
            finding.step = index
            return finding
        }
    }
}
