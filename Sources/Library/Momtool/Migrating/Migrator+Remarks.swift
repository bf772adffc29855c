import Diagnostics
import FileSystem
import MappingInference
package import ObjectModel
import SettingsFiles
package import StoreFormat
package import StoreMigration

extension Migrator {
    var hasPolicies: Bool {
        switch road {
        case .versions(_, let mappingModels, _): !mappingModels.codeNames.isEmpty
        case .stages(let stages, _, _): !stages.calledPolicies.isEmpty
        }
    }

    /// One warning for policies in code that no step of a route calls, as it leads past the mapping model's version.
    func uncalledPolicies(on route: MigrationRoute) -> [Diagnostic] {
        guard case .versions(let versions, let mappingModels, _) = road, !mappingModels.isStepwise,
            let source = route.source, let target = destination, !route.steps.isEmpty
        else { return [] }
        let called = route.steps.flatMap {
            mappingModels.codeNames(from: $0.source, to: $0.destination)
        }
        let stops = MappingModels.stops(from: source, to: target, in: versions.all)
        let missed = Set(zip(stops, stops.dropFirst()).flatMap(mappingModels.codeNames))
            .subtracting(called).sorted()
        guard let first = missed.first else { return [] }
        let names = missed.map { "'\($0)'" }.joined(separator: ", ")
        let steps = route.versionNames
        let message =
            first == missed.last
            ? "no step of \(steps) calls the policy \(names)"
            : "no step of \(steps) calls the policies \(names)"
        return [
            Diagnostic(
                .mappingPolicy,
                message
                    + "; if the app's own code migrates version by version, set migration: stepwise in .momtool.yml",
                severity: .warning
            )
        ]
    }

    /// Warns of a store that is migrated from the model that it carries, which an app lacks, as no version wrote it.
    func unlistedVersion(on route: MigrationRoute) -> [Diagnostic] {
        guard case .versions(let versions, _, _) = road, let source = route.source,
            !route.steps.isEmpty, !versions.destination.isMigratedUnasked,
            !versions.all.contains(where: { $0.hashes == source.hashes }),
            versions.configuration(of: source) == nil
        else { return [] }
        return [
            Diagnostic(
                .unknownStoreVersion,
                "no version of the model wrote the store: momtool migrates it from its embedded model, which an app "
                    + "does not do (134130 NSMigrationMissingSourceModelError)",
                severity: .warning,
                advice: [.nameOlderModel]
            )
        ]
    }
}

extension RuleID { static let unknownStoreVersion: RuleID = "unknown-store-version" }

extension Migrator {
    /// Larger stores are not migrated through every version only to see whether that helps.
    private static let greatestTrial: Int64 = 256 << 20

    /// A note that a store can migrate version by version, if its rows refuse the direct step; otherwise `nil`.
    ///
    /// Core Data takes one step, past what the versions between make of the rows. An app whose own code takes every
    /// step declares it in its configuration, and is advised to only where the steps succeed on a copy.
    package func stepwiseAdvice(
        for store: StoreFile,
        _ migration: Migration,
        against findings: [RowFinding]
    ) -> String? {
        guard !isStepwise, migration.route.isDirect, !findings.isEmpty,
            fileSize(store.path) <= Self.greatestTrial
        else { return nil }
        guard let steps = try? takingEveryStep.migration(of: store), steps.route.steps.count > 1,
            let rest = try? steps.findings(in: store), rest.allSatisfy(\.isLoss),
            rest.count < findings.count
        else { return nil }
        let names = rest.isEmpty ? "" : ", except \(rest.map(\.name).joined(separator: ", "))"
        return
            "version by version, \(steps.route.versionNames), nothing is refused\(names): if the app's "
            + "code migrates this way, set migration: stepwise in .momtool.yml"
    }

    /// Runs a migration into a new file; where its rows are refused, notes first whether taking every step succeeds.
    @discardableResult
    package func run(
        _ migration: Migration,
        from store: StoreFile,
        toNewFile path: String,
        options: MigrationOptions,
        advising report: (String) -> Void
    ) throws(StoreMigrationError) -> [RowFinding] {
        do throws(StoreMigrationError) {
            return try migration.run(from: store, toNewFile: path, options: options)
        } catch {
            if case .rows(let refused) = error {
                stepwiseAdvice(for: store, migration, against: refused).map(report)
            }
            throw error
        }
    }
}

/// Refuses names other than many-to-many relationships between an entity and itself, such as `Person.friends`.
package func requireSelfJoins(
    _ names: [String],
    in models: [ManagedObjectModel]
) throws(MomtoolError) {
    for name in names where !models.contains(where: { $0.hasSelfJoin(name) }) {
        throw MomtoolError(
            .usage,
            saying: "'\(name)' is not a many-to-many relationship of an entity with itself",
            "unknown-relationship"
        )
    }
}

extension ManagedObjectModel {
    fileprivate func hasSelfJoin(_ name: String) -> Bool {
        let graph = ModelGraph(self)
        return entities.contains { entity in
            entity.relationships.contains { relationship in
                guard "\(entity.name).\(relationship.name)" == name, relationship.isToMany,
                    let (inverse, owner) = graph.inverse(of: relationship)
                else { return false }
                return inverse.isToMany && owner.name == entity.name
            }
        }
    }
}
