package import StoreFormat
package import StoreMigration

/// What `momtool repair` does, or would do, to a store.
package struct RepairReport: Sendable, Codable, Rendering {
    /// A repair.
    package struct Step: Sendable, Codable {
        /// What it does.
        package var purpose: String
        /// What is lost for good.
        package var lost: String?
        /// The statement that runs.
        package var sql: String?
    }

    /// Something that cannot be made right as it is.
    package struct Obstacle: Sendable, Codable {
        /// What is wrong.
        package var problem: String
        /// What to give, or to do.
        package var remedy: String
        /// The attribute whose value is asked for.
        package var asksFor: String?
    }

    /// The path of the store.
    package var store: String
    /// Whether the steps were carried out.
    package var isDone: Bool
    /// The path of the new store, where one was made.
    package var output: String?
    /// What is done, in order.
    package var steps: [Step]
    /// What needs a decision.
    package var obstacles: [Obstacle]
    /// What is wrong all the same, and no step cures: findings of `momtool verify`.
    package var remaining: [String]
    /// Why the store could not be looked at, or repaired; absent where it was.
    package var error: String?
    /// Whether an earlier run had repaired the store; absent where none had.
    package var wasDoneBefore: Bool?

    /// Creates a report.
    ///
    /// - Parameters:
    ///   - repair: the repair.
    ///   - store: the path of the store.
    ///   - isDone: whether the steps were carried out.
    ///   - remaining: what is wrong all the same.
    ///   - showsSQL: whether the statements are shown.
    package init(
        _ repair: StoreRepair,
        of store: String,
        isDone: Bool,
        _ remaining: [StoreFinding],
        showsSQL: Bool
    ) {
        self.store = store
        self.isDone = isDone
        self.remaining = remaining.map(\.description)
        steps = repair.steps.map {
            Step(purpose: $0.purpose, lost: $0.lost, sql: showsSQL ? $0.change.sql : nil)
        }
        obstacles = repair.obstacles.map {
            Obstacle(problem: $0.problem, remedy: $0.remedy, asksFor: $0.asksFor)
        }
    }

    /// Creates the report of a store that could not be looked at, or repaired.
    package init(of store: String, error: String) {
        (self.store, self.error, isDone) = (store, error, false)
        (steps, obstacles, remaining) = ([], [], [])
    }

    /// Creates the report of a store that an earlier run repaired.
    package init(doneBefore store: String, in output: String) {
        (self.store, self.output, isDone, wasDoneBefore) = (store, output, true, true)
        (steps, obstacles, remaining) = ([], [], [])
    }

    /// Writes the report.
    package func rendered(as format: ReportFormat) -> String {
        format == .json ? json(self) : text
    }

    private var text: String {
        if let error { return error }
        if isDone, wasDoneBefore == true { return "\(store): done before in \(output ?? "")" }
        guard !steps.isEmpty || !obstacles.isEmpty || !remaining.isEmpty else {
            return "\(store): nothing to repair; "
                + (output.map { "\($0) is a copy of it" } ?? "nothing was written")
        }
        var lines = [store]
        if !steps.isEmpty { lines.append(isDone ? "  repaired" : "  can be repaired") }
        for step in steps {
            lines.append("    " + step.purpose + (step.lost.map { " (lost: \($0))" } ?? ""))
            lines += step.sql.map { ["      " + $0 + ";"] } ?? []
        }
        if !obstacles.isEmpty { lines.append("  needs your decision") }
        for obstacle in obstacles {
            lines += ["    " + obstacle.problem, "      " + obstacle.remedy]
        }
        if !remaining.isEmpty { lines.append("  stays wrong; no repair is known") }
        return (lines + remaining.map { "    " + $0 }).joined(separator: "\n")
    }
}
