import Diagnostics
package import MigrationPlanning
package import ModelChecking
package import ModelLoading
package import SettingsFiles

/// What is taken of a version that shipped before anybody named what its step loses.
package enum ShippedLosses {
    /// Nothing: what a store loses has a name.
    case named
    /// All, where the lock says so of the version: `loses *`.
    case recorded
    /// All, also where there is no lock that could say so.
    case taken
}

extension ModelBundle {
    /// Reads what is meant to be lost: by the nearest configuration, and by the lock beside the model.
    ///
    /// - Parameter shipped: what is taken of versions that shipped before anybody named their losses.
    /// - Returns: the ledger of the versions; a lock that cannot be read says nothing.
    /// - Throws: `MomtoolError` for a configuration that cannot be read.
    package func lossLedger(_ shipped: ShippedLosses) throws(MomtoolError) -> LossLedger {
        lossLedger(try settings(for: path), shipped)
    }

    /// Reads what is meant to be lost, by a configuration that was read already.
    ///
    /// - Parameters:
    ///   - settings: the configuration.
    ///   - shipped: what is taken of versions that shipped before anybody named their losses.
    ///   - mappingModels: the mapping models of the app, whose steps never lost what inference would.
    /// - Returns: the ledger.
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

    /// Reads the lock beside the model; `nil` when there is none that can be read.
    package func lock() -> ModelLock? {
        (try? LockFile(ofModel: path).read())?.value.lock
    }
}
