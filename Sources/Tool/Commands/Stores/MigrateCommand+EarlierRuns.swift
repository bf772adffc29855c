import Essentials
import FileSystem
import ModelHashing
import Momtool
import ObjectModel
import Reporting
import StoreFormat
import StoreMigration

/// What lets a run go on where an earlier one ended: results that are there already, and the journal.
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

    /// Opens the journal, which is none of the files that are read.
    func openJournal(sparing inputs: InputFiles) throws -> AppendedFile? {
        guard let journal else { return nil }
        _ = try OutputPlace(journal, sparing: inputs)
        do throws(FileError) {
            return try AppendedFile(journal)
        } catch .cannotCreate(_, let reason), .inaccessible(_, let reason) {
            throw cannotCreate(journal, reason)
        }
    }

    /// Appends an outcome to the journal; where that fails, the store is as the outcome says, and the command fails.
    func noted(
        _ ended: (outcome: MigrationOutcome, failure: CommandFailure?),
        in journal: AppendedFile?
    ) -> (outcome: MigrationOutcome, failure: CommandFailure?) {
        guard let journal else { return ended }
        do throws(FileError) {
            try journal.append(ended.outcome.line)
            return ended
        } catch {
            var failure = ended.failure ?? CommandFailure(.ioFailed, [])
            failure.messages.append(
                "\(self.journal ?? ""): error: the outcome cannot be appended: \(ended.outcome.summary) [unwritable-file]"
            )
            return (ended.outcome, failure)
        }
    }
}
