package import Diagnostics
import FileSystem
import Essentials
package import MigrationPlanning
package import ModelLoading
import ModelHashing
import ObjectModel
package import SettingsFiles
package import StoreMigration
import SwiftDataReading

/// A stages file with all files that it names: models, scripts and maps.
package struct Stages: Sendable {
    package let file: StagesFile
    package private(set) var manager: StagedMigrationManager
    package internal(set) var works: [Int: CustomStageWork]
    package let models: [ModelBundle]
    private(set) var calledPolicies: [CalledPolicy] = []
    /// The plan of Swift sources, with the path that was named; `nil` for a stages file.
    private(set) var plan: (value: SwiftMigrationPlan, place: String)?

    /// Reads a stages file, or a plan of Swift sources (`#Plan` names one of several), with the faults of all files
    /// that it names.
    ///
    /// A custom stage without a map uses the mapping model for its step, even if the file does not name it.
    package static func read(
        _ path: String,
        models: [ModelBundle] = [],
        swift: SwiftSettings = SwiftSettings(),
        mappingModels: MappingModels = MappingModels()
    ) throws(MomtoolError) -> Diagnosed<Stages> {
        if leadsToSwiftSources(path) {
            return try readSwiftPlan(path, swift).map { read in
                let manager = read.file.manager { read.bundle.version(named: $0.name) }
                var stages = Stages(read.file, manager, [:], models + [read.bundle])
                stages.plan = (read.plan, path)
                return stages
            }
        }
        let file = readStagesFile(try text(of: path), path: path)
        return try resolve(file, models: models, mappingModels: mappingModels)
    }

    package static func resolve(
        _ file: Diagnosed<StagesFile>,
        models: [ModelBundle],
        mappingModels: MappingModels = MappingModels()
    ) throws(MomtoolError) -> Diagnosed<Stages> {
        let path = file.value.path
        var diagnostics = file.diagnostics
        guard !file.hasErrors else {
            return Diagnosed(Stages(file.value, StagedMigrationManager([]), [:], []), diagnostics)
        }
        let folder = fileURL(path).deletingLastPathComponent()
        func loaded(_ path: String) throws(MomtoolError) -> ModelBundle {
            let bundle = try ModelPlace(path).readUsable()
            diagnostics += bundle.diagnostics
            return bundle.value
        }
        var models = models
        if models.isEmpty, let model = file.value.model {
            models = [try loaded(Self.path(model, in: folder))]
        }
        let needsModel = file.value.stages.flatMap(\.versions).contains {
            modelPath($0.name, in: folder) == nil
        }
        guard !models.isEmpty || !needsModel else {
            throw MomtoolError(.usage, path, noModel, "no-model", advice: [.nameModel])
        }
        func version(_ version: StagesFile.Version) throws(MomtoolError) -> ModelVersion? {
            let found = models.lazy.compactMap { $0.version(named: version.name) }.first
            if let found { return found }
            guard let path = modelPath(version.name, in: folder) else { return nil }
            return try loaded(path).chosenVersion()
        }
        var manager: StagedMigrationManager
        do { manager = try file.value.manager(version) } catch { throw MomtoolError(error) }
        // A policy is declared once, in the file or in the configuration, for every mapping model.
        let own = try MappingModels(
            settings: file.value.mappingModels,
            policies: file.value.policies,
            in: folder.path
        ).declaring(mappingModels.policies).registering(mappingModels.codeNames)
        let called = calledPolicies(of: file.value, in: folder, own, beside: mappingModels)
        // A misspelt name explains an undeclared policy.
        if called.contains(where: { $0.policy == nil }) {
            try called.requireUse(of: own.codeNames, path)
        }
        var works = stageWorks(of: file.value, in: folder, own)
        let names = file.value.stages.flatMap(\.versions).map(\.name)
        let stores = models.map { $0.store(with: names) }
        let known = stores.flatMap(\.versions)
        manager.versions = known
        for mappings in [mappingModels.declaring(own.policies), own] {
            try mappings.addMaps(to: &works.value, &manager, of: file.value, among: known, version)
        }
        diagnostics += works.diagnostics
        diagnostics += try foreignMaps(of: file.value, in: folder, version)
        var stages = Stages(file.value, manager, works.value, stores)
        stages.calledPolicies = called
        return Diagnosed(stages, diagnostics)
    }

    private static func calledPolicies(
        of file: StagesFile,
        in folder: URL,
        _ own: MappingModels,
        beside others: MappingModels
    ) -> [CalledPolicy] {
        guard !own.codeNames.isEmpty else { return [] }
        let maps = file.stages.compactMap { $0.scripts[.map]?.path }.filter(isMappingModel)
        return own.items.flatMap(own.calledPolicies)
            + others.items.flatMap(others.declaring(own.policies).calledPolicies)
            + maps.map { path($0, in: folder) }.flatMap { path in
                own.calledPolicies(of: readMappingModel(at: path).value, at: path)
            }
    }

    private static func foreignMaps(
        of file: StagesFile,
        in folder: URL,
        _ version: (StagesFile.Version) throws(MomtoolError) -> ModelVersion?
    ) throws(MomtoolError) -> [Diagnostic] {
        var faults: [Diagnostic] = []
        for stage in file.stages where stage.isCustom && stage.versions.count == 2 {
            guard let script = stage.scripts[.map], isMappingModel(script.path),
                let source = try version(stage.versions[0]),
                let destination = try version(stage.versions[1]),
                let named = try? MappingModels(at: [path(script.path, in: folder)]),
                let fault = named.fault(from: source, to: destination, at: script.location)
            else { continue }
            faults.append(fault)
        }
        return faults
    }

    private init(
        _ file: StagesFile,
        _ manager: StagedMigrationManager,
        _ works: [Int: CustomStageWork],
        _ models: [ModelBundle]
    ) {
        (self.file, self.manager, self.works, self.models) = (file, manager, works, models)
    }

    /// Checks the list before anything is changed; each finding is at its stage.
    package func findings() -> [Diagnostic] {
        let found = manager.findings(
            versions: models.flatMap(\.versions),
            at: file.stages.map(\.location),
            in: FileLocation(path: file.path)
        )
        let mapped = works.filter { $0.value.mappingModel != nil }.keys.map {
            file.stages[$0].location
        }
        // Code may have been added that the file does not name.
        let worked = works.filter { $0.value.willMigrate != nil || $0.value.didMigrate != nil }.keys
            .map { file.stages[$0].location }
        // Its functions have their own note, and an app uses an existing mapping model.
        return found.filter { finding in
            if finding.rule == .needlessCustomStage {
                return plan == nil && !worked.contains { $0 == finding.location }
            }
            return finding.rule != .mapBeyondCoreData || !mapped.contains { $0 == finding.location }
        }.map(addingDropped) + closures
    }

    /// What the maps of stages read that their own steps drop, by the index of the stage.
    package var droppedReads: [Int: [String]] {
        works.reduce(into: [:]) { dropped, work in
            guard work.value.mappingModel == nil, let map = work.value.map,
                case .custom(let stage) = manager.stages[work.key],
                let source = stage.currentModel.version, let target = stage.nextModel.version
            else { return }
            let names = map.dropped(from: source, to: target)
            if !names.isEmpty { dropped[work.key] = names }
        }
    }

    /// The note on a map that Core Data's stages may not have, as a warning where no code of a stage can do its work.
    private func addingDropped(_ finding: Diagnostic) -> Diagnostic {
        guard finding.rule == .mapBeyondCoreData, finding.severity == .note,
            let index = file.stages.firstIndex(where: { $0.location == finding.location }),
            let names = droppedReads[index], let version = file.stages[index].versions.last
        else { return finding }
        let (what, it) = (names.listed(most: 3), names.count == 1 ? "it" : "them")
        return Diagnostic(
            .mapBeyondCoreData,
            """
            stage \(index + 1): the map reads \(what), which the step itself drops, so the app loses \(it) before didMigrate \
            runs; keep \(it) in '\(version.name)' and remove \(it) in the next version, or ship a mapping model
            """,
            severity: .warning,
            at: finding.location
        )
    }

    /// The faults of the list, so that it is not used where it is named.
    package var faults: [Diagnostic] {
        manager.faults(
            versions: models.flatMap(\.versions),
            at: file.stages.map(\.location),
            in: FileLocation(path: file.path)
        )
    }

    /// What is unknown about a step of a plan, as its stage runs Swift; `nil` where all is known.
    package func remark(from source: String, to target: String) -> String? {
        guard !closures.isEmpty else { return nil }
        return models.last?.unrunStages(from: source, to: target).first?.message
    }

    /// The checksum of the version to migrate to: the one that an app opens, or the last listed one.
    package var lastChecksum: String? {
        plan?.value.schemas.last.flatMap { try? checksum(of: $0) }
            ?? manager.stages.last?.versions.last?.versionChecksum
    }

    /// The checksum of a version that a stage lists, for a plan any version of its sources.
    package func checksum(of name: String) throws(MomtoolError) -> String {
        let declared = plan == nil ? nil : models.lazy.compactMap { $0.version(named: name) }.first
        guard let version = manager.version(name) ?? declared else {
            let message = "no stage lists the version '\(name)'"
            throw MomtoolError(.refused, file.path, message, "unknown-version")
        }
        return version.checksum
    }

    /// Returns the stages with the relationships that name the join tables of an entity with itself.
    func namingJoinTables(by relationships: [String]) -> Stages {
        guard !relationships.isEmpty else { return self }
        var copy = self
        copy.manager = manager.namingJoinTables(by: relationships)
        return copy
    }

    package var paths: [String] {
        let folder = fileURL(file.path).deletingLastPathComponent()
        let names = file.stages.flatMap { stage in
            stage.versions.map(\.name)
                + stage.scripts.values.filter {
                    $0.program?.arguments.first?.contains("/") != false
                }
                .map(\.path)
        }
        return ([file.model].compactMap(\.self) + file.mappingModels + names).map {
            Self.path($0, in: folder)
        }
    }

    package func scripts() throws(MomtoolError) -> [Int: [CustomMigrationStage.Part: String]] {
        let folder = fileURL(file.path).deletingLastPathComponent()
        var scripts: [Int: [CustomMigrationStage.Part: String]] = [:]
        for (place, stage) in file.stages.enumerated() {
            for (part, script) in stage.scripts {
                if let program = script.program {
                    scripts[place, default: [:]][part] =
                        "run \(program.arguments.joined(separator: " "))"
                    continue
                }
                let path = Self.path(script.path, in: folder)
                scripts[place, default: [:]][part] =
                    isMappingModel(path) ? "see \(script.path)" : try Self.text(of: path)
            }
        }
        return scripts
    }

    /// The path of a version that is a model of its own, such as `Old.mom` or `App.xcdatamodeld#V2`; `nil` for a name.
    private static func modelPath(_ name: String, in folder: URL) -> String? {
        let path = path(name, in: folder)
        let file = path.split(separator: "#").first.map(String.init) ?? path
        let kinds = ["mom", "xcdatamodel", "xcdatamodeld", "momd"]
        let isModel = kinds.contains(fileURL(file).pathExtension)
        return isModel || Files.exists(at: file) ? path : nil
    }

    /// Whether the file names a model as its own.
    func names(_ bundle: ModelBundle) -> Bool {
        let folder = fileURL(file.path).deletingLastPathComponent()
        let model = file.model.map { resolvedPath(Self.path($0, in: folder)) }
        return model == resolvedPath(bundle.path)
    }

    private static func path(_ path: String, in folder: URL) -> String {
        path.hasPrefix("/") ? path : folder.appending(path: path).path
    }

    private static func text(of path: String) throws(MomtoolError) -> String {
        let text = readText(path)
        guard let fault = text.diagnostics.first else { return text.value }
        let isNoText = fault.message == notUTF8
        throw MomtoolError(isNoText ? .badData : .noInput, saying: [fault])
    }
}

/// Reads the scripts and maps of the custom stages of a file, with their faults; mapping models declare policies.
private func stageWorks(
    of file: StagesFile,
    in folder: URL,
    _ mappingModels: MappingModels
) -> Diagnosed<[Int: CustomStageWork]> {
    var works: [Int: CustomStageWork] = [:]
    var diagnostics: [Diagnostic] = []
    for (place, stage) in file.stages.enumerated() where stage.isCustom {
        var work = CustomStageWork()
        for part in CustomMigrationStage.Part.allCases {
            guard let script = stage.scripts[part] else { continue }
            let path =
                script.path.hasPrefix("/") ? script.path : folder.appending(path: script.path).path
            let shown = pathFromHere(path)
            if part == .map {
                let map = readMap(shown, mappingModels)
                diagnostics += map.diagnostics
                work.map = map.value
                if isMappingModel(path) { work.mappingModel = shown }
                continue
            }
            let run: StageWork
            if let program = script.program {
                // A path with a slash is relative to the stages file; otherwise the shell's search path is used.
                let name = script.path.contains("/") ? path : script.path
                run = .program(
                    StageProgram(
                        arguments: [name] + program.arguments.dropFirst(),
                        entities: program.entities,
                        location: script.location
                    )
                )
            } else {
                let text = readText(shown)
                diagnostics += text.diagnostics
                run = .script(text.value, path: shown)
            }
            if part == .willMigrate { work.willMigrate = run } else { work.didMigrate = run }
        }
        works[place] = work
    }
    return Diagnosed(works, diagnostics)
}

private func readMap(_ path: String, _ mappingModels: MappingModels) -> Diagnosed<StageMap> {
    guard isMappingModel(path) else {
        let text = readText(path)
        guard !text.hasErrors else { return Diagnosed(StageMap(), text.diagnostics) }
        return readStageMap(text.value, path: path)
    }
    let source = readMappingModel(at: path)
    guard !source.hasErrors else { return Diagnosed(StageMap(), source.diagnostics) }
    let policies = mappingModels.policies(of: source.value, at: path)
    let map = stageMap(of: source.value, path: path, declaring: policies)
    return Diagnosed(map.value, source.diagnostics + map.diagnostics)
}

private let noModel = "the list names versions but no model that has them"

private let notUTF8 = "the file is not UTF-8"

package func readText(_ path: String) -> Diagnosed<String> {
    func fault(_ message: String) -> Diagnosed<String> {
        let place = FileLocation(path: path)
        return Diagnosed("", [Diagnostic(.unreadableFile, message, at: place)])
    }
    do throws(FileFault) {
        let bytes = try readFile(path, limit: 16 << 20)
        return String(validating: bytes, as: UTF8.self).map { Diagnosed($0, []) } ?? fault(notUTF8)
    } catch { return fault(error.reason) }
}
