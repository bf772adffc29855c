import Diagnostics
import ObjectModel
import StoreMigration

extension Migrator {
    /// Warns of a store that is migrated from the model that it carries, as no version wrote it: an app lacks that
    /// model.
    func unlistedVersion(on route: MigrationRoute) -> [Diagnostic] {
        guard case .versions(let versions, _, _) = road, let source = route.source,
            !route.steps.isEmpty, !versions.destination.isMigratedUnasked,
            !versions.all.contains(where: { $0.hashes == source.hashes })
        else { return [] }
        return [
            Diagnostic(
                .unknownStoreVersion,
                "no version of the model wrote the store: momtool migrates it from its embedded model, which an app "
                    + "does not do (134130 NSMigrationMissingSourceModelError)",
                severity: .warning,
                advice: [.nameOlderModel]
            )
        ]
    }
}

extension RuleID { static let unknownStoreVersion: RuleID = "unknown-store-version" }
