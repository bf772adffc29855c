package import Diagnostics
package import ObjectModel
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
        package var change: MigrationStep
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
    let model: ManagedObjectModel
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
        let planner = try storeErrors(
            RepairPlanner(store, model, options, isFileSound, cancellation, progress)
        )
        (self.model, layout) = (model, planner.layout)
        try planner.plan(&self)
        try askFurther(of: store, options, isFileSound, cancellation)
    }

    /// Adds the questions that follow from decisions, so that all are asked at once: a table that is created empty
    /// leaves dangling links, and other objects may need removed ones.
    private mutating func askFurther(
        of store: StoreFile,
        _ options: RepairOptions,
        _ isFileSound: Bool,
        _ cancellation: MigrationCancellation?
    ) throws(StoreMigrationError) {
        var options = options
        for _ in 0..<4 {
            let decided = options.deciding(obstacles.flatMap(\.advice))
            guard decided.asksFurther(than: options) else { return }
            options = decided
            var trial = self
            trial.obstacles = []
            trial.steps = []
            let planner = try storeErrors(
                RepairPlanner(store, model, options, isFileSound, cancellation, nil)
            )
            try planner.plan(&trial)
            let new = trial.obstacles.filter { later in !obstacles.contains { $0.isSame(as: later) }
            }
            obstacles += new
            let known = Set(new.flatMap(\.findings))
            remaining.removeAll { known.contains(FindingKind($0)) }
        }
    }

    package var isEmpty: Bool { steps.isEmpty && obstacles.isEmpty && remaining.isEmpty }
}
