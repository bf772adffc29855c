import MappingInference
import ModelDiffing
package import MigrationPlanning
package import ModelLoading
import SwiftDataReading

extension LossLedger {
    /// Returns the ledger without what custom stages of the model's plans may carry over.
    ///
    /// Their Swift functions do not run here: whether they keep what the step drops, or cure the rows in question, is
    /// not known. One note for the step says so, in place of a finding for each property.
    package func leavingToStages(of bundle: ModelBundle) -> LossLedger {
        var ledger = self
        for stage in (bundle.swift?.plans ?? []).flatMap(\.stages) where !stage.closures.isEmpty {
            guard let start = bundle.versions.firstIndex(where: { $0.name == stage.from }),
                let end = bundle.versions.firstIndex(where: { $0.name == stage.to }), start < end
            else { continue }
            let (from, to) = (bundle.version(named: stage.from), bundle.version(named: stage.to))
            let missing = from.flatMap { from in
                to.map { missingSwiftValues(from: from.model, to: $0.model).map(\.name) }
            }
            let names = Set(bundle.lossesLeft(to: stage).flatMap(\.names) + (missing ?? []))
            for version in bundle.versions[(start + 1)...end] {
                let agreement = ledger.named[version.name] ?? .none
                ledger.named[version.name] = agreement.union(.named(names))
            }
        }
        return ledger
    }
}

extension ModelBundle {
    /// What the step of a custom stage drops or requires of rows, and its functions may keep or fill.
    ///
    /// A new mandatory value is not included: the step itself fails, before `didMigrate` could set one.
    func lossesLeft(to stage: SwiftMigrationPlan.Stage) -> [StepLoss] {
        guard let source = version(named: stage.from), let target = version(named: stage.to) else {
            return []
        }
        return stepLosses(from: source, to: target)
            .filter { $0.kind != .required || $0.risk.source != nil }
    }
}
