import Diagnostics
package import MigrationPlanning
package import ModelChecking
package import ModelLoading
package import SettingsFiles

/// How to take the losses of versions that shipped before anybody named them.
package enum ShippedLosses {
    /// Each loss needs a name.
    case named
    /// All are agreed to where the lock has `loses *` for the version.
    case recorded
    /// All are allowed, even without a lock.
    case taken
}

extension ModelBundle {
    /// Reads the agreed losses from the nearest configuration and the lock beside the model, unless that cannot be
    /// read.
    package func lossLedger(_ shipped: ShippedLosses) throws(MomtoolError) -> LossLedger {
        lossLedger(try settings(for: path), shipped)
    }

    /// Reads the agreed losses; steps of mapping models never lost what inference would.
    package func lossLedger(
        _ settings: ToolConfiguration,
        _ shipped: ShippedLosses,
        beside mappingModels: MappingModels = MappingModels()
    ) -> LossLedger {
        let ledger = settings.ledger(of: versions)
        let lock = lock()?.following(versions).lock
        return switch shipped {
        case .named: ledger.recording(lock, takingShipped: false)
        case .recorded: ledger.recording(lock, takingShipped: true)
        case .taken: ledger.acceptingShipped(path: path, lock, mappingModel: mappingModels.path)
        }
    }

    package func lock() -> ModelLock? { (try? LockFile(ofModel: path).read())?.value.lock }
}
