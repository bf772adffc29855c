import Essentials
import MigrationPlanning
import ModelChecking
import ModelLoading
import Momtool
import SettingsFiles

extension MigrateCommand {
    /// The agreed losses, by the arguments and by the configuration of the model.
    func agreement() throws -> LossAgreement {
        let given: LossAgreement =
            allowDataLoss.contains(Self.allLosses) ? .all : .named(Set(allowDataLoss))
        let place = model.last ?? stages
        guard let place, case .named = given else { return given }
        let path = place.split(separator: "#", maxSplits: 1).first.map(String.init) ?? place
        return given.union(try settings(for: path).allowsDataLoss)
    }

    /// Warns about names that no version has; they allow nothing.
    func warnOfUnknownLosses(in bundles: [ModelBundle], of stores: [String]) {
        let faults = LossLedger(versions: bundles.flatMap(\.versions))
            .misspelt(allowDataLoss.filter { $0 != Self.allLosses }) {
                isOwnObject($0, in: stores)
            }
        for fault in faults {
            Console.complain("warning: --allow-data-loss: \(fault)")
        }
    }

    /// The value of the option without a name.
    static let allLosses = "*"
}
