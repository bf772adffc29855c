import Diagnostics
import MomtoolReporting
import StoreFormat
import StoreMigration

extension MigrateCommand {
    /// Whether a store has a column, index or trigger of a name, which the app may have added.
    func isOwnObject(_ name: String, in stores: [String]) -> Bool {
        stores.contains { path in
            (try? StoreFile(path: path)).map { hasObject(named: name, in: $0) } ?? false
        }
    }

    /// Reports what was wrong with a store before; all else, where what is known of it keeps it from being migrated.
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
                // It is no fault of the migration, which goes on.
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

/// What is said of the routes of several stores, each line once.
final class Remarks: Sendable {
    private let said = Locked<Set<String>>([])

    func say(_ lines: [String]) {
        for line in lines where said.withLock({ $0.insert(line).inserted }) {
            Console.complain(text: line)
        }
    }
}
