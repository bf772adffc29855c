package import Diagnostics
import FileSystem
import ModelHashing
package import ObjectModel
import SQLiteAccess
package import StoreFormat

/// What can be made right in a damaged store without inventing anything, worked out and not yet done.
///
/// Missing tables, columns, indexes, triggers and numbers come back, keys and counters that are wrong are computed
/// again, and links that one side still knows are written on the other. Where a value would have to be invented, it is
/// asked for by name.
///
/// The steps are those of a migration. They are found by taking them on a copy, round by round, until nothing more is
/// found: a link that was restored may need another.
///
/// ```swift
/// let repair = try StoreRepair(of: StoreFile(path: "Shop.sqlite"), against: model)
/// for step in repair.steps { print(step.change.sql) }
/// try repair.run(inPlace: "Shop.sqlite", backup: "Before.sqlite")
/// ```
package struct StoreRepair: Sendable {
    /// One step of a repair.
    package struct Step: Sendable, Hashable {
        /// What is done to the store.
        package var change: MigrationStep
        /// What is lost for good, although nothing is invented; `nil` when nothing is.
        package var lost: String?

        /// What it does, such as `add ZNAME to ZBOOK`; lower case, no final period.
        package var purpose: String { change.purpose }
    }

    /// Something that cannot be made right without a decision.
    package struct Obstacle: Sendable, Hashable {
        /// What is wrong; lower case, no final period.
        package var problem: String
        /// What to give, or to do.
        package var remedy: Wording
        /// The decisions that make it right, all of them; empty when none is of help.
        package var advice: [Advice] = []
        /// What verification says of the same.
        var findings: [FindingKind] = []

        /// The attribute whose value is asked for, such as `Book.title`; `nil` when something else is needed.
        package var asksFor: String? {
            remedy.advice.lazy.compactMap { advice in
                if case .nameValue(let name) = advice { name } else { nil }
            }.first
        }

        /// Whether both ask the same, though perhaps of another number of rows.
        func isSame(as other: Obstacle) -> Bool {
            problem == other.problem
                || !findings.isEmpty && findings == other.findings
                    && advice.isEmpty == other.advice.isEmpty
        }
    }

    /// What is done, in order.
    package internal(set) var steps: [Step] = []
    /// What needs a decision.
    package internal(set) var obstacles: [Obstacle] = []
    /// What verification finds wrong when the steps are done, beyond what needs a decision.
    package internal(set) var remaining: [Diagnostic] = []
    /// The places in the steps where what can be verified grows: tables and numbers are there, then entities are.
    var marks: [Int] = []
    /// The tables whose rows are counted before and after.
    var countedTables: [String] = []
    let model: ManagedObjectModel
    let layout: StoreLayout

    /// Works out what can be repaired; the store is only read.
    ///
    /// - Parameters:
    ///   - store: the store, open for reading.
    ///   - model: the model whose version it has.
    ///   - options: what the repair may do beyond restoring.
    ///   - isFileSound: whether SQLite's check of the whole file, which takes long, is known to find nothing.
    ///   - cancellation: stops the work from elsewhere; `nil` when nothing does.
    ///   - progress: is called now and then with the number of finished parts of the store and of all.
    /// - Throws: `StoreMigrationError` when the store cannot be read, or the work is cancelled.
    package init(
        of store: StoreFile,
        against model: ManagedObjectModel,
        options: RepairOptions = RepairOptions(),
        isFileSound: Bool = false,
        cancellation: MigrationCancellation? = nil,
        progress: ((_ done: Int, _ total: Int) -> Void)? = nil
    ) throws(StoreMigrationError) {
        let planner = try RepairPlanner(store, model, options, isFileSound, cancellation, progress)
        (self.model, layout) = (model, planner.layout)
        try planner.plan(&self)
        try askFurther(of: store, options, isFileSound, cancellation)
    }

    /// Adds what is asked only once decisions are made, so that all of them are made at once: a table that is created empty
    /// leaves links without objects, and objects that go may be needed by others.
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
            try RepairPlanner(store, model, options, isFileSound, cancellation, nil).plan(&trial)
            let new = trial.obstacles.filter { later in
                !obstacles.contains { $0.isSame(as: later) }
            }
            obstacles += new
            let known = Set(new.flatMap(\.findings))
            remaining.removeAll { known.contains(FindingKind($0)) }
        }
    }

    /// Whether there is nothing to repair, and nothing wrong.
    package var isEmpty: Bool { steps.isEmpty && obstacles.isEmpty && remaining.isEmpty }
}
