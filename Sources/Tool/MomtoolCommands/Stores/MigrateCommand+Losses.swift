import Essentials
import MigrationPlanning
import ModelChecking
import ModelLoading
import Momtool
import SettingsFiles

/// The losses that the configuration of a model, or of a stages file, always allows.
func configuredAgreement(at place: String?) throws -> LossAgreement {
    guard let path = NamedMappingModels.path(ofModel: place) else { return .none }
    return try settings(for: path).allowsDataLoss
}

extension MigrateCommand {
    /// The agreed losses, by the arguments and by the configuration of the model.
    func agreement() throws -> LossAgreement {
        guard !allowDataLoss.contains(Self.allLosses) else { return .all }
        return try configuredAgreement(at: model.last ?? stages).union(.named(Set(allowDataLoss)))
    }

    /// Warns about names that no version has; they allow nothing.
    func warnOfUnknownLosses(in bundles: [ModelBundle], of stores: [String]) {
        let faults = LossLedger(versions: bundles.flatMap(\.versions))
            .misspelt(allowDataLoss.filter { $0 != Self.allLosses }) { name in
                stores.contains { path in
                    (try? StoreFile(path: path)).map { hasObject(named: name, in: $0) } ?? false
                }
            }
        for fault in faults {
            Console.complain("warning: --allow-data-loss: \(fault)")
        }
    }

    /// The value of the option without a name.
    static let allLosses = "*"
}
