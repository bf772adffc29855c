import Diagnostics
import StoreFormat
import StoreMigration

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
