import MappingInference
import MigrationPlanning
import ModelDiffing
import ModelLoading
import Momtool
import ObjectModel
import StoreMigration

extension MigrationWay {
    /// What is named for the versions on the way, where anything is lost on it.
    func namedLosses(in bundles: [ModelBundle]) throws -> LossAgreement {
        guard let bundle = bundles.last else { return .none }
        switch self {
        case .direct(let migration):
            guard !migration.mapping.losses.isEmpty else { return .none }
            return try bundle.lossLedger()
                .agreement(from: migration.source, to: migration.destination)
        case .detour(_, let migration), .staged(let migration):
            guard let first = migration.plan.steps.first, let last = migration.plan.steps.last
            else { return .none }
            return try bundle.lossLedger().agreement(from: first.source, to: last.version)
        }
    }
}

/// Returns what is lost between two versions and was named, as people call it.
///
/// - Parameters:
///   - source: the old version.
///   - target: the new version, which is of the bundle.
///   - mapping: what is inferred for them.
///   - bundle: the model, with the configuration and the lock near it.
/// - Returns: the names; empty when nothing is lost, or nothing was named.
/// - Throws: `MomtoolError` for a configuration that cannot be read.
func namedLosses(
    from source: ModelVersion,
    to target: ModelVersion,
    _ mapping: InferredMapping,
    in bundle: ModelBundle
) throws -> [String] {
    guard !mapping.risks.isEmpty else { return [] }
    let ledger = try bundle.lossLedger()
    let isListed = bundle.versions.contains { $0.path == source.path }
    let agreement =
        isListed
        ? ledger.agreement(from: source, to: target) : ledger.agreement(into: target.name)
    return stepLosses(ModelMatching(from: source, to: target), mapping)
        .filter { agreement.covers($0.names) }.map(\.name)
}
