import Essentials
import FileSystem
import ModelHashing
import Momtool
import ObjectModel
import Reporting
import StoreFormat
import StoreMigration

/// What lets a run go on where an earlier one ended: results that are there already.
extension MigrateCommand {
    /// Returns the outcome of a store whose result an earlier run left whole; `nil` when there is work to do.
    ///
    /// A result counts when it has the store's identifier and the hashes of the new version, and `verify` finds no more
    /// errors in it than in the store. Nothing is written.
    func outcomeOfEarlierRun(
        _ migration: Migration,
        _ store: StoreFile,
        _ target: MigrationTarget
    ) throws -> MigrationOutcome? {
        guard skipDone ?? (list.isList || inPlace), let version = migration.destination else {
            return nil
        }
        let done = MigrationOutcome(
            done: target.store,
            in: target.output,
            from: migration.source?.name,
            to: version.name
        )
        guard let path = target.output else { return migration.route.steps.isEmpty ? done : nil }
        guard exists(path), let result = try? StoreFile(path: path),
            let metadata = try? result.metadata(), metadata.hashes == version.hashes,
            metadata.uuid == (try store.metadata().uuid),
            let errors = Self.errors(in: result, version)
        else { return nil }
        guard errors > 0 else { return done }
        guard let source = migration.source, let before = Self.errors(in: store, source) else {
            return nil
        }
        return errors <= before ? done : nil
    }

    private static func errors(in store: StoreFile, _ version: ModelVersion) -> Int? {
        let findings = try? StoreFormat.verify(store, against: version.model)
        return findings?.count { $0.severity == .error }
    }
}
