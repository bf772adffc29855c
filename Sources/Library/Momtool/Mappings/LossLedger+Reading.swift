package import Diagnosing
import Diagnostics
package import MigrationPlanning
package import ModelChecking
package import ModelLoading
package import SettingsFiles

extension ModelBundle {
    /// Reads what is meant to be lost: by the nearest configuration, and by the lock beside the model.
    ///
    /// - Parameter acceptsShipped: whether versions that shipped before anybody named their losses may lose all.
    /// - Returns: the ledger of the versions; a lock that cannot be read says nothing.
    /// - Throws: `MomtoolError` for a configuration that cannot be read.
    package func lossLedger(
        acceptingShipped acceptsShipped: Bool = false
    ) throws(MomtoolError) -> LossLedger {
        lossLedger(try settings(for: path), acceptingShipped: acceptsShipped)
    }

    /// Reads what is meant to be lost, by a configuration that was read already.
    ///
    /// - Parameters:
    ///   - settings: the configuration.
    ///   - acceptsShipped: whether versions that shipped before anybody named their losses may lose all.
    ///   - mappingModels: the mapping models of the app, whose steps never lost what inference would.
    /// - Returns: the ledger.
    package func lossLedger(
        _ settings: ToolConfiguration,
        acceptingShipped acceptsShipped: Bool = false,
        beside mappingModels: MappingModels = MappingModels()
    ) -> LossLedger {
        let ledger = settings.ledger(of: versions)
        let lock = lock()?.following(versions).lock
        guard acceptsShipped else { return ledger.recording(lock) }
        return ledger.acceptingShipped(path: path, lock, mappingModel: mappingModels.path)
    }

    /// Reads the lock beside the model; `nil` when there is none that can be read.
    package func lock() -> ModelLock? {
        (try? LockFile(ofModel: path).read())?.value.lock
    }

    /// The versions that were taken out of the model, by the lock beside it.
    package var prunedVersions: [PrunedVersion] {
        (lock()?.prunedVersions ?? []).compactMap { version in
            version.pruningRemark.map {
                PrunedVersion(name: version.name, hashes: version.hashes, remark: $0)
            }
        }
    }
}
