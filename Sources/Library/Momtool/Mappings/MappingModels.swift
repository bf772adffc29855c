package import Diagnostics
import Essentials
import FileSystem
import MappingInference
package import MigrationPlanning
import ModelHashing
import ModelLoading
package import ObjectModel
package import SettingsFiles
import StoreMigration

/// The mapping models of an app, of which each step takes the one that is for it, as Core Data does.
///
/// A compiled one has the hashes of the entities that it maps. A source names its two models, whose hashes are taken
/// where they are found by the path that it has, in the folders above it; else their names must be those of the step.
///
/// ```swift
/// let mappings = try MappingModels(at: ["Mappings"], policies: ["DropNotices": .delete])
/// let migration = try Migrator(models: models, mappingModels: mappings).migration(of: store)
/// ```
package struct MappingModels: Sendable {
    /// One of them, with the step that it is for.
    struct Item: Sendable {
        var path: String
        var source: MappingModelSource
        var start: End
        var end: End
        /// How it came to be known.
        var origin: Origin
        /// Whether it refuses its step where it cannot be carried out, though it was only found.
        var isBinding = false

        var name: String { path.split(separator: "/").last.map(String.init) ?? path }

        /// The name without its extension, which a source and its compiled form have in common.
        var stem: String { fileURL(path).deletingPathExtension().lastPathComponent }

        func isCopy(of other: Item) -> Bool {
            source.entityMappings == other.source.entityMappings
        }

        /// Whether an entity is mapped that differs between two versions: what stays the same tells no step from others.
        func maps(aChangeFrom source: ModelVersion, to destination: ModelVersion) -> Bool {
            self.source.entityMappings.contains { mapping in
                let old = mapping.sourceName.flatMap { source.hashes.entities[$0] }
                let new = mapping.destinationName.flatMap { destination.hashes.entities[$0] }
                return old != new
            }
        }
    }

    /// How a mapping model came to be known, the most telling first.
    enum Origin: Int, Sendable {
        /// It was named by itself.
        case named
        /// It is in a folder, or in a configuration, that was named.
        case listed
        /// It was found near the model, by its hashes.
        case found
    }

    /// A model that a mapping model leads from or to.
    struct End: Sendable {
        /// The hashes of the entities that are mapped; `nil` when its model was not found.
        var hashes: [String: VersionHash]?
        /// The name of the version, where a path tells it.
        var name: String?
        /// The names of the entities that are mapped.
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

    private(set) var items: [Item]
    /// What is wrong with those that a folder holds beside others and that cannot be read: they stand aside.
    package internal(set) var warnings: [Diagnostic]
    private(set) var policies: [String: MappingPolicy]
    /// The names under which Swift code of policies is registered, which counts before what settings say.
    private(set) var codeNames: Set<String> = []
    /// Whether the app's own code takes stores through every version, each step by its mapping model or inferred.
    package var isStepwise = false

    /// Has no mapping model.
    package init() {
        items = []
        warnings = []
        policies = [:]
    }

    /// Reads mapping models.
    ///
    /// - Parameters:
    ///   - paths: `.xcmappingmodel` and `.cdm` files, or folders that hold some.
    ///   - policies: what the migration policies do that they name, by the names of their classes.
    /// - Throws: ``MomtoolError`` for one that is named and cannot be read, and for a folder with none that can.
    package init(
        at paths: [String],
        policies: [String: MappingPolicy] = [:]
    ) throws(MomtoolError) {
        try self.init(at: paths, policies: policies, areAsked: true)
    }

    init(joining first: MappingModels, _ second: MappingModels) {
        items = first.items + second.items
        warnings = first.warnings + second.warnings
        policies = second.policies.isEmpty ? first.policies : second.policies
        codeNames = first.codeNames.union(second.codeNames)
        isStepwise = first.isStepwise || second.isStepwise
    }

    /// Reads mapping models; those that were not asked for may be for no step that is taken.
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
            guard items.count > count else {
                throw MomtoolError(.badData, saying: faults)
            }
            warnings += faults.map { fault in
                var fault = fault
                fault.severity = .warning
                fault.wording += "; the mapping model is ignored"
                return fault
            }
        }
        self.items = items
        self.warnings = warnings
        self.policies = policies
    }

    /// Returns the map of the mapping model that is for a step; `nil` when there is none.
    ///
    /// - Parameters:
    ///   - source: the version that the step starts from.
    ///   - destination: the version that it leads to.
    /// - Returns: the map, and the path of the mapping model.
    /// - Throws: ``MomtoolError`` when it cannot be carried out, such as for a policy that was not declared.
    package func map(
        from source: ModelVersion,
        to destination: ModelVersion
    ) throws(MomtoolError) -> (map: StageMap, path: String)? {
        guard let item = fitting(from: source, to: destination) else { return nil }
        let map = stageMap(
            of: item.source,
            path: item.path,
            declaring: policies(of: item.source, at: item.path)
        )
        let declared = declaredPolicies(of: item)
        var faults = map.hasErrors ? map.diagnostics : []
        if faults.isEmpty, declared.contains(where: \.isMap) {
            // What somebody wrote is judged before a step is taken by it.
            faults =
                map.value.lowered(
                    completing: inferMapping(from: source, to: destination),
                    from: source.model,
                    to: destination.model
                ).diagnostics
        }
        guard faults.isEmpty else {
            let step = StagedStep(.map, from: source, to: destination)
            let others = ambiguity(on: step).map { [$0] } ?? []
            var error = MomtoolError(.refused, saying: faults + others)
            error.mappingModel = item.path
            error.isOfDeclaredPolicy = !declared.isEmpty
            throw error
        }
        return (map.value, item.path)
    }

    /// Returns the mapping models with those of the project around a model, of which a step takes one where none was
    /// named.
    ///
    /// - Parameter model: the path of the model.
    /// - Returns: all of them.
    package func searching(around model: String) -> MappingModels {
        var all = self
        let known = Set(items.map { FileIdentity(of: $0.path) })
        all.items += NearbyMappingModels.items(of: model)
            .filter { !known.contains(FileIdentity(of: $0.path)) }
        return all
    }

    /// Returns the mapping models with what is said elsewhere of policies that are not declared here.
    func declaring(_ policies: [String: MappingPolicy]) -> MappingModels {
        var all = self
        all.policies.merge(policies) { own, _ in own }
        return all
    }

    /// Returns the mapping models with policies that are Swift code.
    ///
    /// - Parameter names: the names of their classes, each with or without that of its module, and behind that of a
    ///   mapping model where it is for this one alone.
    /// - Returns: the mapping models.
    package func registering(_ names: some Sequence<String>) -> MappingModels {
        var all = self
        all.codeNames.formUnion(names)
        return all
    }

    /// Returns the mapping models, of which those below the current folder have paths from there.
    func namedFromHere() -> MappingModels {
        var all = self
        for index in all.items.indices {
            all.items[index].path = pathFromHere(all.items[index].path)
        }
        return all
    }

    /// The mapping models, of which each refuses its step where it cannot be carried out, as those do that were named.
    package var binding: MappingModels {
        var all = self
        for index in all.items.indices { all.items[index].isBinding = true }
        return all
    }

    /// The mapping models that somebody named, without those that were found.
    package var named: MappingModels {
        var all = self
        all.items.removeAll { $0.origin == .found }
        return all
    }

    /// The mapping model that is for a step; where several are, one that was named, and of these the one that says
    /// most.
    func fitting(from source: ModelVersion, to destination: ModelVersion) -> Item? {
        candidates(from: source, to: destination).max { first, second in
            first.source.entityMappings.count < second.source.entityMappings.count
        }
    }

    /// The mapping models that are for a step: of those that were named, else listed, else found.
    func candidates(from source: ModelVersion, to destination: ModelVersion) -> [Item] {
        guard source.hashes != destination.hashes else { return [] }
        let fitting = items.filter { item in
            item.start.fits(source) && item.end.fits(destination)
                && (item.origin != .found || item.maps(aChangeFrom: source, to: destination))
        }
        let origin = fitting.map(\.origin.rawValue).min()
        return fitting.filter { $0.origin.rawValue == origin }
    }

    /// Whether one of them leads from a version of a model to one of another, which are then versions of one, whatever
    /// their entities are called.
    package func lead(from sources: [ModelVersion], to destinations: [ModelVersion]) -> Bool {
        items.contains { item in
            sources.contains(where: item.start.fits) && destinations.contains(where: item.end.fits)
        }
    }

    /// The refusal of a mapping model that was named, and is for no step that is taken.
    ///
    /// - Parameters:
    ///   - used: the paths of those that are taken.
    ///   - versions: the versions that it may be for.
    /// - Returns: the error, which names the step that the mapping model is for; `nil` when all have their use.
    func refusal(of used: Set<String>, among versions: [ModelVersion]) -> MomtoolError? {
        let named = items.filter { $0.origin == .named }
        // Of several, each is for a step of its own, which need not be taken.
        guard let item = named.first, named.allSatisfy({ !used.contains($0.path) }) else {
            return nil
        }
        func name(_ end: End) -> String {
            versions.last { end.fits($0) }?.name ?? end.name ?? "a version that is not here"
        }
        let step = "\(name(item.start)) → \(name(item.end))"
        let message = "the mapping model is for \(step), by its hashes, and not for this step"
        return MomtoolError(.refused, item.path, message, "other-mapping-model")
    }
}

extension MappingModels.Item {
    init(_ path: String, _ source: MappingModelSource, _ origin: MappingModels.Origin) {
        self.path = path
        self.origin = origin
        self.source = source
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
            hashes = Dictionary(compiled, uniquingKeysWith: { first, _ in first })
            return
        }
        // Two models of one name are not told apart by it.
        guard !isAmbiguous, let recorded, let path = modelPath(recorded, above: mapping),
            let bundle = try? ModelPlace(path).read(), !bundle.hasErrors,
            let version = try? bundle.value.chosenVersion()
        else { return }
        hashes = version.hashes.entities.filter { names.contains($0.key) }
    }
}

/// Finds a model by the path that a mapping model has of it, which is relative to a folder above.
///
/// A project that was rearranged has the bundle elsewhere, so that shorter ends of the path are tried too.
///
/// - Parameters:
///   - recorded: the path as the mapping model has it.
///   - mapping: the path of the mapping model.
/// - Returns: the path of the model; `nil` when there is none.
package func modelPath(_ recorded: String, above mapping: String) -> String? {
    let parts = recorded.split(separator: "/").filter { $0 != "." && $0 != ".." }
    let ends = parts.indices.prefix(16).map { parts[$0...].joined(separator: "/") }
    var folder = fileURL(mapping).standardizedFileURL
    for _ in 0..<32 where folder.path != "/" {
        folder.deleteLastPathComponent()
        for end in ends {
            let path = folder.appending(path: end).path
            if Files.exists(at: path) { return path }
        }
    }
    return nil
}

/// Whether a path is that of a mapping model, by its extension.
func isMappingModel(_ path: String) -> Bool {
    ["xcmappingmodel", "cdm"].contains(fileURL(trimmedPath(path)).pathExtension)
}

/// The mapping models at a path: itself, or those below a folder.
func mappingFiles(at path: String) -> [String] {
    if isMappingModel(path) {
        return FileIdentity(of: path) == nil ? [] : [path]
    }
    let contents = "xcmapping.xml"
    return filePaths(below: path, endingIn: contents, ".cdm").compactMap { path in
        guard path.hasSuffix(contents) else { return path }
        let bundle = path.dropLast(contents.count + 1)
        return bundle.hasSuffix(".xcmappingmodel") ? String(bundle) : nil
    }.sorted()
}
