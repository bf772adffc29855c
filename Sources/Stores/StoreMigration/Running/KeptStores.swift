import Essentials
import FileSystem
import SQLiteAccess
import StoreFormat

/// The copies of the store that a run leaves after each step for inspection.
///
/// A refused or cancelled run removes its copies, so that the same command can run again. A run in which a stage fails
/// leaves them: the store before the stage shows why. The next run into the folder removes those, by a list beside
/// them.
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
