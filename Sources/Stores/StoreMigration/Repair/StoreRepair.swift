package import Diagnostics
package import ObjectModel
import SQLiteAccess
package import StoreFormat

/// What can be restored in a damaged store without inventing anything, planned but not done.
///
/// Missing tables, columns, indexes, triggers and numbers are restored, wrong keys and counters recomputed, and links
/// that one side still has are written on the other. A value that would have to be invented is requested by name.
///
/// The steps are those of a migration. They are found by performing them on a copy, round by round, until there are
/// none left: a restored link may need another.
///
/// ```swift
/// let repair = try StoreRepair(of: StoreFile(path: "Shop.sqlite"), against: model)
/// for step in repair.steps { print(step.change.sql) }
/// try repair.run(inPlace: "Shop.sqlite", backup: "Before.sqlite")
/// ```
package struct StoreRepair: Sendable {
    package struct Step: Sendable, Hashable {
        package var change: ProgramStep
        /// What is lost for good, although nothing is invented; `nil` when nothing is.
        package var lost: String?

        /// What it does, such as `add ZNAME to ZBOOK`; lower case, no final period.
        package var purpose: String { change.purpose }
    }

    /// Something that needs a decision.
    package struct Obstacle: Sendable, Hashable {
        /// What is wrong; lower case, no final period.
        package var problem: String
        package var remedy: Wording
        /// The decisions that together make it right; empty when none helps.
        package var advice: [Advice] = []
        /// What verification says about the same fault.
        var findings: [FindingKind] = []

        /// The attribute whose value is requested, such as `Book.title`; `nil` if something else is needed.
        package var asksFor: String? {
            remedy.advice.lazy.compactMap { advice in
                if case .nameValue(let name) = advice { name } else { nil }
            }.first
        }

        /// Whether both ask the same, though perhaps for another number of rows.
        func isSame(as other: Obstacle) -> Bool {
            problem == other.problem
                || !findings.isEmpty && findings == other.findings
                    && advice.isEmpty == other.advice.isEmpty
        }
    }

    package internal(set) var steps: [Step] = []
    package internal(set) var obstacles: [Obstacle] = []
    /// What verification finds wrong after the steps, beyond what needs a decision.
    package internal(set) var remaining: [Diagnostic] = []
    /// The indexes in the steps after which more can be verified: tables and numbers exist, then entities do.
    var verificationPoints: [Int] = []
    var countedTables: [String] = []
    let layout: StoreLayout

    /// Plans the repair; the store is only read.
    ///
    /// `isFileSound` says that SQLite's check of the whole file, which takes long, is known to find nothing. `progress`
    /// gets the numbers of finished parts of the store and of all.
    package init(
        of store: StoreFile,
        against model: ManagedObjectModel,
        options: RepairOptions = RepairOptions(),
        isFileSound: Bool = false,
        cancellation: MigrationCancellation? = nil,
        progress: ((_ done: Int, _ total: Int) -> Void)? = nil
    ) throws(StoreMigrationError) {
        // Conditions on values ask what they would become.
        try storeErrors(ValueFitting.register(on: store.connection))
        layout = try storeErrors(repairLayout(of: store, model))
        var planner = RepairPlanner(
            store: store,
            options: options,
            layout: layout,
            isFileSound: isFileSound,
            cancellation: cancellation,
            progress: progress
        )
        try planner.plan(&self)
        planner.progress = nil
        try askFurther(&planner)
    }

    /// Adds the questions that follow from decisions, so that all are asked at once: a table that is created empty
    /// leaves dangling links, and other objects may need removed ones.
    private mutating func askFurther(_ planner: inout RepairPlanner) throws(StoreMigrationError) {
        for _ in 0..<4 {
            var options = planner.options
            options.decisions.formUnion(obstacles.flatMap(\.advice))
            guard options.asksFurther(than: planner.options) else { return }
            planner.options = options
            var trial = self
            trial.obstacles = []
            trial.steps = []
            try planner.plan(&trial)
            let new = trial.obstacles.filter { later in !obstacles.contains { $0.isSame(as: later) }
            }
            obstacles += new
            let known = Set(new.flatMap(\.findings))
            remaining.removeAll { known.contains(FindingKind($0)) }
        }
    }

    package var isEmpty: Bool { steps.isEmpty && obstacles.isEmpty && remaining.isEmpty }

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
        // The statements are the layout's own: triggers may write to the tables of spatial indexes.
        try storeErrors(connection.execute("PRAGMA trusted_schema = ON"))
        let changes = steps.compactMap { step in
            if case .schema(let change) = step.change.action { change } else { nil }
        }
        let untouched = try storeErrors(UntouchedObjects(of: connection, without: changes))
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
                    || place == 1 && Damage.lostLinkRules.contains(finding.rule)
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
        let (store, model) = (StoreFile(on: connection), layout.graph.model)
        let all = try storeErrors(verifyContents(of: store, against: model, checksFiles: false))
        // The app's own triggers are set aside until the end.
        return all.filter { $0.severity != .note && $0.rule != .surplusTrigger }
    }
}

extension ProgramStep {
    fileprivate var tableOfEntities: String? {
        if case .rows(.write(let table, "Z_ENT", _, _, _)) = action { table } else { nil }
    }
}

/// What a repair may do beyond restoring what the store itself still knows.
package struct RepairOptions: Sendable, Hashable {
    /// Decisions that require no names, and those for other calls, which do nothing.
    package var decisions: Set<Advice>
    /// Values for attributes that lack a required one, or have one of another type; named as `Book.title`.
    package var values: [String: AttributeValue]
    /// The date before which persistent history is removed, in seconds since 2001-01-01; `nil` keeps all of it.
    package var historyStart: Double?
    /// Whether the model is the one that the store carries, so that what differs from it is damage.
    package var isOwnModel = false

    package init(
        _ decisions: Set<Advice> = [],
        values: [String: AttributeValue] = [:],
        historyStart: Double? = nil
    ) {
        (self.decisions, self.values, self.historyStart) = (decisions, values, historyStart)
    }

    /// The entities whose objects go if nothing owns them any more, with what they own.
    var ownerlessEntities: [String] {
        decisions.compactMap { if case .dropOwnerless(let entity) = $0 { entity } else { nil } }
            .sorted()
    }

    /// Whether they may leave faults that more restrictive options do not: empty tables, and links to removed objects.
    func asksFurther(than other: RepairOptions) -> Bool {
        ownerlessEntities != other.ownerlessEntities
            || decisions.symmetricDifference(other.decisions).contains(.createEmptyTables)
    }
}
