import Diagnostics
import Essentials
import FileSystem
import Momtool
import ObjectModel
import MomtoolReporting
import StoreFormat

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
