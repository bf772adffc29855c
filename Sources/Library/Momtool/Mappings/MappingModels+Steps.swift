import Diagnostics
import Essentials
import FileSystem
import MigrationPlanning
import ModelHashing
package import ObjectModel
package import SettingsFiles
package import StoreMigration

extension MappingModels {
    /// Finds the route from a version to another with mapping models, or through every version.
    ///
    /// If the app migrates version by version, it is that chain; otherwise one step with a mapping model, or, if
    /// inference refuses the step, the shortest chain of steps with either. `nil` is one step without a mapping model.
    package func route(
        from source: ModelVersion,
        to destination: ModelVersion,
        in versions: StoreVersions
    ) throws(MomtoolError) -> MigrationRoute? {
        guard !items.isEmpty || isStepwise, source.hashes != destination.hashes else { return nil }
        let memo = StepMemo()
        var stops = [source, destination]
        if isStepwise {
            stops = Self.stops(from: source, to: destination, in: versions.all)
        } else if fitting(from: source, to: destination) == nil {
            if !memo.isLegal(source, destination) {
                stops = chain(from: source, to: destination, in: versions.all, memo) ?? stops
            }
        }
        var stages: [MigrationStage] = []
        var works: [Int: CustomStageWork] = [:]
        var paths: [Int: String] = [:]
        for (from, to) in zip(stops, stops.dropFirst()) {
            let ends = (ManagedObjectModelReference(from), ManagedObjectModelReference(to))
            guard let found = try usableMap(from: from, to: to, memo, on: stops) else {
                stages.append(.lightweight(LightweightMigrationStage([ends.0, ends.1])))
                continue
            }
            works[stages.count] = CustomStageWork(map: found.map)
            paths[stages.count] = found.path
            let label = "by \(fileURL(found.path).lastPathComponent)"
            stages.append(
                .custom(
                    CustomMigrationStage(
                        migratingFrom: ends.0,
                        to: ends.1,
                        label: label,
                        parts: [.map]
                    )
                )
            )
        }
        if let refusal = refusal(of: Set(paths.values), among: versions.all) { throw refusal }
        guard !paths.isEmpty || stops.count > 2 else { return nil }
        do throws(StoreMigrationError) {
            var route = try MigrationRoute(
                by: StagedMigrationManager(stages),
                works: works,
                from: source.checksum,
                to: destination.checksum,
                semantics: .stepwise
            )
            route.mappingModels = paths
            return route
        } catch { throw MomtoolError(error) }
    }

    /// The map for a step; one that was found and cannot be used gives way to inference without declared policies.
    private func usableMap(
        from source: ModelVersion,
        to destination: ModelVersion,
        _ memo: StepMemo,
        on stops: [ModelVersion]
    ) throws(MomtoolError) -> (map: StageMap, path: String)? {
        do throws(MomtoolError) { return try map(from: source, to: destination) } catch {
            var error = error
            if stops.count > 2, !isStepwise {
                let paths = zip(stops, stops.dropFirst()).compactMap { path(from: $0, to: $1) }
                let chain = MappingChain(names: stops.map(\.name), mappingModels: paths)
                error.chain = chain
                error.remarks.append("\(chain.refusal)")
            }
            let item = fitting(from: source, to: destination)
            guard !error.isOfDeclaredPolicy, item?.origin == .found, item?.isBinding == false,
                memo.isLegal(source, destination)
            else { throw error }
            return nil
        }
    }

    /// The shortest chain of versions with a mapping model or inference for each step, and the most mapping models;
    /// `nil` for one without any.
    private func chain(
        from source: ModelVersion,
        to destination: ModelVersion,
        in versions: [ModelVersion],
        _ memo: StepMemo
    ) -> [ModelVersion]? {
        struct Reached {
            var steps: Int
            var inferred: Int
            var previous: Int
        }
        let stops = Self.stops(from: source, to: destination, in: versions)
        guard stops.count > 2 else { return nil }
        var reached: [Reached?] = [Reached(steps: 0, inferred: 0, previous: 0)]
        reached += [Reached?](repeating: nil, count: stops.count - 1)
        for (end, stop) in stops.enumerated().dropFirst() {
            for start in 0..<end {
                guard let before = reached[start] else { continue }
                let isMapped = fitting(from: stops[start], to: stop) != nil
                let next = Reached(
                    steps: before.steps + 1,
                    inferred: before.inferred + (isMapped ? 0 : 1),
                    previous: start
                )
                if let best = reached[end],
                    (best.steps, best.inferred) <= (next.steps, next.inferred)
                {
                    continue
                }
                guard isMapped || memo.isLegal(stops[start], stop) else { continue }
                reached[end] = next
            }
        }
        guard let last = reached[stops.count - 1], last.inferred < last.steps else { return nil }
        var path = [stops.count - 1]
        while let index = path.last, index > 0, let step = reached[index] {
            path.append(step.previous)
        }
        return path.reversed().map { stops[$0] }
    }

    /// The versions from one to another, older or newer, those with equal hashes once.
    static func stops(
        from source: ModelVersion,
        to destination: ModelVersion,
        in versions: [ModelVersion]
    ) -> [ModelVersion] {
        let start = versions.lastIndex { $0.hashes == source.hashes }
        let end = versions.lastIndex { $0.hashes == destination.hashes }
        guard let start, let end, start < end else { return [source, destination] }
        var known: Set<ModelHashes> = []
        return versions[start...end].filter { known.insert($0.hashes).inserted }
    }

    /// Gives each custom stage without a map the mapping model for its step; throws for a named one for no such step.
    func addMaps(
        to works: inout [Int: CustomStageWork],
        _ manager: inout StagedMigrationManager,
        of file: StagesFile,
        among versions: [ModelVersion],
        _ find: (StagesFile.Version) throws(MomtoolError) -> ModelVersion?
    ) throws(MomtoolError) {
        guard !items.isEmpty else { return }
        var used: Set<String> = []
        for (place, stage) in file.stages.enumerated() where stage.isCustom {
            guard stage.versions.count == 2, let source = try find(stage.versions[0]),
                let destination = try find(stage.versions[1]),
                let found = try named.map(from: source, to: destination)
            else { continue }
            used.insert(found.path)
            guard works[place]?.map == nil else { continue }
            works[place, default: CustomStageWork()].map = found.map
            works[place]?.mappingModel = found.path
            guard case .custom(var custom) = manager.stages[place] else { continue }
            custom.parts.insert(.map)
            manager.stages[place] = .custom(custom)
        }
        if let refusal = refusal(of: used, among: versions) { throw refusal }
    }

    /// Reads the mapping models that settings name from a folder, and policies: `delete`, `copy`, or the path of a map.
    package init(
        settings paths: [String],
        policies: [String: String],
        in folder: String
    ) throws(MomtoolError) {
        let known = try Self.policies(policies, in: folder)
        try self.init(at: paths.map { located($0, in: folder) }, policies: known)
    }

    private static func policies(
        _ policies: [String: String],
        in folder: String
    ) throws(MomtoolError) -> [String: MappingPolicy] {
        var known: [String: MappingPolicy] = [:]
        for (name, what) in policies.sorted(by: { $0.key < $1.key }) {
            if let policy = MappingPolicy(word: what) {
                known[name] = policy
            } else {
                let place = located(what, in: folder)
                let text = readText(place)
                let map = text.hasErrors ? nil : readStageMap(text.value, path: pathFromHere(place))
                let faults = text.diagnostics + (map?.diagnostics ?? [])
                guard let map, !map.hasErrors else { throw MomtoolError(.badData, saying: faults) }
                known[name] = .map(map.value)
            }
        }
        return known
    }

    /// Reads the mapping models of arguments and of a configuration, whose policies hold for both.
    package init(_ paths: [String], _ configuration: ToolConfiguration) throws(MomtoolError) {
        let current = Surroundings.current.folderPath
        let file = configuration.path.map { fileURL($0) }
        let folder = file?.deletingLastPathComponent().path ?? current
        try Self.requireFiles(of: configuration, in: folder)
        let policies = try Self.policies(configuration.policies, in: folder)
        let settings = configuration.mappingModels.map { located($0, in: folder) }
        let known = try MappingModels(at: settings, policies: policies, areAsked: false)
        let places = paths.map { located($0, in: current) }
        let named = try MappingModels(at: places, policies: policies)
        self.init(joining: known, named)
        isStepwise = configuration.isStepwise
    }

    /// Refuses missing paths of a configuration, all at once, each at its line.
    private static func requireFiles(
        of configuration: ToolConfiguration,
        in folder: String
    ) throws(MomtoolError) {
        let maps = configuration.policies.values.filter { MappingPolicy(word: $0) == nil }
        let faults = (configuration.mappingModels + maps.sorted()).compactMap { path in
            // Paths in a case are not in the configuration.
            configuration.locations[path].flatMap { location in
                FileIdentity(of: located(path, in: folder)) == nil
                    ? Diagnostic(.unreadableFile, "there is no '\(path)'", at: location) : nil
            }
        }
        guard faults.isEmpty else { throw MomtoolError(.noInput, saying: faults) }
    }

    /// Warns about declared policies that no mapping model calls, where one calls an undeclared one.
    private func strayPolicies(of configuration: ToolConfiguration) -> [Diagnostic] {
        let short = MappingPolicy.shortName
        let called = items.flatMap(calledPolicies)
        let open = Set(called.filter { $0.policy == nil }.map(\.name)).sorted()
        guard !open.isEmpty else { return [] }
        let names = Set(called.map { short($0.name) })
        return configuration.policies.keys.sorted().filter { !names.contains(short($0)) }.map {
            let near = suggestion(for: short($0), among: open.map(short))
            return Diagnostic(
                .mappingPolicy,
                "no mapping model calls the policy '\($0)'\(near)",
                severity: .warning,
                at: configuration.locations[$0]
            )
        }
    }

    /// Finds the mapping models of an app: the named ones, those of its configuration, and those around its model.
    package init(
        around model: String?,
        _ configuration: ToolConfiguration,
        naming paths: [String] = []
    ) throws(MomtoolError) {
        let named = try MappingModels(paths, configuration)
        let all = model.map(named.searching) ?? named
        // Where the path of the model is relative, so are these.
        self = model?.hasPrefix("/") == false ? all.namedFromHere() : all
        warnings += strayPolicies(of: configuration)
        let lost = items.filter { $0.start.hashes == nil || $0.end.hashes == nil }
        if let model, !lost.isEmpty, let bundle = try? ModelPlace(model).read().value {
            warnings += lost.compactMap { $0.stray(of: bundle) }
        }
    }

    /// Finds the readable mapping models of an app, where the faults of the others are reported elsewhere.
    package init(usableOf configuration: ToolConfiguration, around model: String) {
        var rest = configuration
        rest.policies = configuration.policies.filter { name, what in
            var one = configuration
            (one.mappingModels, one.policies) = ([], [name: what])
            return (try? MappingModels([], one)) != nil
        }
        rest.mappingModels = configuration.mappingModels.filter { path in
            var one = rest
            one.mappingModels = [path]
            return (try? MappingModels([], one)) != nil
        }
        do throws(MomtoolError) { try self.init(around: model, rest) } catch {
            self = MappingModels().searching(around: model).namedFromHere()
            isStepwise = configuration.isStepwise
        }
        let unread = configuration.policies.keys.filter { rest.policies[$0] == nil }
        self = declaring(Dictionary(uniqueKeysWithValues: unread.map { ($0, .unreadable) }))
    }

    /// The fault of a mapping model that a stage names for another step; `nil` when it is for the step.
    package func fault(
        from source: ModelVersion,
        to destination: ModelVersion,
        at location: FileLocation
    ) -> Diagnostic? {
        guard let item = items.first, fitting(from: source, to: destination) == nil else {
            return nil
        }
        let missing = item.start.fits(source) ? destination.name : source.name
        let message =
            "the mapping model \(item.name) is not for the step "
            + "'\(source.name)' → '\(destination.name)': its hashes differ from those of '\(missing)'"
        return Diagnostic("other-mapping-model", message, at: location)
    }
}

private func located(_ path: String, in folder: String) -> String {
    path.hasPrefix("/") ? path : folder + "/" + path
}
