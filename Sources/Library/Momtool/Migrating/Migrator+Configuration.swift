package import Diagnostics
import FileSystem
package import MigrationPlanning
package import ModelLoading
package import ObjectModel
package import SettingsFiles
package import StoreFormat
import StoreMigration

extension Migrator {
    /// Finds migrations as an app does by its configuration: through its stages, else with its mapping models and
    /// policies, and with those that lie near the model.
    ///
    /// Of several stages files it is the first that lists the new version. A store of a version that it does not list is
    /// then refused, as the app refuses it.
    ///
    /// - Parameters:
    ///   - configuration: what is said for the model.
    ///   - bundle: the model, whose version stores get.
    ///   - version: the name of that version; the current one when left out.
    ///   - older: models that hold further versions of stores.
    ///   - mappingModels: the mapping models of the app.
    ///   - stages: the paths of stages files beside those of the configuration.
    ///   - semantics: how stages are walked.
    ///   - swift: what is said of Swift sources.
    /// - Throws: ``MomtoolError`` for a stages file or a mapping model that cannot be read.
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
        let target = try bundle.chosenVersion(version)
        for path in configuration.stagesFiles + stages {
            guard let read = try bundle.stages(at: path, swift, mappingModels.named) else {
                continue
            }
            guard !read.hasErrors else {
                let faults = read.diagnostics.filter { $0.severity == .error }
                throw MomtoolError(.badData, saying: faults)
            }
            let listed = read.value.file.stages.flatMap(\.versions).map(\.name)
            guard !listed.isEmpty, listed.allSatisfy({ bundle.version(named: $0) != nil }) else {
                continue
            }
            let obstacle =
                !listed.contains(target.name)
                ? "they do not lead to '\(target.name)'"
                // Functions that cannot run here are no road.
                : read.value.closures.isEmpty
                    ? nil : "their custom stages are Swift, which cannot be run here"
            let place = "\(pathFromHere(path)): note: these stages"
            if let obstacle {
                stageRemarks.append("\(place) are not used: \(obstacle)")
                continue
            }
            let found = try Migrator(stages: read.value, to: target.name, semantics: semantics)
            (roadBack, road, stageNotices) = (road, found.road, read.diagnostics)
            faultyList = found.faultyList
            stageRemarks = [
                "\(place) lead to '\(target.name)' and are used, as \(ToolConfiguration.fileName) names them"
            ]
            return
        }
        faultyList = bundle.faultyPlan(opening: target)
    }

    /// Refuses to go on by a list of stages that ends the app at its start.
    ///
    /// - Parameter isNewer: whether the store is of a newer version, which goes back past a plan.
    /// - Throws: ``MomtoolError`` with what is wrong with the list.
    func requireSoundList(unless isNewer: (StoreVersions) -> Bool) throws(MomtoolError) {
        guard let faultyList else { return }
        if case .versions(let versions, _, _) = road, isNewer(versions) { return }
        throw MomtoolError(.refused, saying: faultyList.faults)
    }

    /// The stages that lead on, with what is wrong with them where the configuration names them; `nil` where none do.
    package var stages: Diagnosed<Stages>? {
        guard case .stages(let stages, _, _) = road else { return nil }
        return Diagnosed(stages, stageNotices)
    }

    /// The path of the stages file that leads on; `nil` where none does.
    package var stagesPath: String? { stages?.value.file.path }

    /// The checksum of the version that stages lead to; `nil` where none do.
    package var stagesTarget: String? {
        guard case .stages(_, let target, _) = road else { return nil }
        return target
    }

    /// The migrator with another way to walk stages.
    package func walking(_ semantics: StageSemantics) -> Migrator {
        guard case .stages(let stages, let target, _) = road else { return self }
        var copy = self
        copy.road = .stages(stages, target: target, semantics)
        return copy
    }

    /// The migrator that takes a store: past the stages of the configuration where it is of a newer version, for stages
    /// lead forward alone.
    package func taking(_ store: StoreFile) -> Migrator {
        taking { $0.isNewer(store) }
    }

    /// The migrator that takes stores of a version.
    package func taking(_ source: ModelVersion) -> Migrator {
        taking { $0.isNewer(source) }
    }

    /// Whether a version is newer than the one that stores get.
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
                ["\(pathFromHere($0)): note: these stages are not used: they lead forward"]
            } ?? []
        return copy
    }

    /// Says of the custom stages of a plan of SwiftData on a route that their functions are not run here.
    package func unrunStages(on route: MigrationRoute) -> [Diagnostic] {
        guard let source = route.source, let end = route.steps.last else { return [] }
        return unrunStages(from: source, to: end.destination)
    }

    /// Refuses a route that takes custom stages of a plan whose functions only the app can run, and no handler stands in
    /// for.
    ///
    /// - Parameter route: a route that this value found.
    /// - Throws: ``MomtoolError`` with each of the stages.
    package func requireCode(on route: MigrationRoute) throws(MomtoolError) {
        let missing = stages?.value.unrunStages(on: route) ?? []
        guard missing.isEmpty else { throw MomtoolError(.refused, saying: missing.map(\.refusal)) }
    }

    /// Says the same of the way between two versions, whether or not a route leads there.
    func unrunStages(from source: ModelVersion, to target: ModelVersion) -> [Diagnostic] {
        guard case .versions = road else { return [] }
        return planned?.unrunStages(from: source.name, to: target.name) ?? []
    }

    /// Returns a ledger without what custom stages may carry over that are not run on the way.
    package func leavingToStages(_ ledger: LossLedger) -> LossLedger {
        guard case .versions = road, let planned else { return ledger }
        return ledger.leavingToStages(of: planned)
    }

    /// Says that stages are taken that the configuration names.
    func stageRemarks(on route: MigrationRoute) -> [String] {
        guard let back = route.source.map(taking), back.stages == nil else {
            return route.steps.isEmpty ? [] : stageRemarks
        }
        return back.remarks(on: route)
    }
}

extension Migrator {
    /// Returns the migrator with Swift code of policies, whose names its mapping models were given.
    ///
    /// - Parameter policies: the code, by the names that mapping models call it by.
    /// - Returns: the migrator.
    /// - Throws: ``MomtoolError`` for a name that no mapping model of the versions or stages calls.
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

    /// Refuses handlers of custom stages where no stages file is named.
    package static func requireNone(
        of handlers: [String: StageHandlers],
        _ path: String
    ) throws(MomtoolError) {
        guard !handlers.isEmpty else { return }
        let message = "handlers are those of custom stages; name the stages file too"
        throw MomtoolError(.usage, path, message, "no-stages")
    }
}

extension ToolConfiguration {
    /// The paths of the stages files, which are written from the folder of the configuration.
    package var stagesFiles: [String] {
        let folder = path.map(parent) ?? "."
        return stages.map { $0.hasPrefix("/") || folder == "." ? $0 : "\(folder)/\($0)" }
    }
}

extension ModelBundle {
    /// Reads a stages file, or Swift sources with a plan, that leads through the versions.
    ///
    /// - Parameters:
    ///   - path: the path of the file.
    ///   - swift: what is said of Swift sources.
    ///   - mappingModels: the mapping models that custom stages take.
    /// - Returns: the stages, with what is wrong with them; `nil` for a file that names another model.
    /// - Throws: ``MomtoolError`` for what cannot be read at all.
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
            return own.value.models.contains { resolvedPath($0.path) == place } ? own : nil
        } catch {
            guard error.diagnostics.contains(where: { $0.rule == "no-model" }) else { throw error }
            return try read([self])
        }
    }
}
