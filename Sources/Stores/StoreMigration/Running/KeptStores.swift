package import Diagnostics
import Essentials
import FileSystem
import MappingInference
import MigrationPlanning
import SQLiteAccess
import StoreFormat
package import ObjectModel

/// The copies of the store that a run leaves after each step for inspection.
///
/// A refused or cancelled run removes its copies, so that the same command can run again. A run in which a stage fails
/// leaves them: the store before the stage shows why. The next run there removes those, by a list beside them.
final class KeptStores {
    let folder: String
    private var paths: [String] = []
    private var hasMadeFolder = false

    /// Keeps nothing yet, and removes the copies of a run whose stage failed.
    init(in folder: String) {
        self.folder = folder
        let list = listOfUnfinished(in: folder)
        guard let bytes = try? readFile(list, limit: 1 << 20) else { return }
        paths = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
            // A list from somebody else cannot name another folder.
            .filter { $0.hasSuffix(".sqlite") && !$0.contains("/") }.map { "\(folder)/\($0)" }
        try? Files.remove(at: list)
        hasMadeFolder = true
        remove()
        hasMadeFolder = false
    }

    /// Keeps the store at `store` as it is after a step, at `path`; if it throws, what was kept before still exists.
    func keep(
        _ connection: SQLiteConnection,
        of store: String,
        at path: String
    ) throws(StoreError) {
        let isThere = Files.exists(at: folder)
        do { try Files.makeFolder(at: folder) } catch {
            throw .inaccessible(path: folder, reason: "cannot be created: \(error)")
        }
        hasMadeFolder = hasMadeFolder || !isThere
        let file = try WorkFile(for: path)
        // The work is done on a copy, which a fault discards.
        try connection.execute("COMMIT")
        try connection.copy(
            into: SQLiteConnection(path: file.path, mode: .create, reportedPath: path)
        )
        try file.copyExternalData(of: store)
        try file.publish()
        paths.append(path)
        try connection.execute("BEGIN IMMEDIATE")
    }

    /// Ends a run that failed: if a stage is to blame, its copies stay, with a list of them; otherwise they are removed.
    func end(because error: StoreMigrationError) {
        guard error.isOfStage, !paths.isEmpty else { return remove() }
        let names = paths.map { fileURL($0).lastPathComponent + "\n" }.joined()
        do { try Data(names.utf8).write(to: fileURL(listOfUnfinished(in: folder))) } catch {
            remove()
        }
    }

    private func remove() {
        for path in paths {
            try? Files.remove(at: path)
            let files = externalDataFolder(of: path)
            try? Files.remove(at: files.path)
            // The folder around it, which is removed if it is empty.
            rmdir(files.deletingLastPathComponent().path)
        }
        paths = []
        // A folder with anything else stays.
        if hasMadeFolder { rmdir(folder) }
    }
}

private func listOfUnfinished(in folder: String) -> String { "\(folder)/unfinished.txt" }

/// Whether a run whose stage failed left its copies in a folder.
package func hasUnfinishedStages(in folder: String) -> Bool { exists(listOfUnfinished(in: folder)) }

/// A relationship whose links kept their order in a migration, though Core Data loses it.
///
/// Not a loss of this migration, but an app that migrates with Core Data gets another order: the reader of the result
/// must know (MigrationBehaviour, "Changes").
package struct KeptOrder: Sendable, Hashable {
    /// The relationship, such as `Folder.favorites`, named as in the new version.
    package var relationship: PropertyReference
    /// The number of links with an order: those of objects with several.
    package var links: Int

    /// What an app does otherwise, and what helps.
    package var diagnostic: Diagnostic {
        Diagnostic(
            "kept-order",
            "\(relationship): momtool keeps the order of \(links.counted("link")), but Core Data does not; restore it in a stage",
            severity: .warning,
            element: relationship.description
        )
    }
}

extension Migration {
    /// Finds the links in the migrated store that kept an order which Core Data would have lost.
    ///
    /// A stage with work after the step in question restores the order itself, and a map defines it. The store is
    /// opened only if there may be any; an unreadable one has none, as the migration is over and did not fail.
    package func keptOrders(inStoreAt path: String) -> [KeptOrder] {
        let properties = keptOrderProperties
        guard !properties.isEmpty, let layout = programs.last?.layout,
            let store = try? StoreFile(path: path)
        else { return [] }
        return properties.compactMap { property in
            guard let stored = layout.links(of: property, as: .join),
                stored.orderKey != nil
            else { return nil }
            let groups =
                "SELECT count(*) AS n FROM \(quotedIdentifier(stored.table)) "
                + "GROUP BY \(quotedIdentifier(stored.source)) HAVING n > 1"
            let sum = try? store.connection.value("SELECT COALESCE(sum(n), 0) FROM (\(groups))")
            guard let links = sum?.integer, links > 0 else { return nil }
            return KeptOrder(relationship: property, links: Int(clamping: links))
        }
    }

    /// The relationships of the last version whose links may have such an order.
    private var keptOrderProperties: [PropertyReference] {
        var kept: [PropertyReference] = []
        for (index, step) in steps.enumerated() {
            guard let program = step.stepProgram else { continue }
            let mappings = program.entityMappings.flatMap(\.relationshipMappings)
            kept = kept.flatMap { old in mappings.filter { $0.source == old }.map(\.destination) }
            guard step.step.kind == .lightweight, !isRestored(after: index) else { continue }
            kept += program.mapping.risks.filter { $0.kind == .orderLostInManyToMany }
                .compactMap(\.destination)
        }
        var known: Set<PropertyReference> = []
        return kept.filter { known.insert($0).inserted }
    }

    private func isRestored(after index: Int) -> Bool {
        guard let next = route.steps.dropFirst(index + 1).first else { return false }
        return next.kind == .didMigrate && next.stage == route.steps[index].stage
    }
}
