import MappingInference
import MigrationPlanning
import ModelDiffing
import ModelLoading
import Momtool
import ObjectModel
import StoreMigration

extension Migration {
    /// What is named for the versions on the route, where anything may be lost on it.
    func namedLosses(in bundles: [ModelBundle]) throws -> LossAgreement {
        guard let bundle = bundles.last, let source, let destination else { return .none }
        if route.isDirect, steps.first?.mapping?.losses.isEmpty == true { return .none }
        return try bundle.lossLedger().agreement(from: source, to: destination)
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
    let isListed = bundle.versions.contains { $0.isSame(as: source) }
    let agreement =
        isListed
        ? ledger.agreement(from: source, to: target) : ledger.agreement(into: target.name)
    return stepLosses(ModelMatching(from: source, to: target), mapping)
        .filter { agreement.covers($0.names) }.map(\.name)
}
