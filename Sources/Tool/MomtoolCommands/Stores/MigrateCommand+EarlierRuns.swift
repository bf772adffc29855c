import Essentials
import FileSystem
import ModelHashing
import Momtool
import ObjectModel
import MomtoolReporting
import StoreFormat
import StoreMigration

/// Continues an earlier run, using its existing results.
extension MigrateCommand {
    /// Returns the outcome of a store whose result an earlier run completed; `nil` when there is work to do.
    ///
    /// A result counts if it is not older than the store, has its identifier and the hashes of the new version, and
    /// `verify` finds no more errors in it than in the store: copied stores share an identifier. Nothing is written;
    /// leftovers of that run beside it are removed. Throws for another file there, as that is not replaced.
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
        for path in [target.output ?? target.store, target.backup].compactMap(\.self) {
            WorkFile.removeLeftovers(of: path)
        }
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

    /// The number of errors in a store to be migrated; 0 where it is unknown.
    private static func errorsBefore(_ migration: Migration, _ store: StoreFile) -> Int {
        migration.source.flatMap { errors(in: store, $0) } ?? 0
    }

    private static func errors(in store: StoreFile, _ version: ModelVersion) -> Int? {
        let findings = try? StoreFormat.verify(store, against: version.model)
        return findings?.count { $0.severity == .error }
    }
}

extension CommandFailure {
    /// Refuses to replace a file at the path of a result, with advice.
    init(leftover path: String, of target: MigrationTarget) {
        let isStale = exists(path) && !target.isCurrent(path)
        let message =
            isStale
            ? "already exists, and is older than the last change of \(target.store)"
            : "already exists, and is not a complete result of \(target.store)"
        self.init(.cannotCreate, path, message + "; remove it to create it again", "file-exists")
    }
}
