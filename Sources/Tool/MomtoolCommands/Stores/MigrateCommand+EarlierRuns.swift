import Essentials
import FileSystem
import ModelHashing
import Momtool
import ObjectModel
import MomtoolReporting
import StoreFormat
import StoreMigration

/// What lets a run go on where an earlier one ended: results that are there already.
extension MigrateCommand {
    /// Returns the outcome of a store whose result an earlier run left whole; `nil` when there is work to do.
    ///
    /// A result counts when it is no older than the store, has its identifier and the hashes of the new version, and
    /// `verify` finds no more errors in it than in the store: stores that were copied have one identifier. Nothing is
    /// written.
    ///
    /// - Throws: `CommandFailure` for a file that is there and does not count, as that is not replaced.
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
        guard exists(path) else { return nil }
        guard let result = try? StoreFile(path: path),
            let metadata = try? result.metadata(), metadata.hashes == version.hashes,
            metadata.uuid == (try store.metadata().uuid),
            let errors = Self.errors(in: result, version), target.isCurrent(path),
            errors == 0 || errors <= Self.errorsBefore(migration, store)
        else { throw CommandFailure(leftover: path, of: target) }
        return done
    }

    /// The number of errors in a store that is to be migrated; 0 where it cannot be told.
    private static func errorsBefore(_ migration: Migration, _ store: StoreFile) -> Int {
        migration.source.flatMap { errors(in: store, $0) } ?? 0
    }

    private static func errors(in store: StoreFile, _ version: ModelVersion) -> Int? {
        let findings = try? StoreFormat.verify(store, against: version.model)
        return findings?.count { $0.severity == .error }
    }
}

extension CommandFailure {
    /// Refuses to replace what lies where the result of a store shall go, and says what to do.
    init(leftover path: String, of target: MigrationTarget) {
        let isStale = exists(path) && !target.isCurrent(path)
        let message =
            isStale
            ? "exists already, and is older than the last change of \(target.store)"
            : "exists already, and is no whole result of \(target.store)"
        self.init(.cannotCreate, path, message + "; remove it to have it made anew", "file-exists")
    }
}
