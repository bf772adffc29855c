import Diagnostics
import SQLiteAccess
package import StoreFormat

extension StoreRepair {
    /// Repairs a copy of the store in a new file, which must not exist; the store itself is only read.
    ///
    /// `progress` gets the numbers of finished steps and of all. If it throws, there is no new file.
    package func run(
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

    /// Repairs the store in place, in one transaction; if it throws, the store is as it was.
    ///
    /// `backup` is the path of a copy of the original store, which must not exist. `progress` gets the numbers of
    /// finished steps and of all.
    package func run(
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
        try deadline.during("the repair") { () throws(StoreMigrationError) in
            try connection.withProgress(
                progress,
                of: steps.count,
                stoppingWhen: { deadline.hasPassed }
            ) { isDone throws(StoreMigrationError) in
                try carryOut(on: connection, isDone)
                try checkFile("integrity_check", on: connection)
            }
        }
    }

    /// Runs the steps up to each mark, verifies the rows there, and verifies at the end that nothing got worse.
    private func carryOut(
        on connection: SQLiteConnection,
        _ isDone: (Int) -> Void
    ) throws(StoreMigrationError) {
        let execution = MigrationExecution(connection, MigrationOptions())
        guard !steps.isEmpty else { return }
        try storeErrors { () throws(StoreError) in
            // The statements are the layout's own: triggers may write to the tables of spatial indexes.
            try connection.execute("PRAGMA trusted_schema = ON")
        }
        let untouched = try storeErrors { () throws(StoreError) in
            let changes = steps.compactMap { step in
                if case .schema(let change) = step.change.action { change } else { nil }
            }
            return try UntouchedObjects(of: connection, without: changes)
        }
        var known = FindingCounts()
        var start = 0
        for (place, mark) in (verificationPoints + [steps.count]).enumerated() {
            let range = start..<mark
            try execution.carryOut(program(of: range))
            start = mark
            isDone(mark)
            let findings = try findings(on: connection)
            // Restored entities must not cost a link; other faults that come to light were there before, as are those
            // of rows that had no entity.
            let found =
                place == 1 ? Set(program(of: range).steps.compactMap(\.tableOfEntities)) : []
            let judged = findings.filter { finding in
                place > 1
                    || place == 1 && finding.rule.isOfLinks
                        && !(finding.entity.flatMap(layout.table).map { found.contains($0.name) }
                            ?? false)
            }
            if let worse = known.exceeded(by: judged).first {
                throw .checkFailed(
                    path: connection.path,
                    subject: "the result of verification",
                    expected: "no worse than before",
                    found: worse.message
                )
            }
            known.formMaximum(FindingCounts(findings))
        }
        try untouched.check(on: connection)
        try storeErrors(connection.execute("PRAGMA trusted_schema = OFF"))
    }

    /// A part of the steps as a program: no object or link may go unless a step removes it.
    private func program(of range: Range<Int>) -> MigrationProgram {
        var program = MigrationProgram(layout: layout)
        program.steps = steps[range].map(\.change)
        program.checks = countedTables.map { table in
            let name = quotedIdentifier(table)
            let removed = program.steps.reduce(into: Int64(0)) { sum, step in
                if case .rows(.remove(table, _, let count, _)) = step.action { sum += count }
            }
            return MigrationCheck(
                subject: "the number of rows of \(table)",
                before: "SELECT count(*) - \(removed) FROM \(name)",
                after: "SELECT count(*) FROM \(name)"
            )
        }
        return program
    }

    /// What verification finds without reading external files; values that name them are checked by row.
    private func findings(
        on connection: SQLiteConnection
    ) throws(StoreMigrationError) -> [Diagnostic] {
        let all = try storeErrors { () throws(StoreError) in
            let store = StoreFile(on: connection)
            return try verifyContents(of: store, against: model, checksFiles: false)
        }
        // The app's own triggers are set aside until the end.
        return all.filter { $0.severity != .note && $0.rule != .surplusTrigger }
    }
}

extension MigrationStep {
    /// The table whose rows get entities.
    fileprivate var tableOfEntities: String? {
        if case .rows(.write(let table, "Z_ENT", _, _, _)) = action { table } else { nil }
    }
}

extension RuleID {
    fileprivate var isOfLinks: Bool {
        [.danglingReference, .cascadeOrphan, .denyViolated].contains(self)
    }
}
