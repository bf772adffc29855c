package import Diagnostics
import Essentials
import FileSystem
import ModelLoading

/// Which models of an app its code is about.
extension AppSources {
    /// The models that a source names in its texts, else those of its package and of sources that import it, else all.
    func models(of lines: [Substring], at path: String) -> [String] {
        let named = models.filter { model in
            let name = (model.split(separator: "/").last ?? "").prefix { $0 != "." }
            return lines.contains { $0.contains("\"\(name)\"") }
        }
        guard named.isEmpty, let package = AppTargets.ofPackage(around: path) else {
            return named.isEmpty ? models : named
        }
        let folder = package.folder + "/"
        let own = models.filter { $0.hasPrefix(folder) }
        guard !own.isEmpty, own.count < models.count else { return models }
        let users = Set([package.folder, package.targetFolder(around: path) ?? package.folder])
            .flatMap { importers(of: PathParts($0).parts.last ?? $0) }
            .filter { !$0.hasPrefix(folder) }.map { AppTargets.nearest(to: $0) }
        return models.filter { own.contains($0) || users.contains(AppTargets.nearest(to: $0)) }
    }

    /// The models below the folder, which are searched for once in a run.
    private var models: [String] {
        Surroundings.current.memory.found(for: folder) { modelSources(below: folder) }
    }

    /// The sources that import a module, which are searched for once in a run.
    private func importers(of module: String) -> [String] {
        Surroundings.current.memory.found(for: [folder, module]) {
            paths.filter { imports(module, in: $0) }
        }
    }
}

/// The code below a folder that merges models, with some models that it may merge: each list is of one app.
package func mergedModels(
    among models: [String],
    below folder: String
) -> [(code: FileLocation, models: [String])] {
    let folder = resolvedPath(folder)
    return AppSources.below(folder).files(mentioning: .merging).flatMap {
        path -> [(code: FileLocation, models: [String])] in
        let lines = codeLines(of: path)
        let line = lines.indices.first { index in
            // For the metadata of a store Core Data looks for its version.
            SourceMentions.mergers.contains(where: lines[index].contains)
                && !lines[index].contains("forStoreMetadata")
                && lines.dropFirst(index + 1).first?.hasPrefix("forStoreMetadata") != true
        }
        guard let line else { return [] }
        let place = FileLocation(path: pathFromHere(path), line: line + 1)
        return neighbours(of: path, among: models, in: folder).map { (place, $0) }
    }
}

/// The models that are in one app with a source: those of its package's target, or of each target of the nearest project
/// that has it.
private func neighbours(
    of source: String,
    among models: [String],
    in folder: String
) -> [[String]] {
    func target(of path: String) -> String? {
        let package = AppTargets.ofPackage(around: path)
        return package?.targetFolder(around: path) ?? package?.folder
    }
    var root = AppTargets(folder: parent(of: source))
    while root.folder.count > folder.count, root.projects.isEmpty {
        root = AppTargets(folder: parent(of: root.folder))
    }
    let own = models.filter { model in
        let model = resolvedPath(model)
        return model.hasPrefix(root.folder + "/") && target(of: model) == target(of: source)
    }
    let targets = target(of: source) == nil ? root.files(among: own + [source]) : []
    guard !targets.isEmpty else { return [own] }
    return targets.filter { $0.contains(source) }.map { own.filter($0.contains) }
}

/// Whether a source imports a module, or a part of it.
func imports(_ module: String, in path: String) -> Bool {
    let bytes = (try? readFile(path, limit: SourceMentions.sizeLimit)) ?? []
    guard bytes.firstRange(of: Array(module.utf8)) != nil else { return false }
    return codeLines(of: bytes).contains { line in
        let words = line.split(whereSeparator: \.isWhitespace)
        return words.dropLast().contains("import")
            && words.last?.prefix { $0 != "." } == module[...]
    }
}
