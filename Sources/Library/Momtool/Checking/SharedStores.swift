import Diagnostics
import FileSystem
package import ModelChecking
package import ModelLoading
import ObjectModel
import SwiftDataReading

extension ModelBundle {
    /// Whether a model of Core Data and one of SwiftData share entities, and no container has these in a file of its own.
    package func mayShareStore(with other: ModelBundle) -> Bool {
        let shared = entityNames.intersection(other.entityNames)
        let stores = ((swift ?? other.swift)?.stores ?? [])
            .filter { !$0.entities.isDisjoint(with: shared) }
        let isOpen = stores.contains { $0.fileName?.hasSuffix(".store") != true }
        return !shared.isEmpty && (stores.isEmpty || isOpen)
    }

    /// Whether classes that migrate without being asked open the default file of a container, and have an entity of its model.
    package func opensStores(of model: String, _ version: ModelLock.Version) -> Bool {
        let name = model.split(separator: "/").last?.prefix { $0 != "." }
        return currentVersion?.isMigratedUnasked == true
            && (swift?.stores ?? []).contains { store in
                store.coreDataName.map { $0[...] } == name
                    && version.entities.contains { store.entities.contains($0.name) }
            }
    }

    /// Warns about containers of SwiftData whose file one of Core Data opens with another model, if code of one target names
    /// both.
    var storesSharedUnlike: [Diagnostic] {
        let place = resolvedPath(path)
        let root = repositoryFolder(around: place) ?? projectFolder(around: place) ?? place
        return (swift?.stores ?? []).compactMap { store in
            guard let name = store.coreDataName, let own = currentVersion,
                let source = store.source.element.map({ resolvedPath($0.path) }),
                !codeLines(of: source).contains(where: { $0.contains("available(") })
            else { return nil }
            let use = AppSources.below(root).firstLine(
                mentioning: [.container, .mirroringContainer],
                in: { path, lines in
                    areOfOneTarget(path, source) && !lines.contains(where: maySetStore)
                },
                where: { $0.contains("Container(name: \"\(name)\"") }
            )
            guard let use else { return nil }
            let models = modelSources(below: root).filter { $0.hasSuffix("/\(name).xcdatamodeld") }
            guard models.count == 1, let model = models.first,
                let other = try? ModelPlace(model).readUsable().value.currentVersion
            else { return nil }
            let gaps = own.entitiesWithGaps.union(other.entitiesWithGaps)
            let all = store.entities.union(other.hashes.entityNames).subtracting(gaps)
            let unlike = all.filter { entity in
                let hash = store.entities.contains(entity) ? own.hashes.entities[entity] : nil
                return hash != other.hashes.entities[entity]
            }
            guard !unlike.isEmpty else { return nil }
            return Diagnostic(
                "container-drops-classes",
                """
                the container opens the store of '\(pathFromHere(model))', which differs in \(unlike.sorted().listed(most: 5)): each drops \
                or refuses what the other wrote; keep both models equal, or give it its own file
                """,
                severity: .warning,
                at: store.source.element,
                notes: [Diagnostic.Note("Core Data opens it here", at: use)]
            )
        }
    }
}

/// Whether code may open another file than the default one of a container, or only where SwiftData is not available.
private func maySetStore(_ code: Substring) -> Bool {
    code.contains(
        /\.url\s*=|StoreDescription\(|StoreDescriptions\s*(=|\.append)|addPersistentStore|InMemoryStore|defaultDirectoryURL|available\(/
    )
}

/// Whether two sources are of one target, which is taken for the outermost folder around them where nothing lists both.
private func areOfOneTarget(_ one: String, _ other: String) -> Bool {
    AppTargets.nearest(to: one)?.haveTogether([one, other])
        ?? (targetFolder(of: one) == targetFolder(of: other))
}

private func targetFolder(of path: String) -> String {
    let package = AppTargets.ofPackage(around: path)
    if let known = package?.targetFolder(around: path) { return known }
    let folder = parent(of: path)
    let roots = [repositoryFolder(around: folder), AppTargets.nearest(to: path)?.folder]
    let depth = roots.compactMap { $0?.split(separator: "/").count }.max() ?? 0
    return folder.split(separator: "/").prefix(depth + 1).joined(separator: "/")
}
