import Essentials
package import MappingInference
package import MigrationPlanning
import ModelDiffing
package import ModelLoading
package import ObjectModel
package import StoreMigration

/// The agreed losses on the routes of many stores.
///
/// The configuration and the lock are read when a migration may lose something for the first time; losses are computed
/// once for each version of a store.
package final class NamedLosses: Sendable {
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

    /// Uses the models of the stores, the last of which has the new version.
    package init(in bundles: [ModelBundle]) { bundle = bundles.last }

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

/// Returns the agreed losses between two versions, by their names for people; empty for none.
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
