import Diagnostics
import Essentials
import FileSystem
import MappingInference
import MigrationPlanning
import ModelHashing
import ObjectModel
package import SettingsFiles

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
        func path(_ path: String) -> String { path.hasPrefix("/") ? path : folder + "/" + path }
        var known: [String: MappingPolicy] = [:]
        for (name, what) in policies.sorted(by: { $0.key < $1.key }) {
            switch what {
            case "delete": known[name] = .delete
            case "copy": known[name] = .copy
            default:
                let text = readText(path(what))
                let map = text.hasErrors ? nil : readStageMap(text.value, path: path(what))
                let faults = text.diagnostics + (map?.diagnostics ?? [])
                guard let map, !map.hasErrors else {
                    throw MomtoolError(.badData, faults.map(\.description))
                }
                known[name] = .map(map.value)
            }
        }
        try self.init(at: paths.map(path), policies: known)
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
        let file = configuration.path ?? ""
        let parent = fileURL(file).deletingLastPathComponent().path
        let current = FileManager.default.currentDirectoryPath
        let absolute = paths.map { $0.hasPrefix("/") ? $0 : current + "/" + $0 }
        try self.init(
            settings: configuration.mappingModels + absolute,
            policies: configuration.policies,
            in: configuration.path == nil ? current : parent
        )
    }
}
