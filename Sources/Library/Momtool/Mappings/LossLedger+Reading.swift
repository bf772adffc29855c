import Diagnostics
package import MigrationPlanning
package import ModelChecking
package import ModelLoading
package import SettingsFiles
package import ObjectModel
package import StoreMigration
package import MappingInference
import ModelDiffing
import SwiftDataReading

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
    /// Reads the agreed losses from the nearest configuration and the lock beside the model, if that can be read.
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
        case .taken:
            // Where there is no lock, releases tell what shipped, as for a check.
            ledger.acceptingShipped(
                path: path,
                lock ?? lockOfReleases(settings)?.lock,
                mappingModel: mappingModels.path
            )
        }
    }

    package func lock() -> ModelLock? { (try? LockFile(ofModel: path).read())?.value.lock }
}

extension LossLedger {
    /// Returns what a migration along a route may lose: what was allowed, what its mapping models drop by description,
    /// and what custom stages that do not run here may keep.
    ///
    /// `inferred` is what a route without mapping models may lose, if known.
    package func agreement(
        from source: ModelVersion,
        to target: ModelVersion,
        along route: MigrationRoute,
        by migrator: Migrator,
        inferred: LossAgreement? = nil
    ) -> LossAgreement {
        let steps = route.steps.filter(\.kind.changesVersion)
        let mapped = steps.filter { migrator.isAnswered($0, on: route) }
        if mapped.isEmpty, let inferred { return inferred }
        guard mapped.isEmpty || mapped.count < steps.count else { return .all }
        var ledger = migrator.leavingToStages(self)
        for step in mapped {
            let ends = [step.source, step.destination].map { end in
                versions.lastIndex { $0.hashes == end.hashes }
            }
            guard let start = ends[0], let end = ends[1], start < end else { continue }
            for version in versions[(start + 1)...end] { ledger.named[version.name] = .all }
        }
        return ledger.agreement(from: source, to: target)
    }

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
                ledger.coded.insert(version.name)
            }
        }
        return ledger
    }
}

extension ModelBundle {
    /// What the step of a custom stage drops or requires of rows, and its functions may keep or fill.
    ///
    /// Only `willMigrate` may: the step drops values, or fails on rows, before `didMigrate` runs. A new mandatory value is
    /// included only where it deletes objects.
    func lossesLeft(to stage: SwiftMigrationPlan.Stage) -> [StepLoss] {
        guard let source = version(named: stage.from), let target = version(named: stage.to),
            stage.closures.contains("willMigrate")
        else { return [] }
        return stepLosses(from: source, to: target)
            .filter { $0.kind != .required || $0.risk.source != nil || stage.deletes }
    }
}

/// The agreed losses on the routes of many stores, read when first needed, and computed once for each version.
package final class NamedLosses: Sendable {
    private struct State {
        var ledger: LossLedger?
        /// By the paths and names of versions.
        var agreements: [[String]: LossAgreement] = [:]
    }

    private let bundle: ModelBundle?
    private let state = Locked(State())

    /// Uses the models of the stores, the last of which has the new version.
    package init(in bundles: [ModelBundle]) { bundle = bundles.last }

    package func agreement(for migration: Migration) throws -> LossAgreement {
        guard let bundle, let source = migration.source, let destination = migration.destination
        else { return .none }
        if migration.route.isDirect, migration.steps.first?.mapping?.losses.isEmpty == true {
            return .none
        }
        return try state.withLock { state in
            let key = [source.path, source.name]
            if let known = state.agreements[key] { return known }
            let ledger = try state.ledger ?? bundle.lossLedger(.named)
            let agreement = ledger.agreement(from: source, to: destination)
            state.ledger = ledger
            state.agreements[key] = agreement
            return agreement
        }
    }
}

/// Returns the agreed losses between two versions, by their names for people; empty for none.
package func namedLosses(
    from source: ModelVersion,
    to target: ModelVersion,
    _ mapping: InferredMapping,
    in bundle: ModelBundle
) throws -> [String] {
    guard !mapping.risks.isEmpty else { return [] }
    let ledger = try bundle.lossLedger(.named)
    // A version of a revision has another name.
    let listed =
        bundle.versions.first { $0.isSame(as: source) }
        ?? bundle.versions.first { $0.hashes == source.hashes }
    let agreement =
        listed.map { ledger.agreement(from: $0, to: target) }
        ?? ledger.agreement(into: target.name)
    return stepLosses(ModelMatching(from: source, to: target), mapping)
        .filter { agreement.covers($0.names) }.map(\.name)
}
