package import Diagnostics
package import MigrationPlanning
package import ObjectModel
import YAMLReading

/// A stages file as written, before versions and scripts are looked up.
package struct StagesFile: Sendable, Hashable {
    package struct Version: Sendable, Hashable {
        /// Its name, or the path of a model of its own.
        package var name: String
        package var checksum: String?
        package var location: FileLocation

        package init(name: String, checksum: String? = nil, location: FileLocation) {
            (self.name, self.checksum, self.location) = (name, checksum, location)
        }
    }

    package struct Script: Sendable, Hashable {
        package var path: String
        package var location: FileLocation
        /// The program to run instead of a script, whose name the path is; `nil` for a file that is read.
        package var program: Program?
    }

    package struct Program: Sendable, Hashable {
        package var arguments: [String]
        package var entities: [String]
    }

    package struct Stage: Sendable, Hashable {
        /// Whether it is a custom one; it has two versions then.
        package var isCustom: Bool
        package var versions: [Version]
        package var label: String?
        package var scripts: [CustomMigrationStage.Part: Script]
        package var location: FileLocation

        package init(
            isCustom: Bool,
            versions: [Version],
            scripts: [CustomMigrationStage.Part: Script] = [:],
            location: FileLocation
        ) {
            (self.isCustom, self.versions, self.scripts) = (isCustom, versions, scripts)
            self.location = location
        }
    }

    package var path: String
    package var model: String?
    package var stages: [Stage]
    /// Mapping models, or folders with them: a custom stage without a map uses the one for its step.
    package var mappingModels: [String] = []
    /// The migration policies of mapping models: `delete`, `copy`, or the path of a map.
    package var policies: [String: String] = [:]

    package init(path: String, model: String? = nil, stages: [Stage] = []) {
        (self.path, self.model, self.stages) = (path, model, stages)
    }

    /// Makes the list of stages; versions without a model stay unresolved.
    package func manager(
        _ find: (Version) throws -> ModelVersion?
    ) rethrows -> StagedMigrationManager {
        func reference(_ version: Version) throws -> ManagedObjectModelReference {
            guard var found = try find(version) else {
                return ManagedObjectModelReference(
                    unresolvedName: version.name,
                    versionChecksum: version.checksum ?? ""
                )
            }
            found.name = version.name
            return ManagedObjectModelReference(found, versionChecksum: version.checksum)
        }
        return StagedMigrationManager(
            try stages.map { stage in
                let versions = try stage.versions.map(reference)
                guard stage.isCustom, versions.count == 2 else {
                    return .lightweight(LightweightMigrationStage(versions, label: stage.label))
                }
                return .custom(
                    CustomMigrationStage(
                        migratingFrom: versions[0],
                        to: versions[1],
                        label: stage.label,
                        parts: Set(stage.scripts.keys)
                    )
                )
            }
        )
    }
}

extension RuleID { package static let invalidStagesFile: RuleID = "invalid-stages-file" }

/// Reads the text of a stages file (MigratingInStages).
package func readStagesFile(_ text: String, path: String) -> Diagnosed<StagesFile> {
    var reader = StagesReader(path: path)
    if let root = reader.document.parse(text) { reader.read(root) }
    return Diagnosed(reader.file, reader.document.diagnostics)
}

func readStages(_ list: YAMLNode, path: String) -> Diagnosed<StagesFile> {
    var reader = StagesReader(path: path)
    reader.readStages(list)
    return Diagnosed(reader.file, reader.document.diagnostics)
}

private struct StagesReader {
    var document: YAMLDocument
    var file: StagesFile

    init(path: String) {
        document = YAMLDocument(path: path, rule: .invalidStagesFile)
        file = StagesFile(path: path)
    }

    mutating func read(_ root: YAMLNode) {
        var hasStages = false
        for (key, value) in document.entries(root, "the stages file") {
            switch key.scalar?.string {
            case "model": file.model = document.path(value, "'model'")
            case "stages":
                hasStages = true
                readStages(value)
            case "mappingModels":
                let item = "a mapping model, or a folder of them"
                file.mappingModels = document.paths(value, "'mappingModels'", item)
            case "policies": file.policies = document.policies(value)
            default:
                let keys = ["model", "stages", "mappingModels", "policies"]
                document.unknown(key, among: keys)
            }
        }
        if !hasStages { document.report("list the stages under 'stages'", at: root) }
    }

    mutating func readStages(_ list: YAMLNode) {
        for item in document.items(list, "'stages'") { readStage(item) }
    }

    private mutating func readStage(_ node: YAMLNode) {
        let keys = ["lightweight", "custom", "label", "willMigrate", "map", "didMigrate"]
        var stage = StagesFile.Stage(
            isCustom: false,
            versions: [],
            scripts: [:],
            location: document.location(node)
        )
        var kinds: Set<String> = []
        for (key, value) in document.entries(node, "a stage") {
            switch key.scalar?.string {
            case "lightweight":
                kinds.insert("lightweight")
                stage.versions = document.items(value, "'lightweight'").compactMap { version($0) }
            case "custom":
                kinds.insert("custom")
                stage.isCustom = true
                stage.versions = ends(value)
            case "label": stage.label = document.text(value, "'label'")
            case let name?:
                guard let part = CustomMigrationStage.Part(rawValue: name) else { fallthrough }
                stage.scripts[part] = script(value, part)
            default: document.unknown(key, among: keys)
            }
        }
        guard kinds.count == 1 else {
            if node.mapping != nil {
                document.report("a stage is either 'lightweight' or 'custom'", at: node)
            }
            return
        }
        if !stage.isCustom, !stage.scripts.isEmpty {
            document.report("only a custom stage can have work of its own", at: node)
        }
        guard !stage.versions.isEmpty, !stage.isCustom || stage.versions.count == 2 else {
            document.report("name the versions of the stage", at: node)
            return
        }
        file.stages.append(stage)
    }

    /// Reads a path, or `{program: [./split.py], entities: [Person]}`.
    private mutating func script(
        _ node: YAMLNode,
        _ part: CustomMigrationStage.Part
    ) -> StagesFile.Script? {
        let location = document.location(node)
        guard node.mapping != nil else {
            return document.path(node, "'\(part.rawValue)'").map {
                StagesFile.Script(path: $0, location: location)
            }
        }
        guard part != .map else {
            document.report("'map' is a path", at: node)
            return nil
        }
        var program = StagesFile.Program(arguments: [], entities: [])
        for (key, value) in document.entries(node, "'\(part.rawValue)'") {
            switch key.scalar?.string {
            case "program":
                let item = "the program, or an argument of it"
                program.arguments = document.texts(value, "'program'", item)
            case "entities": program.entities = document.texts(value, "'entities'", "an entity")
            default: document.unknown(key, among: ["program", "entities"])
            }
        }
        guard let name = program.arguments.first, !name.isEmpty else {
            document.report("name the program under 'program', with its arguments", at: node)
            return nil
        }
        return StagesFile.Script(path: name, location: location, program: program)
    }

    private mutating func ends(_ node: YAMLNode) -> [StagesFile.Version] {
        var ends: [String: StagesFile.Version] = [:]
        for (key, value) in document.entries(node, "'custom'") {
            switch key.scalar?.string {
            case "from"?: ends["from"] = version(value)
            case "to"?: ends["to"] = version(value)
            default: document.unknown(key, among: ["from", "to"])
            }
        }
        guard let from = ends["from"], let to = ends["to"] else { return [] }
        return [from, to]
    }

    /// Reads `V1`, or `{V1: checksum}`.
    private mutating func version(_ node: YAMLNode) -> StagesFile.Version? {
        let location = document.location(node)
        guard let mapping = node.mapping else {
            return document.path(node, "a version").map {
                StagesFile.Version(name: $0, location: location)
            }
        }
        guard mapping.count == 1, let entry = mapping.first,
            let name = document.path(entry.key, "a version"),
            let checksum = document.text(entry.value, "a checksum")
        else {
            document.report("write a version as NAME or {NAME: CHECKSUM}", at: node)
            return nil
        }
        return StagesFile.Version(name: name, checksum: checksum, location: location)
    }
}
