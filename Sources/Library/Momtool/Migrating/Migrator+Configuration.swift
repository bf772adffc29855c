package import Diagnostics
import FileSystem
package import MigrationPlanning
package import ModelDiffing
import ModelHashing
package import ModelLoading
package import ObjectModel
package import SettingsFiles
package import StoreFormat
import StoreMigration

extension Migrator {
    /// Finds migrations as an app with a configuration does: through its stages, or by its mapping models and policies.
    ///
    /// The first of several stages files that lists the new version counts, `stages` after those of the configuration.
    /// `older` are models with further versions of stores.
    package init(
        by configuration: ToolConfiguration,
        of bundle: ModelBundle,
        to version: String? = nil,
        beside older: [ModelBundle] = [],
        mappingModels: MappingModels,
        stages: [String] = [],
        semantics: StageSemantics = .apple,
        _ swift: SwiftSettings = SwiftSettings()
    ) throws(MomtoolError) {
        try self.init(models: older + [bundle], to: version, mappingModels: mappingModels)
        plannedVersions = bundle.plannedVersions
        planned = bundle.swift == nil ? nil : bundle
        knownPlans = bundle.knownPlans()
        if !configuration.saysMigration { codeMigrator = { bundle.migratorInCode } }
        stoppedMigration = { bundle.stoppedMigration }
        let target = try bundle.chosenVersion(version)
        // An app whose stages do not list the version that it opens migrates no store.
        let isOpened = bundle.currentVersion?.isSame(as: target) == true
        for path in configuration.stagesFiles + stages {
            guard let read = try bundle.stages(at: path, swift, mappingModels.named) else {
                continue
            }
            guard !read.hasErrors else {
                let faults = read.diagnostics.filter { $0.severity == .error }
                throw MomtoolError(.badData, saying: faults)
            }
            let listed = read.value.file.stages.flatMap(\.versions).map(\.name)
            // The list of another model has other names; one of this model that has an unknown name fails.
            let isOwn = older.isEmpty && read.value.names(bundle)
            let unread = bundle.unreadableVersions.map(\.name)
            guard !listed.isEmpty,
                listed.allSatisfy({ bundle.version(named: $0) != nil })
                    || isOwn && !listed.contains(where: unread.contains)
            else { continue }
            let leads = listed.contains(target.name) || read.value.manager.lists(target.checksum)
            let place = "\(pathFromHere(path)): note: these stages"
            // Functions that momtool cannot run are not a route.
            let contradiction = bundle.contradiction(of: read.value.file)?.message
            guard leads || isOpened, read.value.closures.isEmpty, contradiction == nil else {
                let obstacle =
                    contradiction
                    ?? (leads
                        ? "their custom stages are Swift code, which momtool cannot run"
                        : "they do not lead to '\(target.name)'")
                stageRemarks.append("\(place) are not used: \(obstacle)")
                continue
            }
            guard leads || roadBack == nil else { continue }
            roadBack = roadBack ?? road
            road = .stages(read.value, target: target.checksum, semantics)
            stageNotices = read.diagnostics
            faultyList = FaultyList(read.value.file.path, read.value.faults)
            let use =
                leads ? "lead to '\(target.name)' and are used" : "do not list '\(target.name)'"
            stageRemarks = ["\(place) of \(ToolConfiguration.fileName) \(use)"]
            if leads { return }
        }
        if roadBack == nil { faultyList = faultyPlan(of: knownPlans, opening: target) }
    }

    /// Refuses a list of stages that fails at launch, unless the store is newer, which goes back without a plan.
    func requireSoundList(unless isNewer: (StoreVersions) -> Bool) throws(MomtoolError) {
        guard let faultyList else { return }
        if case .versions(let versions, _, _) = road, isNewer(versions) { return }
        throw MomtoolError(.refused, saying: faultyList.faults)
    }

    /// The stages in use, with their faults where the configuration names them; `nil` without.
    package var stages: Diagnosed<Stages>? {
        guard case .stages(let stages, _, _) = road else { return nil }
        return Diagnosed(stages, stageNotices)
    }

    package var stagesPath: String? { stages?.value.file.path }

    package var stagesTarget: String? {
        guard case .stages(_, let target, _) = road else { return nil }
        return target
    }

    package func walking(_ semantics: StageSemantics) -> Migrator {
        guard case .stages(let stages, let target, _) = road else { return self }
        var copy = self
        copy.road = .stages(stages, target: target, semantics)
        return copy
    }

    /// The migrator for a store: past the stages of the configuration for a newer version, as stages only lead forward.
    ///
    /// A store of several models that the app merges gets the current versions of all.
    package func taking(_ store: StoreFile) -> Migrator {
        guard case .versions(let versions, let mappingModels, _) = road,
            let merged = versions.merging(for: store)
        else { return taking { $0.isNewer(store) } }
        var copy = self
        copy.road = .versions(merged, mappingModels, MigrationMemo(to: merged.destination))
        return copy
    }

    package func taking(_ source: ModelVersion) -> Migrator { taking { $0.isNewer(source) } }

    func isNewer(_ version: ModelVersion) -> Bool {
        for case .versions(let versions, _, _)? in [road, roadBack] {
            return versions.isNewer(version)
        }
        return false
    }

    private func taking(past isNewer: (StoreVersions) -> Bool) -> Migrator {
        guard let roadBack, case .versions(let versions, _, _) = roadBack, isNewer(versions) else {
            return self
        }
        var copy = self
        (copy.road, copy.roadBack) = (roadBack, nil)
        copy.faultyList = nil
        copy.stageRemarks =
            stagesPath.map {
                ["\(pathFromHere($0)): note: these stages are not used: they only lead forward"]
            } ?? []
        return copy
    }

    /// The notes on custom stages of a SwiftData plan on a route, whose functions do not run here.
    package func unrunStages(on route: MigrationRoute) -> [Diagnostic] {
        guard let source = route.source, let end = route.steps.last else { return [] }
        return unrunStages(from: source, to: end.destination)
    }

    /// Refuses a route through custom stages of a plan whose functions only the app can run, without handlers for them.
    package func requireCode(on route: MigrationRoute) throws(MomtoolError) {
        let missing = stages?.value.unrunStages(on: route) ?? []
        guard missing.isEmpty else { throw MomtoolError(.refused, saying: missing.map(\.refusal)) }
    }

    /// The same between two versions, whether or not a route leads there.
    func unrunStages(from source: ModelVersion, to target: ModelVersion) -> [Diagnostic] {
        guard case .versions = road else { return [] }
        return planned?.unrunStages(from: source.name, to: target.name) ?? []
    }

    /// Returns a ledger without what custom stages that do not run may carry over.
    package func leavingToStages(_ ledger: LossLedger) -> LossLedger {
        guard case .versions = road, let planned else { return ledger }
        return ledger.leavingToStages(of: planned)
    }

    func stageRemarks(on route: MigrationRoute) -> [String] {
        guard let back = route.source.map(taking), back.stages == nil else {
            return route.steps.isEmpty ? [] : stageRemarks
        }
        return back.remarks(on: route)
    }

    /// Returns the migrator with Swift code of policies by name; throws for a name that no mapping model calls.
    package func calling(
        _ policies: [String: any EntityMigrationPolicy]
    ) throws(MomtoolError) -> Migrator {
        guard !policies.isEmpty else { return self }
        let called = [road, roadBack].flatMap { road -> [CalledPolicy] in
            switch road {
            case .versions(let versions, let mappingModels, _)?:
                mappingModels.calledPolicies(among: versions.all)
            case .stages(let stages, _, _)?: stages.calledPolicies
            case nil: []
            }
        }
        try called.requireUse(of: policies.keys, stagesPath ?? bundles.last?.path ?? "")
        var copy = self
        copy.policies = MigrationPolicies(policies)
        return copy
    }

    package static func requireNone(
        of handlers: [String: StageHandlers],
        _ path: String
    ) throws(MomtoolError) {
        guard !handlers.isEmpty else { return }
        let message = "handlers belong to custom stages; name the stages file too"
        throw MomtoolError(.usage, path, message, "no-stages")
    }
}

extension ModelBundle {
    /// Reads a stages file, or Swift sources with a plan, with its faults; `nil` for one of another model.
    func stages(
        at path: String,
        _ swift: SwiftSettings,
        _ mappingModels: MappingModels
    ) throws(MomtoolError) -> Diagnosed<Stages>? {
        func read(_ models: [ModelBundle]) throws(MomtoolError) -> Diagnosed<Stages> {
            try Stages.read(path, models: models, swift: swift, mappingModels: mappingModels)
        }
        guard !leadsToSwiftSources(path) else { return try read([self]) }
        do throws(MomtoolError) {
            let own = try read([])
            guard !own.hasErrors, !own.value.models.isEmpty else {
                return own.hasErrors ? own : try read([self])
            }
            let place = resolvedPath(self.path)
            if own.value.models.contains(where: { resolvedPath($0.path) == place }) { return own }
            return own.value.models.contains(where: isSameSources) ? try read([self]) : nil
        } catch {
            guard error.diagnostics.contains(where: { $0.rule == "no-model" }) else { throw error }
            return try read([self])
        }
    }

    /// Whether other Swift sources, of a folder in this one or around it, have the same versions.
    private func isSameSources(_ other: ModelBundle) -> Bool {
        let paths = [path, other.path].map { resolvedPath($0) + "/" }
        return swift != nil && other.swift != nil
            && (paths[0].hasPrefix(paths[1]) || paths[1].hasPrefix(paths[0]))
            && versions.map(\.hashes) == other.versions.map(\.hashes)
    }
}

/// The version that wrote a store, and those with the same hashes.
package struct StoreWriter: Sendable, Hashable {
    /// The indexes of the versions with the store's hashes, the writer among them.
    package var equals: [Int]
    package var place: Int
    package var proof: WriterChoice.Proof

    /// Finds the writer of a store by its entity hashes, its version identifiers, then its model; versions are sorted.
    package init?(of store: StoreFile, among versions: [ModelVersion]) throws(StoreError) {
        let metadata = try store.metadata()
        self.init(
            of: store,
            metadata,
            among: versions,
            versions.places(withHashes: metadata.hashes)
        )
    }

    init?(
        of store: StoreFile,
        _ metadata: StoreMetadata,
        among versions: [ModelVersion],
        _ equals: [Int]
    ) {
        let choice = WriterChoice(
            among: equals.map { versions[$0] },
            identifiers: metadata.versionIdentifiers,
            embedded: { try? embeddedVersion(of: store)?.value.model }
        )
        guard let choice else { return nil }
        self.equals = equals
        (place, proof) = (equals[choice.place], choice.proof)
    }
}
