import Essentials
package import MappingInference
package import MigrationPlanning
import ModelDiffing
package import ModelLoading
package import ObjectModel
package import StoreMigration

/// What is named for the versions on the routes of many stores.
///
/// The configuration and the lock are read when a migration may lose something for the first time, and what is named is
/// worked out once for each version of a store.
package final class NamedLosses: Sendable {
    /// A version as it is told from others.
    private struct Version: Hashable {
        var path: String
        var name: String

        init(_ version: ModelVersion) { (path, name) = (version.path, version.name) }
    }

    private struct State {
        var ledger: LossLedger?
        var agreements: [Version: LossAgreement] = [:]
    }

    private let bundle: ModelBundle?
    private let state = Locked(State())

    /// Takes the models of the stores, of which the last one counts.
    package init(in bundles: [ModelBundle]) {
        bundle = bundles.last
    }

    /// What is named for a migration, where anything may be lost on it.
    ///
    /// - Parameter migration: a migration to the version that all of them lead to.
    /// - Returns: what may be lost.
    /// - Throws: `MomtoolError` for a configuration that cannot be read.
    package func agreement(for migration: Migration) throws -> LossAgreement {
        guard let bundle, let source = migration.source, let destination = migration.destination
        else { return .none }
        if migration.route.isDirect, migration.steps.first?.mapping?.losses.isEmpty == true {
            return .none
        }
        return try state.withLock { state in
            let key = Version(source)
            if let known = state.agreements[key] { return known }
            let ledger = try state.ledger ?? bundle.lossLedger(.named)
            let agreement = ledger.agreement(from: source, to: destination)
            state.ledger = ledger
            state.agreements[key] = agreement
            return agreement
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
package func namedLosses(
    from source: ModelVersion,
    to target: ModelVersion,
    _ mapping: InferredMapping,
    in bundle: ModelBundle
) throws -> [String] {
    guard !mapping.risks.isEmpty else { return [] }
    let ledger = try bundle.lossLedger(.named)
    let isListed = bundle.versions.contains { $0.isSame(as: source) }
    let agreement =
        isListed
        ? ledger.agreement(from: source, to: target) : ledger.agreement(into: target.name)
    return stepLosses(ModelMatching(from: source, to: target), mapping)
        .filter { agreement.covers($0.names) }.map(\.name)
}
