import Essentials
import FileSystem
import ModelHashing
import Momtool
import ObjectModel
import MomtoolReporting
import StoreFormat
import StoreMigration
import Diagnostics

/// Continues an earlier run, using its existing results.
extension MigrateCommand {
    /// Returns the outcome of a store whose result an earlier run completed; `nil` when there is work to do.
    ///
    /// A result counts if it is not older than the store, has its identifier and the hashes of the new version, and no
    /// more errors than the store: copied stores share an identifier. Leftovers of that run beside it are removed.
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
            errors == 0 || errors <= migration.source.flatMap({ Self.errors(in: store, $0) }) ?? 0
        else { throw CommandFailure(leftover: path, of: target) }
        return done
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

/// Continues an earlier run, using its existing repaired stores.
extension RepairCommand {
    /// The result of an earlier run, which is not touched; `nil` if there is work to do.
    func resultOfEarlierRun(
        _ target: MigrationTarget,
        _ store: StoreFile,
        _ model: ManagedObjectModel
    ) throws -> StoreResult<RepairReport>? {
        guard skipDone ?? list.isList, let path = target.output else { return nil }
        WorkFile.removeLeftovers(of: path)
        guard target.isCurrent(path), let made = try? StoreFile(path: path),
            let metadata = try? made.metadata(),
            // Repair may have restored the store's own metadata.
            (try? store.metadata().uuid).map({ $0 == metadata.uuid }) ?? true,
            let findings = try? StoreFormat.verify(made, against: model),
            findings.allSatisfy({ $0.severity == .note })
        else { return nil }
        let outcome = MigrationOutcome(done: target.store, in: path, from: nil, to: nil)
        let report = RepairReport(doneBefore: target.store, in: path)
        return StoreResult(outcome: outcome, report: report)
    }

    /// Refuses to replace a file of an earlier run that is not a repaired copy of the store.
    func requireNoLeftover(of target: MigrationTarget) throws {
        guard let path = target.output, skipDone ?? list.isList, exists(path) else { return }
        throw CommandFailure(leftover: path, of: target)
    }
}
