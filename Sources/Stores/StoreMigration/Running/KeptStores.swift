import Essentials
import FileSystem
import SQLiteAccess
import StoreFormat

/// The copies of the store that a run leaves after each step, so that a person can look at them.
///
/// A run that fails takes its copies away again: the same command can then be given once more.
final class KeptStores {
    /// The folder of the copies.
    let folder: String
    private var paths: [String] = []
    private var hasMadeFolder = false

    /// Keeps nothing yet.
    init(in folder: String) {
        self.folder = folder
    }

    /// Leaves the store as it is after a step.
    ///
    /// - Parameters:
    ///   - connection: the copy that the steps are carried out on.
    ///   - store: the path of the store.
    ///   - path: where the copy is kept.
    /// - Throws: `StoreMigrationError`; what was kept before is still there.
    func keep(
        _ connection: SQLiteConnection,
        of store: String,
        at path: String
    ) throws(StoreMigrationError) {
        try storeErrors { () throws(StoreError) in
            let isThere = FileManager.default.fileExists(atPath: folder)
            do {
                try FileManager.default.createDirectory(
                    atPath: folder,
                    withIntermediateDirectories: true
                )
            } catch {
                throw StoreError.inaccessible(path: folder, reason: "cannot be made: \(error)")
            }
            hasMadeFolder = hasMadeFolder || !isThere
            let file = try WorkFile(for: path)
            // The work is done on a copy, which a fault throws away whole.
            try connection.execute("COMMIT")
            try connection.copy(
                into: SQLiteConnection(path: file.path, mode: .create, reportedPath: path)
            )
            try file.copyExternalData(of: store)
            try file.publish()
            paths.append(path)
            try connection.execute("BEGIN IMMEDIATE")
        }
    }

    /// Takes the copies away that were kept, and the folder if it was made for them.
    func remove() {
        for path in paths {
            try? FileManager.default.removeItem(atPath: path)
            let files = externalDataFolder(of: path)
            try? FileManager.default.removeItem(at: files)
            // The folder around it, which goes unless it holds anything else.
            rmdir(files.deletingLastPathComponent().path)
        }
        paths = []
        // A folder that holds anything else stays.
        if hasMadeFolder { rmdir(folder) }
    }
}
