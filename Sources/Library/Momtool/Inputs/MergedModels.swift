package import Diagnostics
import Essentials
import FileSystem

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
    func targetLists(_ folder: String) -> [String] {
        ((try? Files.names(in: folder)) ?? []).filter(isTargetList).map { "\(folder)/\($0)" }
    }
    var root = parent(of: source)
    while root.count > folder.count, targetLists(root).isEmpty { root = parent(of: root) }
    let target = targetFolder(around: source)
    let own = models.filter { model in
        let model = resolvedPath(model)
        return model.hasPrefix(root + "/") && targetFolder(around: model) == target
    }
    let targets = targetLists(root).filter { !leadsOut($0) }
        .flatMap { filesOfTargets($0, among: own + [source]) }
    guard target == nil, !targets.isEmpty else { return [own] }
    return targets.filter { $0.contains(source) }.map { own.filter($0.contains) }
}
