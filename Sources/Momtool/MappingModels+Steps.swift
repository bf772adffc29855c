import Diagnostics
import Essentials
import FileSystem
import MappingInference
package import MigrationPlanning
import ModelHashing
package import ObjectModel
package import SettingsFiles
package import StoreMigration

extension MappingModels {
    /// A step with what carries it out.
    struct Step {
        var from: ModelVersion
        var to: ModelVersion
        /// What the mapping model says; `nil` for a step that is inferred.
        var map: StageMap?
        /// What people are told of it.
        var label: String?

        init(_ from: ModelVersion, _ to: ModelVersion) {
            (self.from, self.to) = (from, to)
        }
    }

    /// Finds the steps from a version to another by mapping models.
    ///
    /// - Returns: one step that a mapping model is for; where there is none and inference refuses the step too, a chain
    ///   through the versions between; `nil` when no mapping model takes part.
    /// - Throws: ``MomtoolError`` for a mapping model that was named and is for no step that is taken, or that cannot be
    ///   carried out.
    func steps(
        from source: ModelVersion,
        to destination: ModelVersion,
        in versions: StoreVersions
    ) throws(MomtoolError) -> [Step]? {
        guard !items.isEmpty, source.hashes != destination.hashes else { return nil }
        var used: Set<String> = []
        var steps = [try step(source, destination, &used)]
        if steps[0].map == nil, !inferMapping(from: source, to: destination).isInferable {
            let stops = Self.stops(from: source, to: destination, in: versions.all)
            var chain: [Step] = []
            for (from, to) in zip(stops, stops.dropFirst()) {
                let step = try step(from, to, &used)
                let isLegal = step.map != nil || inferMapping(from: from, to: to).isInferable
                guard isLegal else {
                    chain = []
                    break
                }
                chain.append(step)
            }
            if chain.count > 1 { steps = chain }
        }
        let isMapped = steps.contains { $0.map != nil }
        if !isMapped { used = [] }
        if let refusal = refusal(of: used, among: versions.all) { throw refusal }
        return isMapped ? steps : nil
    }

    private func step(
        _ from: ModelVersion,
        _ to: ModelVersion,
        _ used: inout Set<String>
    ) throws(MomtoolError) -> Step {
        var step = Step(from, to)
        guard let found = try map(from: from, to: to) else { return step }
        used.insert(found.path)
        step.map = found.map
        step.label = "by \(fileURL(found.path).lastPathComponent)"
        return step
    }

    /// The versions from one to another, older or newer, those with equal hashes once.
    private static func stops(
        from source: ModelVersion,
        to destination: ModelVersion,
        in versions: [ModelVersion]
    ) -> [ModelVersion] {
        let start = versions.lastIndex { $0.hashes == source.hashes }
        let end = versions.lastIndex { $0.hashes == destination.hashes }
        guard let start, let end, start < end else { return [source, destination] }
        var known: Set<ModelHashes> = []
        let between = versions[start...end].filter { known.insert($0.hashes).inserted }
        return between
    }
}

extension MappingModels {
    /// The stages from a version to another by mapping models; `nil` when none takes part.
    ///
    /// - Throws: ``MomtoolError`` for a mapping model that was named and is for no step that is taken, or that cannot be
    ///   carried out.
    package func stages(
        from source: ModelVersion,
        to destination: ModelVersion,
        in versions: StoreVersions
    ) throws(MomtoolError) -> (manager: StagedMigrationManager, works: [Int: CustomStageWork])? {
        guard let steps = try steps(from: source, to: destination, in: versions) else { return nil }
        let stages = steps.map { step in
            let from = ManagedObjectModelReference(step.from)
            let to = ManagedObjectModelReference(step.to)
            guard let label = step.label else {
                return MigrationStage.lightweight(LightweightMigrationStage([from, to]))
            }
            return MigrationStage.custom(
                CustomMigrationStage(migratingFrom: from, to: to, label: label, parts: [.map])
            )
        }
        let works = steps.enumerated().compactMap { place, step in
            step.map.map { (place, CustomStageWork(map: $0)) }
        }
        return (StagedMigrationManager(stages), Dictionary(uniqueKeysWithValues: works))
    }

    /// Gives each custom stage without a map that of the mapping model which is for its step.
    ///
    /// - Throws: ``MomtoolError`` for a mapping model that was named and is for no step of a custom stage.
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
                let found = try map(from: source, to: destination)
            else { continue }
            used.insert(found.path)
            guard works[place]?.map == nil else { continue }
            works[place, default: CustomStageWork()].map = found.map
            guard case .custom(var custom) = manager.stages[place] else { continue }
            custom.parts.insert(.map)
            manager.stages[place] = .custom(custom)
        }
        if let refusal = refusal(of: used, among: versions) { throw refusal }
    }
}

extension MappingModels {
    /// Reads the mapping models that settings name, with what their policies do.
    ///
    /// - Parameters:
    ///   - paths: the paths of the mapping models, from the folder.
    ///   - policies: what policies do: `delete`, `copy`, or the path of a map.
    ///   - folder: the folder that paths start from.
    /// - Throws: ``MomtoolError`` for what cannot be read.
    public init(
        settings paths: [String],
        policies: [String: String],
        in folder: String
    ) throws(MomtoolError) {
        let known = try Self.policies(policies, in: folder)
        try self.init(at: paths.map { located($0, in: folder) }, policies: known)
    }

    /// Reads the mapping models that lie beside a model, as those of an app do.
    package init(
        beside model: String,
        policies: [String: String],
        in folder: String
    ) throws(MomtoolError) {
        let place = fileURL(trimmedPath(model)).deletingLastPathComponent()
        let names = (try? FileManager.default.contentsOfDirectory(atPath: place.path)) ?? []
        let paths = names.sorted().filter {
            $0.hasSuffix(".xcmappingmodel") || $0.hasSuffix(".cdm")
        }
        .map { place.appending(path: $0).path }
        let known = try Self.policies(policies, in: folder)
        try self.init(at: paths, policies: known, areAsked: false)
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
                let map = text.hasErrors ? nil : readStageMap(text.value, path: place)
                let faults = text.diagnostics + (map?.diagnostics ?? [])
                guard let map, !map.hasErrors else {
                    throw MomtoolError(.badData, faults.map(\.description))
                }
                known[name] = .map(map.value)
            }
        }
        return known
    }

    /// Reads the mapping models that arguments name, and those of a configuration.
    ///
    /// - Parameters:
    ///   - paths: the paths of the arguments.
    ///   - configuration: what is said for the model; its policies count for those of the arguments too.
    /// - Throws: ``MomtoolError`` for what cannot be read.
    package init(
        _ paths: [String],
        _ configuration: ToolConfiguration
    ) throws(MomtoolError) {
        let current = FileManager.default.currentDirectoryPath
        let file = configuration.path.map { fileURL($0) }
        let folder = file?.deletingLastPathComponent().path ?? current
        let policies = try Self.policies(configuration.policies, in: folder)
        let settings = configuration.mappingModels.map { located($0, in: folder) }
        let known = try MappingModels(at: settings, policies: policies, areAsked: false)
        let places = paths.map { located($0, in: current) }
        let named = try MappingModels(at: places, policies: policies)
        self.init(joining: known, named)
    }
}

private func located(_ path: String, in folder: String) -> String {
    path.hasPrefix("/") ? path : folder + "/" + path
}
