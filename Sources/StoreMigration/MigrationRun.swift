import Diagnostics
import MappingInference
public import MigrationPlanning
import ModelHashing
import ObjectModel
import PropertyLists
import RowExchange
import SQLiteAccess
public import StoreFormat

/// What a run of a migration is told.
public struct MigrationRunOptions: Sendable {
    /// What may be lost: rows, values and links that have no place in the new version.
    public var acceptsLosses: LossAgreement
    /// Whether SQLite checks all of the result, that its indexes match its tables included.
    ///
    /// The time of that grows with the store. A new file is always checked but for its indexes, which takes a
    /// tenth of the time.
    public var checksWholeFile: Bool
    /// Is called before each step with its place, from 0, and the number of steps.
    public var progress: @Sendable (MigrationStep, Int, Int) -> Void
    /// Is called now and then with the rows that were written so far, and about how many will be; `nil` for never.
    public var rowProgress: (@Sendable (Int, Int) -> Void)?

    /// Creates options.
    public init(
        acceptsLosses: LossAgreement = .none,
        checksWholeFile: Bool = false,
        progress: @escaping @Sendable (MigrationStep, Int, Int) -> Void = { _, _, _ in }
    ) {
        self.acceptsLosses = acceptsLosses
        self.checksWholeFile = checksWholeFile
        self.progress = progress
    }
}

extension StoreMigration {
    /// Migrates a copy of the store into a new file; the store itself is only read.
    ///
    /// The copy is made beside the new file, migrated, checked by SQLite, brought to disk and only then
    /// given its name. Large values in files beside the store are copied with it.
    ///
    /// - Parameters:
    ///   - store: the store that the migration was worked out for.
    ///   - path: the path of the new file, where nothing may be yet.
    ///   - options: what the run is told.
    /// - Returns: what was lost, as agreed.
    /// - Throws: `StoreMigrationError`; then there is no new file.
    @discardableResult
    public func run(
        from store: StoreFile,
        toNewFile path: String,
        options: MigrationRunOptions = MigrationRunOptions()
    ) throws(StoreMigrationError) -> [RowFinding] {
        do throws(StoreMigrationError) {
            var losses: [RowFinding] = []
            try migrateCopy(of: store, toNewFile: path) { connection throws(StoreMigrationError) in
                losses = try run(on: connection, options, isNewFile: true)
            }
            return losses
        } catch {
            throw try explained(error) { store }
        }
    }

    /// Migrates the store where it is, in one transaction.
    ///
    /// - Parameters:
    ///   - path: the path of the store that the migration was worked out for.
    ///   - backup: a path for a copy of the store as it was, where nothing may be yet; `nil` for none.
    ///   - options: what the run is told.
    /// - Returns: what was lost, as agreed.
    /// - Throws: `StoreMigrationError`; then the store is as it was.
    @discardableResult
    public func runInPlace(
        path: String,
        backup: String? = nil,
        options: MigrationRunOptions = MigrationRunOptions()
    ) throws(StoreMigrationError) -> [RowFinding] {
        do throws(StoreMigrationError) {
            var losses: [RowFinding] = []
            try migrateInPlace(path: path, backup: backup) {
                connection throws(StoreMigrationError) in
                losses = try run(on: connection, options, isNewFile: false)
            }
            return losses
        } catch {
            throw try explained(error) { () throws(StoreError) in try StoreFile(path: path) }
        }
    }

    private func run(
        on connection: SQLiteConnection,
        _ options: MigrationRunOptions,
        isNewFile: Bool
    ) throws(StoreMigrationError) -> [RowFinding] {
        let execution = MigrationExecution(connection, options)
        if let report = options.rowProgress {
            let total = try writtenRowEstimate(on: connection)
            connection.countWrittenRows()
            connection.setProgress { [unowned connection] in
                report(connection.writtenRowCount, total)
                return false
            }
        }
        defer { if options.rowProgress != nil { connection.setProgress(nil) } }
        try execution.begin(at: step.source)
        let losses = try execution.carryOut(step, provesByIndexes: true)
        try execution.end(at: step, isNewFile: isNewFile)
        return losses
    }

    /// The rows that will be written, but for gaps: those of the tables that are not only described anew.
    private func writtenRowEstimate(
        on connection: SQLiteConnection
    ) throws(StoreMigrationError) -> Int {
        let rewritten = Set(
            step.program.changes.filter { [.update, .rebuild].contains($0.treatment) }.map(\.table)
        )
        return try storeErrors { () throws(StoreError) in
            var sum: Int64 = 0
            for table in step.sourceLayout.tables where rewritten.contains(table.name) {
                let sql = "SELECT max(Z_PK) FROM \(quotedIdentifier(table.name))"
                sum &+= max(0, try connection.value(sql)?.integer ?? 0)
            }
            return Int(clamping: sum)
        }
    }

    /// Says which rows are to blame when a unique index could not be made; other errors stay as they are.
    private func explained(
        _ error: StoreMigrationError,
        _ open: () throws(StoreError) -> StoreFile
    ) throws(StoreMigrationError) -> StoreMigrationError {
        guard case .store(let cause) = error, cause.isUniquenessViolation else { return error }
        let store = try storeErrors(open)
        let findings = try findings(in: store).filter(\.risk.isFatal)
        return findings.isEmpty ? error : .rows(findings)
    }
}

extension [MigrationStep] {
    /// The steps, those together that only change the text of the schema, where they are many enough to gain by it.
    fileprivate var groupedForSchemaText: [ArraySlice<MigrationStep>] {
        var groups: [ArraySlice<MigrationStep>] = []
        var rest = self[...]
        while !rest.isEmpty {
            let count = rest.prefix(while: \.changesSchemaText).count
            groups.append(rest.prefix(count < 32 ? 1 : count))
            rest = rest.dropFirst(count < 32 ? 1 : count)
        }
        return groups
    }
}

/// Carries out steps on an open store inside a transaction, whoever wrote their mappings.
struct MigrationExecution {
    let connection: SQLiteConnection
    let options: MigrationRunOptions

    init(_ connection: SQLiteConnection, _ options: MigrationRunOptions) {
        self.connection = connection
        self.options = options
    }

    /// Checks that the store is what the steps were worked out for.
    func begin(at version: ModelVersion) throws(StoreMigrationError) {
        try storeErrors { () throws(StoreError) in
            // Somebody may have migrated the store since the migration was worked out.
            let hashes = try StoreMetadata(connection).hashes
            guard hashes == version.hashes else { throw .inUse(path: connection.path) }
        }
    }

    /// Carries out one step.
    ///
    /// With `provesByIndexes`, duplicates under a new constraint are not asked for but make the step fail
    /// that makes its index: sorting the values once is enough.
    ///
    /// - Returns: what was lost, as agreed.
    func carryOut(
        _ step: StepProgram,
        provesByIndexes: Bool = false,
        stage: String = "",
        _ deadline: ScriptDeadline? = nil
    ) throws(StoreMigrationError) -> [RowFinding] {
        let program = step.program
        let asked = step.questions.filter { !provesByIndexes || !program.layout.proves($0.risk) }
        let findings = try rowFindings(of: asked, on: connection)
        let refused = findings.filter { !$0.isAccepted(by: options.acceptsLosses) }
        guard refused.isEmpty else {
            // What an index would have proved is said with the rest, not after it was agreed to.
            let others = step.questions.filter { !asked.contains($0) }
            throw .rows(refused + (try rowFindings(of: others, on: connection)))
        }
        try removeStrays(findings, step)
        let before = try program.checks.map { check throws(StoreMigrationError) in
            try check.foundBefore(on: connection)
        }
        let written = try runSteps(of: step, stage: stage, deadline)
        for (check, expected) in zip(program.checks, before) {
            let found = try check.foundAfter(writing: written, on: connection)
            guard found == expected else {
                throw .checkFailed(
                    path: connection.path,
                    subject: check.subject,
                    expected: text(expected),
                    found: text(found)
                )
            }
        }
        return findings
    }

    /// Runs the steps of a program.
    ///
    /// - Returns: for each table all of whose rows a step wrote, their number.
    private func runSteps(
        of step: StepProgram,
        stage: String,
        _ deadline: ScriptDeadline?
    ) throws(StoreMigrationError) -> [String: Int] {
        var policies: MapPolicies?
        var written: [String: Int] = [:]
        for group in step.program.steps.groupedForSchemaText {
            let isDone = try storeErrors { () throws(StoreError) in
                group.count > 1 ? try changeSchemaAtOnce(group) : false
            }
            for (place, part) in zip(group.indices, group) {
                options.progress(part, place, step.program.steps.count)
                guard !isDone else { continue }
                guard case .policies(_, let phase) = part.action else {
                    try storeErrors { () throws(StoreError) in try connection.execute(part.sql) }
                    if let table = part.writtenTable { written[table] = connection.changeCount }
                    continue
                }
                policies = try run(phase, of: step, policies, stage: stage, deadline)
            }
        }
        return written
    }

    /// Takes away the rows that are of no entity, as was agreed: under the new numbers they might become objects.
    private func removeStrays(
        _ findings: [RowFinding],
        _ step: StepProgram
    ) throws(StoreMigrationError) {
        for finding in findings {
            guard case .rowsOfNoEntity(let root) = finding.risk,
                let table = step.sourceLayout.table(of: root)
            else { continue }
            try storeErrors { () throws(StoreError) in
                try connection.execute(
                    "DELETE FROM \(quotedIdentifier(table.name)) "
                        + "WHERE \(isStray(in: table, step.sourceLayout))"
                )
            }
        }
    }

    /// Writes what steps change in the text of the schema; `false` where SQLite's own statements must do it.
    private func changeSchemaAtOnce(
        _ steps: ArraySlice<MigrationStep>
    ) throws(StoreError) -> Bool {
        var text = try SchemaText(connection)
        let isKnown = steps.allSatisfy { step in
            switch step.action {
            case .schema(.addColumn(let column, let table)):
                text.add(column: column.definition, to: table)
            case .schema(.renameTable(let old, let new)): text.rename(table: old, to: new)
            default: false
            }
        }
        if isKnown { try text.write(to: connection) }
        return isKnown
    }

    private func run(
        _ phase: MigrationStep.PolicyPhase,
        of step: StepProgram,
        _ running: MapPolicies?,
        stage: String,
        _ deadline: ScriptDeadline?
    ) throws(StoreMigrationError) -> MapPolicies {
        let deadline = deadline ?? ScriptDeadline(nil)
        let policies = try storeErrors { () throws(StoreError) in
            if let running { return running }
            return try MapPolicies(step, on: connection, deadline, stage: stage)
        }
        switch phase {
        case .instances: try policies.createInstances()
        case .relationships:
            try policies.createRelationships()
            try storeErrors { () throws(StoreError) in try policies.end() }
        }
        return policies
    }

    /// Removes what a step kept in temporary tables, which another one would find in its way.
    func removeTemporaryTables() throws(StoreMigrationError) {
        try storeErrors { () throws(StoreError) in
            let sql = "SELECT name FROM temp.sqlite_master WHERE type = 'table' ORDER BY rowid"
            for name in try connection.rows(sql).compactMap(\.first?.text) {
                try connection.execute("DROP TABLE temp.\(quotedIdentifier(name))")
            }
        }
    }

    /// Ends the run at the version that its last step leads to: all checks are made here, once.
    func end(at step: StepProgram, isNewFile: Bool) throws(StoreMigrationError) {
        try writeVersion(of: step)
        try requireWholeLayout(of: step)
        if options.checksWholeFile {
            try checkFile("integrity_check", on: connection)
        } else if isNewFile {
            try checkFile("quick_check", on: connection)
        }
    }

    private func text(_ rows: [[SQLiteValue]]) -> String {
        rows.map { row in
            row.map { $0.integer.map(String.init) ?? "?" }.joined(separator: ", ")
        }
        .joined(separator: "; ")
    }
}

/// Lets SQLite check a file: with `quick_check` its pages and rows, with `integrity_check` also that indexes
/// match their tables, which takes ten times as long.
func checkFile(
    _ check: String,
    on connection: SQLiteConnection
) throws(StoreMigrationError) {
    let faults = try storeErrors { () throws(StoreError) in
        try connection.rows("PRAGMA \(check)(10)").compactMap(\.first?.text)
    }
    guard faults == ["ok"] else {
        throw .checkFailed(
            path: connection.path,
            subject: "SQLite's integrity check",
            expected: "ok",
            found: faults.joined(separator: "; ")
        )
    }
}
