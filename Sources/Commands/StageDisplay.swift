import Essentials
import StoreMigration

/// Shows how far stages have come: a line that changes on a terminal, and a line for each stage that is done.
struct StageDisplay: Sendable {
    private let changing: ChangingLine

    /// What comes before each line.
    private let prefix: String

    /// Whether there is a line for each stage that is done.
    private let listsStages: Bool

    /// Looks at what standard error is; among several stores each line names its own, and none changes.
    init(of store: String? = nil, listsStages: Bool = true) {
        self.listsStages = listsStages
        prefix = store.map { "\($0): " } ?? ""
        changing = ChangingLine(isWanted: store == nil)
    }

    /// Shows a progress.
    func show(_ progress: StageProgress) {
        if progress.isStageFinished {
            clear()
            if listsStages { Console.complain(prefix + Self.finishedLine(progress)) }
        } else if !progress.isFinished {
            changing.show(Self.line(progress))
        }
    }

    /// Takes the changing line away.
    func clear() {
        changing.clear()
    }

    private static func head(_ progress: StageProgress, _ title: String) -> String {
        "stage \(progress.stage + 1) of \(progress.stageCount): \(title)"
    }

    /// What is said while a stage is under way.
    static func line(_ progress: StageProgress) -> String {
        let left = progress.timeLeft.map { ", \(WorkDisplay.words($0)) left" } ?? ""
        return head(progress, progress.title)
            + "; \(progress.stepRows) of \(progress.knownRows.counted("row"))\(rate(progress))\(left)"
    }

    /// What is said when a stage is done.
    static func finishedLine(_ progress: StageProgress) -> String {
        head(progress, progress.label) + "; \(progress.stageRows.counted("row")) written"
            + "\(rate(progress)), \(WorkDisplay.words(progress.stageTime))"
    }

    /// How many rows are written in a second; nothing where no rows are.
    private static func rate(_ progress: StageProgress) -> String {
        progress.rate < 1 ? "" : ", \(Int(min(progress.rate, 1e15))) rows/s"
    }
}
