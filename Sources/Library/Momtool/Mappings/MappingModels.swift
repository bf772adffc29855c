package import Diagnostics
import Essentials
import FileSystem
import MappingInference
package import MigrationPlanning
import ModelHashing
import ModelLoading
package import ObjectModel
package import SettingsFiles

/// The mapping models of an app; each step uses the one that fits it, as in Core Data.
///
/// A compiled one has the hashes of the entities that it maps. A source names its two models: their hashes are used if
/// its path leads to them from a folder above it; otherwise their names must be those of the step.
package struct MappingModels: Sendable {
    struct Item: Sendable {
        var path: String
        var source: MappingModelSource
        var start: End
        var end: End
        var origin: Origin
        /// Why it cannot be used, as far as its reading shows.
        var faults: [Diagnostic] = []
        /// Whether it refuses its step where it cannot be used, though it was only found.
        var isBinding = false

        var name: String { path.split(separator: "/").last.map(String.init) ?? path }

        /// The name without its extension, which a source and its compiled form share.
        var stem: String { fileURL(path).deletingPathExtension().lastPathComponent }

        func isCopy(of other: Item) -> Bool { source.entityMappings == other.source.entityMappings }

        /// Whether it names two versions, or maps an entity that differs between them: unchanged ones do not tell steps
        /// apart.
        func maps(aChangeFrom source: ModelVersion, to destination: ModelVersion) -> Bool {
            if start.name == source.name, end.name == destination.name { return true }
            return self.source.entityMappings.contains { mapping in
                let old = mapping.sourceName.flatMap { source.hashes.entities[$0] }
                let new = mapping.destinationName.flatMap { destination.hashes.entities[$0] }
                return old != new
            }
        }
    }

    /// How a mapping model was found, the most specific first.
    enum Origin: Int, Sendable {
        case named
        /// It is in a named folder, or in a configuration.
        case listed
        /// It was found near the model, by its hashes.
        case found
    }

    struct End: Sendable {
        /// The hashes of the mapped entities; `nil` when its model was not found.
        var hashes: [String: VersionHash]?
        /// The name of the version, if a path has it.
        var name: String?
        var entities: Set<String>

        func fits(_ version: ModelVersion) -> Bool {
            guard let hashes else {
                let known = Set(version.model.entities.map(\.name))
                return name == version.name && known.isSuperset(of: entities)
            }
            return !hashes.isEmpty
                && hashes.allSatisfy { version.hashes.entities[$0.key] == $0.value }
        }
    }

    var items: [Item]
    /// The faults of mapping models in a folder that cannot be read, which are skipped where others can.
    package internal(set) var warnings: [Diagnostic]
    private(set) var policies: [String: MappingPolicy]
    /// The names of registered Swift code of policies, which takes precedence over settings.
    private(set) var codeNames: Set<String> = []
    /// Whether the app's own code takes stores through every version, each step by its mapping model or inferred.
    package var isStepwise = false

    package init() {
        items = []
        warnings = []
        policies = [:]
    }

    /// Reads `.xcmappingmodel` and `.cdm` files, or folders with some, and takes policies by class name.
    package init(at paths: [String], policies: [String: MappingPolicy] = [:]) throws(MomtoolError) {
        try self.init(at: paths, policies: policies, areAsked: true)
    }

    init(joining first: MappingModels, _ second: MappingModels) {
        items = first.items + second.items
        warnings = first.warnings + second.warnings
        policies = second.policies.isEmpty ? first.policies : second.policies
        codeNames = first.codeNames.union(second.codeNames)
        isStepwise = first.isStepwise || second.isStepwise
    }

    /// Reads mapping models; those that were not requested may be for no step of the route.
    init(
        at paths: [String],
        policies: [String: MappingPolicy],
        areAsked: Bool
    ) throws(MomtoolError) {
        var items: [Item] = []
        var warnings: [Diagnostic] = []
        for path in paths {
            let files = mappingFiles(at: trimmedPath(path))
            guard !files.isEmpty else {
                let message = "there is no mapping model"
                throw MomtoolError(.noInput, path, message, .notAMappingModel)
            }
            var faults: [Diagnostic] = []
            let count = items.count
            for file in files {
                let read = readMappingModel(at: file)
                if read.hasErrors {
                    faults += read.diagnostics
                } else {
                    let origin = areAsked && files == [path] ? Origin.named : .listed
                    items.append(Item(file, read.value, origin))
                }
            }
            guard items.count > count else { throw MomtoolError(.badData, saying: faults) }
            warnings += faults.map { fault in
                var fault = fault
                fault.severity = .warning
                fault.wording += "; the mapping model is ignored"
                return fault
            }
        }
        (self.items, self.warnings, self.policies) = (items, warnings, policies)
    }

    /// The map of a mapping model, with the policies that were declared for it.
    func map(of item: Item) -> Diagnosed<StageMap> {
        let declared = policies(of: item.source, at: item.path)
        return stageMap(of: item.source, path: item.path, declaring: declared)
    }

    /// Returns the map and the path of the mapping model for a step; `nil` when there is none.
    package func map(
        from source: ModelVersion,
        to destination: ModelVersion
    ) throws(MomtoolError) -> (map: StageMap, path: String)? {
        guard let item = fitting(from: source, to: destination) else { return nil }
        let map = map(of: item)
        let declared = declaredPolicies(of: item)
        var faults = item.faults + (map.hasErrors ? map.diagnostics : [])
        if faults.isEmpty, declared.contains(where: { if case .map = $0 { true } else { false } }) {
            // The work of people is judged before a step uses it.
            faults =
                map.value.lowered(
                    completing: inferMapping(from: source, to: destination),
                    from: source.model,
                    to: destination.model
                ).diagnostics
        }
        guard faults.isEmpty else {
            let step = RouteStep(.map, from: source, to: destination)
            let others = ambiguity(on: step).map { [$0] } ?? []
            var error = MomtoolError(.refused, saying: faults + others)
            error.mappingModel = item.path
            error.isOfDeclaredPolicy = !declared.isEmpty
            throw error
        }
        return (map.value, item.path)
    }

    /// Returns the mapping models with those around a model, one of which a step uses if none was named.
    package func searching(around model: String) -> MappingModels {
        var all = self
        let known = Set(items.map { FileIdentity(of: $0.path) })
        all.items += NearbyMappingModels.items(of: model)
            .filter { !known.contains(FileIdentity(of: $0.path)) }
        return all
    }

    func declaring(_ policies: [String: MappingPolicy]) -> MappingModels {
        var all = self
        all.policies.merge(policies) { own, _ in own }
        return all
    }

    /// Returns the mapping models with policies in Swift code.
    package func registering(_ names: some Sequence<String>) -> MappingModels {
        var all = self
        all.codeNames.formUnion(names)
        return all
    }

    /// Returns the mapping models with relative paths for those below the current folder.
    func namedFromHere() -> MappingModels {
        var all = self
        for index in all.items.indices {
            all.items[index].path = pathFromHere(all.items[index].path)
        }
        return all
    }

    /// The mapping models, each of which refuses its step if it cannot be used, as named ones do.
    package var binding: MappingModels {
        var all = self
        for index in all.items.indices { all.items[index].isBinding = true }
        return all
    }

    package var named: MappingModels {
        var all = self
        all.items.removeAll { $0.origin == .found }
        return all
    }

    /// The mapping model for a step; of several a named one, and of these the one that maps most.
    func fitting(from source: ModelVersion, to destination: ModelVersion) -> Item? {
        candidates(from: source, to: destination).max { first, second in
            (second.faults.isEmpty ? 1 : 0, second.source.entityMappings.count)
                > (first.faults.isEmpty ? 1 : 0, first.source.entityMappings.count)
        }
    }

    /// The mapping models for a step: those that were named, or listed, or found.
    func candidates(from source: ModelVersion, to destination: ModelVersion) -> [Item] {
        guard source.hashes != destination.hashes else { return [] }
        let fitting = items.filter { item in
            item.start.fits(source) && item.end.fits(destination)
                && (item.origin != .found || item.maps(aChangeFrom: source, to: destination))
        }
        let origin = fitting.map(\.origin.rawValue).min()
        return fitting.filter { $0.origin.rawValue == origin }
    }

    /// Whether one leads from a version of a model to a version of another, so that they are of one model.
    package func lead(from sources: [ModelVersion], to destinations: [ModelVersion]) -> Bool {
        items.contains { item in
            sources.contains(where: item.start.fits) && destinations.contains(where: item.end.fits)
        }
    }

    /// The error for a named mapping model that is not for a step of the route, with its step; `nil` if all are used.
    func refusal(of used: Set<String>, among versions: [ModelVersion]) -> MomtoolError? {
        let named = items.filter { $0.origin == .named }
        // With several, each is for its own step, which need not be part of the route.
        guard let item = named.first, named.allSatisfy({ !used.contains($0.path) }) else {
            return nil
        }
        func name(_ end: End) -> String {
            versions.last { end.fits($0) }?.name ?? end.name ?? "a missing version"
        }
        let step = "\(name(item.start)) → \(name(item.end))"
        let message = "by its hashes, the mapping model is for \(step), not for this step"
        return MomtoolError(.refused, item.path, message, "other-mapping-model")
    }
}

extension MappingModels.Item {
    init(_ path: String, _ source: MappingModelSource, _ origin: MappingModels.Origin) {
        (self.path, self.origin, self.source) = (path, origin, source)
        let ends = source.entityMappings
        start = MappingModels.End(
            path,
            source.sourceModelPath,
            source.sourceModelPath == source.destinationModelPath,
            ends.map { ($0.sourceName, $0.sourceHash) }
        )
        end = MappingModels.End(
            path,
            source.destinationModelPath,
            source.sourceModelPath == source.destinationModelPath,
            ends.map { ($0.destinationName, $0.destinationHash) }
        )
    }
}

extension MappingModels.End {
    fileprivate init(
        _ mapping: String,
        _ recorded: String?,
        _ isAmbiguous: Bool,
        _ entities: [(name: String?, hash: VersionHash?)]
    ) {
        let names = Set(entities.compactMap(\.name))
        self.entities = names
        name = recorded.map { fileURL($0).deletingPathExtension().lastPathComponent }
        let compiled = entities.compactMap { entity in
            entity.name.flatMap { name in entity.hash.map { (name, $0) } }
        }
        guard compiled.isEmpty else {
            hashes = Dictionary(firstOf: compiled)
            return
        }
        // It does not tell two models of one name apart.
        guard !isAmbiguous, let recorded, let path = modelPath(recorded, above: mapping),
            let bundle = try? ModelPlace(path).read(), !bundle.hasErrors,
            let version = try? bundle.value.chosenVersion()
        else { return }
        hashes = version.hashes.entities.filter { names.contains($0.key) }
    }
}

/// Finds a model by the path in a mapping model, which is relative to a folder above; `nil` for none.
///
/// A project that was rearranged has the bundle elsewhere, so that shorter ends of the path are tried too.
package func modelPath(_ recorded: String, above mapping: String) -> String? {
    let parts = recorded.split(separator: "/").filter { $0 != "." && $0 != ".." }
    let ends = parts.indices.prefix(16).map { parts[$0...].joined(separator: "/") }
    var folder = fileURL(mapping).standardizedFileURL
    for _ in 0..<32 where folder.path != "/" {
        folder.deleteLastPathComponent()
        for end in ends {
            let path = folder.appending(path: end).path
            if Files.exists(at: path), boundsFault(path, in: parent(of: mapping)) == nil {
                return path
            }
        }
    }
    return nil
}

func isMappingModel(_ path: String) -> Bool {
    ["xcmappingmodel", "cdm"].contains(fileURL(trimmedPath(path)).pathExtension)
}

func mappingFiles(at path: String) -> [String] {
    if isMappingModel(path) { return FileIdentity(of: path) == nil ? [] : [path] }
    let contents = "xcmapping.xml"
    return filePaths(below: path, endingIn: contents, ".cdm").compactMap { path in
        guard path.hasSuffix(contents) else { return path }
        let bundle = path.dropLast(contents.count + 1)
        return bundle.hasSuffix(".xcmappingmodel") ? String(bundle) : nil
    }.sorted()
}
