import Diagnostics
import Essentials
import StoreFormat
import StoreMigration

/// Shows the progress of a migration: a changing line on a terminal, and a line for each finished stage.
struct MigrationDisplay: Sendable {
    enum Detail: Sendable {
        /// The progress of a rehearsal, on a terminal.
        case changing
        /// As `changing`, and a line for each finished stage.
        case stages
        /// A line for each change of the store, and for each finished stage.
        case changes
    }

    private let changing: ChangingLine
    private let rows: WorkDisplay
    private let prefix: String
    private let detail: Detail
    private let isDirect: Bool

    /// Looks at standard error; where the store is one of several, each line names it, and none changes.
    init(of migration: Migration, on store: String? = nil, _ detail: Detail) {
        self.detail = detail
        isDirect = migration.route.isDirect
        prefix = store.map { "\($0): " } ?? ""
        changing = ChangingLine(isWanted: store == nil)
        let isWanted = store == nil && isDirect && detail != .changes
        rows = WorkDisplay("migrate", unit: "rows", isWanted: isWanted)
    }

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
            guard !progress.isChecking else {
                return rows.show(progress.rows, of: nil, "checking the result")
            }
            let total = progress.knownRows
            return rows.show(progress.stepRows, of: total == 0 ? nil : total)
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

    func clear() {
        changing.clear()
        rows.clear()
    }

    private static func head(_ progress: MigrationProgress, _ title: String) -> String {
        "stage \(progress.stage + 1) of \(progress.stageCount): \(title)"
    }

    static func line(_ progress: MigrationProgress) -> String {
        head(progress, progress.title)
            + "; \(progress.stepRows) of \(progress.knownRows.counted("row"))\(rate(progress))"
            + (progress.timeLeft.flatMap(WorkDisplay.left).map { ", \($0)" } ?? "")
    }

    static func finishedLine(_ progress: MigrationProgress) -> String {
        head(progress, progress.label) + "; \(progress.stageRows.counted("row")) written"
            + "\(rate(progress)), \(WorkDisplay.words(progress.stageTime))"
    }

    /// The number of rows per second; nothing where no rows are written.
    private static func rate(_ progress: MigrationProgress) -> String {
        progress.rate < 1 ? "" : ", \(Int(min(progress.rate, 1e15))) rows/s"
    }
}

extension MigrateCommand {
    /// Reports faults of a store before the migration; new ones only if they prevent it.
    func damage(
        of migration: Migration,
        in file: StoreFile,
        beyond known: [StoreDamage]? = nil
    ) throws -> [StoreDamage] {
        let damage = try migration.damage(in: file, searchingAll: known != nil)
        guard !quiet else { return damage }
        let place = FileLocation(path: file.path)
        Console.show(
            damage.filter { known?.contains($0) != true }.map {
                // It is not a fault of the migration, which continues.
                let severity = min($0.finding.severity, .warning)
                return Diagnostic(
                    $0.finding.rule,
                    saying: $0.wording,
                    severity: severity,
                    at: place
                )
            }
        )
        return damage
    }
}

/// The remarks on the routes of several stores, each once.
final class Remarks: Sendable {
    private let printed = Locked<Set<String>>([])

    func say(_ lines: [String]) {
        for line in lines where printed.withLock({ $0.insert(line).inserted }) {
            Console.complain(text: line)
        }
    }
}
