import Diagnostics
import FileSystem
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

    /// Warns about containers of SwiftData whose file one of Core Data opens with another model, if code names both.
    var storesSharedUnlike: [Diagnostic] {
        let place = resolvedPath(path)
        let root = repositoryFolder(around: place) ?? projectFolder(around: place) ?? place
        return (swift?.stores ?? []).compactMap { store in
            guard let file = store.fileName, file.hasSuffix(".sqlite"), let own = currentVersion
            else { return nil }
            let name = file.dropLast(".sqlite".count)
            let use = AppSources.below(root)
                .firstLine(mentioning: [.container, .mirroringContainer]) {
                    $0.contains("Container(name: \"\(name)\"")
                }
            guard let use,
                let model = modelSources(below: root).first(where: {
                    $0.hasSuffix("/\(name).xcdatamodeld")
                }), let other = try? ModelPlace(model).readUsable().value.currentVersion
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
