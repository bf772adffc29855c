import Essentials
import StoreMigration

/// Shows how far a migration has come: a line that changes on a terminal, and a line for each stage that is done.
struct MigrationDisplay: Sendable {
    /// What is shown.
    enum Detail: Sendable {
        /// How far the steps of a rehearsal have come, on a terminal.
        case changing
        /// As `changing`, and a line for each stage that is done.
        case stages
        /// A line for each change of the store, and for each stage that is done.
        case changes
    }

    private let changing: ChangingLine
    private let rows: WorkDisplay
    private let prefix: String
    private let detail: Detail
    private let isDirect: Bool

    /// Looks at what standard error is.
    ///
    /// - Parameters:
    ///   - migration: the migration that is run.
    ///   - store: the path of the store where it is one of several: each line names its own then, and none changes.
    ///   - detail: what is shown.
    init(of migration: Migration, on store: String? = nil, _ detail: Detail) {
        self.detail = detail
        isDirect = migration.route.isDirect
        prefix = store.map { "\($0): " } ?? ""
        changing = ChangingLine(isWanted: store == nil)
        let isWanted = store == nil && isDirect && detail != .changes
        rows = WorkDisplay("migrate", unit: "rows", isWanted: isWanted)
    }

    /// What tells the display how far the migration has come; `nil` where nothing is shown.
    var progress: (@Sendable (MigrationProgress) -> Void)? {
        isDirect && detail != .changes && !rows.isVisible ? nil : show
    }

    @Sendable private func show(_ progress: MigrationProgress) {
        if let change = progress.change {
            guard case .changes = detail else { return }
            let line = "\(change.index + 1)/\(change.count) \(change.step.purpose)"
            return Console.complain(prefix + line)
        }
        guard !isDirect else {
            let total = progress.knownRows
            return rows.show(progress.rows, of: total == 0 ? nil : total)
        }
        if progress.isStageFinished {
            clear()
            guard case .changing = detail else {
                return Console.complain(prefix + Self.finishedLine(progress))
            }
        } else if !progress.isFinished {
            changing.show(Self.line(progress))
        }
    }

    /// Takes the changing line away.
    func clear() {
        changing.clear()
        rows.clear()
    }

    private static func head(_ progress: MigrationProgress, _ title: String) -> String {
        "stage \(progress.stage + 1) of \(progress.stageCount): \(title)"
    }

    /// What is said while a stage is under way.
    static func line(_ progress: MigrationProgress) -> String {
        let left = progress.timeLeft.map { ", \(WorkDisplay.words($0)) left" } ?? ""
        return head(progress, progress.title)
            + "; \(progress.stepRows) of \(progress.knownRows.counted("row"))\(rate(progress))\(left)"
    }

    /// What is said when a stage is done.
    static func finishedLine(_ progress: MigrationProgress) -> String {
        head(progress, progress.label) + "; \(progress.stageRows.counted("row")) written"
            + "\(rate(progress)), \(WorkDisplay.words(progress.stageTime))"
    }

    /// How many rows are written in a second; nothing where no rows are.
    private static func rate(_ progress: MigrationProgress) -> String {
        progress.rate < 1 ? "" : ", \(Int(min(progress.rate, 1e15))) rows/s"
    }
}
