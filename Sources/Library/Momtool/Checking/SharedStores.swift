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
        return (swift?.stores ?? []).compactMap { store -> Diagnostic? in
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
            let what = "the store of '\(pathFromHere(model))'"
            let stores = [(own, store.entities), (other, Set(other.hashes.entityNames))]
            let places = [store.source.element, use]
            return difference(from: what, stores, at: places, "Core Data opens it here")
        }
    }

    /// Warns of a container that has one file in the folder of a group with that of another target, but not its classes.
    package func storeShared(with other: ModelBundle) -> Diagnostic? {
        guard let own = currentVersion, let theirs = other.currentVersion else { return nil }
        for store in swift?.stores ?? [] where store.isInGroup == true {
            for twin in other.swift?.stores ?? [] where twin.file == store.file {
                let places = [store, twin].map(\.source.element)
                let stores = [(own, store.entities), (theirs, twin.entities)]
                // Other devices have a folder of their own.
                guard Set(places.map(platforms)).count == 1 else { continue }
                let (what, note) = ("a store of another target", "the other one is here")
                let found = difference(from: what, stores, at: places, note)
                if let found { return found }
            }
        }
        return nil
    }
}

/// Warns if two stores do not have their entities alike, as far as both are understood.
private func difference(
    from what: String,
    _ stores: [(version: ModelVersion, entities: Set<String>)],
    at places: [FileLocation?],
    _ note: String
) -> Diagnostic? {
    let unlike = stores[0].entities.union(stores[1].entities).filter { entity in
        let hashes = stores.map { version, entities in
            entities.contains(entity) ? version.hashes.entities[entity] : nil
        }
        return hashes[0] != hashes[1]
            && !stores.contains { $0.version.entitiesWithGaps.contains(entity) }
    }
    guard !unlike.isEmpty else { return nil }
    let message = """
        the container opens \(what), which differs in \(unlike.sorted().listed(most: 5)): each drops \
        or refuses what the other wrote; keep both models equal, or give it its own file
        """
    let notes = [Diagnostic.Note(note, at: places[1])]
    return Diagnostic(
        "container-drops-classes",
        message,
        severity: .warning,
        at: places[0],
        notes: notes
    )
}

/// The platforms that a path names.
private func platforms(named place: FileLocation?) -> [String] {
    let path = place?.path.lowercased() ?? ""
    return ["watch", "mac", "desktop", "tv/", "tvos", "vision"].filter { path.contains($0) }
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
