import Diagnostics
import Essentials
import FileSystem
import MigrationPlanning
import ModelChecking
import ModelLoading
import ObjectModel
import SettingsFiles

/// The project around a model, the files of which may name its versions.
struct PruningSurroundings: Sendable {
    /// The folder of the project; `nil` where nothing tells how far it goes.
    let root: String?
    private let lock: String
    private let configuration: String?

    init(of model: String) {
        let place = resolvedPath(trimmedPath(model))
        configuration = nearestConfiguration(above: place).map(resolvedPath)
        root =
            NearbyMappingModels.projectFolder(around: parent(of: place))
            ?? configuration.map { parent(of: $0) }
        lock = resolvedPath(LockFile(ofModel: place).path)
    }

    /// What is in the project; one walk finds all of it.
    var contents: ProjectContents {
        root.map { ProjectContents(below: $0) } ?? ProjectContents(of: [])
    }

    /// Whether something lies in the project.
    func holds(_ path: String) -> Bool {
        root.map { resolvedPath(path).hasPrefix($0 + "/") } ?? false
    }

    /// Whether a path may be in the journal of a prune that was killed: the lock, or a settings file, mapping model
    /// or case of the project.
    func mayHold(_ path: String) -> Bool {
        guard path != lock, path != configuration else { return true }
        guard let root, path.hasPrefix(root + "/") else { return false }
        let name = path.split(separator: "/").last.map(String.init) ?? ""
        let original = DraftFolder.name(ofDraft: name) ?? name
        let endings = [".yml", ".yaml", ".xcmappingmodel", ".cdm"]
        if endings.contains(where: original.hasSuffix) { return true }
        // The folder of a case is there, or set aside.
        let folder = parent(of: path)
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.contains { other in
            (DraftFolder.name(ofDraft: other) ?? other) == original
                && exists("\(folder)/\(other)/case.yml")
        }
    }
}

extension Pruning {
    /// The versions of other models of the project, which the same files may name.
    static func others(in contents: ProjectContents, than model: String) -> [[ModelVersion]] {
        let own = resolvedPath(model)
        let places =
            contents.models.filter { resolvedPath($0) != own }.map { ModelPlace($0) }
            + contents.swiftFolders.map { ModelPlace(swiftSourcesBelow: $0) }
        return places.compactMap { try? $0.readUsable().value.versions }
    }

    /// The mapping models of which no version that stays is the start, or the end.
    var deadMappingModels: [MappingModels.Item] {
        let left = kept + others.joined()
        func isDead(_ end: MappingModels.End) -> Bool {
            versions.contains(where: end.fits) && !left.contains(where: end.fits)
        }
        return mappingModels.items.filter { isDead($0.start) || isDead($0.end) }
    }

    /// Refuses versions without which stores of versions that stay find no way any more.
    func requireRoutes(without dead: Set<String>) throws(MomtoolError) {
        guard configuration.stages.isEmpty, !versions.isEmpty, let current = bundle.currentVersion
        else { return }
        var pruned = bundle
        let names = Set(versions.map(\.name))
        pruned.versions.removeAll { names.contains($0.name) }
        func stranded(_ bundle: ModelBundle, _ mappings: MappingModels) -> Set<String> {
            guard
                let migrator = try? Migrator(
                    by: configuration,
                    of: bundle,
                    mappingModels: mappings
                )
            else { return [] }
            let others = kept.filter { $0.hashes != current.hashes }
            return Set(
                others.filter { version in
                    guard let route = try? migrator.route(from: version) else { return true }
                    return route.detour != nil && !migrator.isTaken(route)
                }.map(\.name)
            )
        }
        let new = stranded(pruned, mappingModels.keeping { !dead.contains($0.path) }).subtracting(
            stranded(bundle, mappingModels)
        )
        guard let first = kept.first(where: { new.contains($0.name) }) else { return }
        throw refusal(
            "stores of '\(first.name)' come to '\(current.name)' through versions that would be pruned: prune "
                + "'\(first.name)' too, or keep these"
        )
    }

    /// Takes the versions out of the configuration, stages files and cases.
    mutating func pruneSettings(_ mappings: [MappingModels.Item]) throws(MomtoolError) {
        guard !versions.isEmpty else { return }
        let pruning = settingsPruning(mappings)
        var gone = Set(mappings.map { resolvedPath($0.path) })
        for path in stagesFiles {
            let text = try readText(path, limit: 1 << 20)
            let result = pruning.stages(text, path: pathFromHere(path))
            if result.text == "" { gone.insert(resolvedPath(path)) }
            try take(result, of: path)
        }
        func isGone(from folder: String) -> (String) -> Bool {
            { path in
                let place = resolvedPath(path.hasPrefix("/") ? path : "\(folder)/\(path)")
                if gone.contains(place) { return true }
                // A folder of mapping models of which none is left.
                let all = mappingFiles(at: place).map(resolvedPath)
                return !all.isEmpty && all.allSatisfy(gone.contains)
            }
        }
        try pruneConfiguration(pruning, isGone)
        try pruneCases(pruning, isGone)
    }

    /// Takes the versions out of the configuration; one in which nothing is left says nothing, and stays.
    private mutating func pruneConfiguration(
        _ pruning: SettingsPruning,
        _ isGone: (String) -> (String) -> Bool
    ) throws(MomtoolError) {
        guard let path = configuration.path.map(resolvedPath) else { return }
        let text = try readText(path, limit: 1 << 20)
        var result = pruning.configuration(
            text,
            path: pathFromHere(path),
            isGone: isGone(parent(of: path))
        )
        if result.text == "" { result.text = "\n" }
        try take(result, of: path)
    }

    private func settingsPruning(
        _ mappings: [MappingModels.Item]
    ) -> SettingsPruning {
        let ledger = configuration.ledger(of: kept)
        let known = Set(
            configuration.ledger(of: bundle.versions).unmatched(configuration.namedLosses)
                .compactMap(\.element)
        )
        let losses = ledger.unmatched(configuration.namedLosses.filter { $0.version == nil }) {
            others.map { configuration.ledger(of: $0) }
        }
        let dead = Set(mappings.map(\.path))
        let left = mappingModels.items.filter { !dead.contains($0.path) }
        func policies(_ items: [MappingModels.Item]) -> Set<String> {
            Set(items.flatMap(\.source.entityMappings).compactMap(\.customPolicyClassName))
        }
        return SettingsPruning(
            versions: Set(versions.map(\.name)),
            shared: Set(others.joined().map(\.name)),
            order: bundle.versions.map(\.name),
            losses: Set(losses.compactMap(\.element)).subtracting(known),
            policies: policies(mappings).subtracting(policies(left))
        )
    }

    /// The stages files of the model in the project, by absolute paths: those that the configuration names, and those
    /// that name the model.
    private var stagesFiles: [String] {
        let own = resolvedPath(bundle.path)
        let named = Set(configuration.stagesFiles.map(resolvedPath))
        return named.union(contents.stages.map(resolvedPath)).sorted().filter { path in
            guard [".yml", ".yaml"].contains(where: path.hasSuffix), surroundings.holds(path),
                let text = try? readText(path, limit: 1 << 20)
            else { return false }
            guard let model = readStagesFile(text, path: path).value.model else {
                return named.contains(path)
            }
            return resolvedPath(model.hasPrefix("/") ? model : "\(parent(of: path))/\(model)")
                == own
        }
    }

    /// Takes the cases of pruned versions out.
    private mutating func pruneCases(
        _ pruning: SettingsPruning,
        _ isGone: (String) -> (String) -> Bool
    ) throws(MomtoolError) {
        let own = resolvedPath(bundle.path)
        let files = contents.cases.map(resolvedPath)
        for path in files {
            let folder = parent(of: path)
            let text = try readText(path, limit: 1 << 20)
            let result = pruning.cases(
                text,
                path: pathFromHere(path),
                isOwn: { model in
                    let bare = String(model.split(separator: "#").first ?? "")
                    return resolvedPath(bare.hasPrefix("/") ? bare : "\(folder)/\(bare)") == own
                },
                isGone: isGone(folder)
            )
            let goes = result.text == "" && Self.holdsOneCase(folder) && !isUsed(folder, files)
            try take(result, of: path, removing: goes ? pathFromHere(folder) : nil)
        }
    }

    /// Whether all that is in a folder is what a case consists of.
    private static func holdsOneCase(_ folder: String) -> Bool {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        let endings = [".yml", ".json", ".sql", ".sqlite", "-wal", "-shm", ".md"]
        return names.allSatisfy { name in
            var status = stat()
            return lstat("\(folder)/\(name)", &status) == 0 && status.st_mode & S_IFMT == S_IFREG
                && endings.contains(where: name.hasSuffix)
        }
    }

    /// Whether another case takes something out of a folder.
    private func isUsed(_ folder: String, _ files: [String]) -> Bool {
        let name = folder.split(separator: "/").last.map(String.init) ?? ""
        return files.contains { file in
            parent(of: file) != folder
                && (try? readText(file, limit: 1 << 20))?.contains("\(name)/") ?? true
        }
    }
}
