import Diagnostics
import MigrationPlanning
import ObjectModel
import SQLiteAccess
import StoreFormat

/// What was wrong with the rows of a store before a stage, so that only what is new counts against the stage.
///
/// Only tables that the stage writes are looked at: each right before it is written for the first time, and all of
/// them when the stage is over.
final class StageInspection {
    private let connection: SQLiteConnection
    private let verification: RowVerification
    private var tables: Set<String> = []
    private var emptied: Set<String> = []
    private var counts = FindingCounts()

    init(_ connection: SQLiteConnection, _ model: ManagedObjectModel, _ layout: StoreLayout) {
        self.connection = connection
        verification = RowVerification(of: model, layout)
    }

    /// Looks at tables that are about to be written.
    ///
    /// - Parameters:
    ///   - written: the tables that a statement writes.
    ///   - emptied: those of them that it takes rows from, which others may lead to.
    /// - Throws: `StoreError` when rows cannot be read.
    func willWrite(_ written: Set<String>, emptied: Set<String>) throws(StoreError) {
        let new = (written.subtracting(tables), emptied.subtracting(self.emptied))
        guard !new.0.isEmpty || !new.1.isEmpty else { return }
        let known = (tables, self.emptied)
        tables.formUnion(written)
        self.emptied.formUnion(emptied)
        let all = try verification.errors(in: tables, emptied: self.emptied, on: connection)
        // What was looked at before has been written since: its first count stays.
        let before = try verification.errors(in: known.0, emptied: known.1, on: connection)
        counts.add(FindingCounts(all), beyond: FindingCounts(before))
    }

    /// Refuses what a stage made worse, by `verify`'s rules.
    func check(stage: String) throws(StoreMigrationError) {
        let errors = try storeErrors { () throws(StoreError) in
            try verification.errors(in: tables, emptied: emptied, on: connection)
        }
        try Self.refuse(errors, beyond: counts, stage)
    }

    /// Counts what is wrong with the rows that a step by value expressions starts from.
    static func counts(
        before step: StepProgram,
        on connection: SQLiteConnection
    ) throws(StoreError) -> FindingCounts {
        let all = step.policyRuns.isEmpty ? step.mappedTables.old : step.sourceLayout.tableNames
        return FindingCounts(
            try RowVerification(of: step.source.model, step.sourceLayout)
                .errors(in: all, emptied: [], on: connection)
        )
    }

    /// Refuses what a step by value expressions made worse: of each property, what those had that its values came from.
    static func check(
        _ step: StepProgram,
        against before: FindingCounts,
        on connection: SQLiteConnection,
        stage: String
    ) throws(StoreMigrationError) {
        let layout = step.program.layout
        let all = step.policyRuns.isEmpty ? step.mappedTables.new : layout.tableNames
        let errors = try storeErrors { () throws(StoreError) in
            try RowVerification(of: step.destination.model, layout)
                .errors(in: all, emptied: [], on: connection)
        }
        try refuse(errors, beyond: before.carried(by: step), stage)
    }

    /// Finds the rows that share values which must be unique, when a unique index of a step could not be made.
    static func duplicates(
        after step: StepProgram,
        on connection: SQLiteConnection
    ) throws(StoreError) -> [Diagnostic] {
        let layout = step.program.layout
        return try RowVerification(of: step.destination.model, layout)
            .errors(in: layout.tableNames, emptied: [], on: connection)
            .filter { $0.rule == .duplicateValue }
    }

    private static func refuse(
        _ errors: [Diagnostic],
        beyond before: FindingCounts,
        _ stage: String
    ) throws(StoreMigrationError) {
        let worse = before.exceeded(by: errors)
        guard worse.isEmpty else { throw .stageFindings(stage: stage, worse) }
    }
}
