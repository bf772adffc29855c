package import FileSystem
import Essentials

/// A store that is to be migrated, and where its result and its backup go.
package struct MigrationTarget: Sendable, Hashable {
    /// The path of the store.
    package var store: String
    /// The path of the new file; `nil` when the store is changed where it is.
    package var output: String?
    /// The path of a copy of the store as it was; `nil` for none.
    package var backup: String?

    package init(store: String, output: String? = nil, backup: String? = nil) {
        self.store = store
        self.output = output
        self.backup = backup
    }

    /// Finds the places for some stores.
    ///
    /// One store goes to the file that is named. Several go into the folder that is named, each by its path below
    /// the folder that holds them all, so that stores of one name stay apart; so do backups.
    ///
    /// - Parameters:
    ///   - stores: the paths of the stores.
    ///   - output: the new file, or the folder of several; `nil` when they are changed where they are.
    ///   - backup: the folder of the backups; `nil` for none.
    ///   - isList: whether `output` is a folder although there may be one store only.
    ///   - isWanted: says by its path whether a store is looked at here; the others count for the folder that holds all.
    /// - Returns: the places, in the order of the stores that are wanted.
    /// - Throws: ``MomtoolError`` when one of them is named twice.
    package static func all(
        for stores: [String],
        output: String?,
        backup: String? = nil,
        isList: Bool = false,
        where isWanted: (String) -> Bool = { _ in true }
    ) throws(MomtoolError) -> [MigrationTarget] {
        let wanted = stores.filter(isWanted)
        try requireDistinct(wanted)
        guard output != nil || backup != nil else {
            return wanted.map { MigrationTarget(store: $0) }
        }
        // A list may have a million paths: nothing is kept of those that are not wanted.
        let shared = sharedCount(of: stores)
        return wanted.map { store in
            let path = components(of: store).dropFirst(shared).joined(separator: "/")
            return MigrationTarget(
                store: store,
                output: output.map { stores.count == 1 && !isList ? $0 : "\($0)/\(path)" },
                backup: backup.map { "\($0)/\(path)" }
            )
        }
    }

    /// Two migrations of one file would be in each other's way, by whatever names.
    private static func requireDistinct(_ stores: [String]) throws(MomtoolError) {
        var known: Set<FileIdentity> = []
        for store in stores {
            guard let identity = FileIdentity(of: store) else { continue }
            guard known.insert(identity).inserted else {
                throw MomtoolError(.usage, store, "the store is named twice", "repeated-store")
            }
        }
    }

    /// The number of leading parts that the paths of files have in common, which is the deepest folder that holds them all.
    private static func sharedCount(of paths: [String]) -> Int {
        guard let first = paths.first.map(components) else { return 0 }
        return paths.reduce(first.count - 1) { shared, path in
            let parts = components(of: path)
            let most = min(shared, parts.count - 1)
            return zip(parts, first).prefix(most).prefix { $0 == $1 }.count
        }
    }

    private static func components(of path: String) -> [String] {
        fileURL(path).standardizedFileURL.pathComponents
    }

    /// Makes the folders that the results of several stores, and backups, go into.
    ///
    /// - Parameters:
    ///   - isOneOfSeveral: whether the result lies in a folder of several.
    ///   - folders: remembers the folders that were not there before.
    /// - Throws: ``MomtoolError`` when one cannot be made.
    package func makeFolders(
        ofSeveral isOneOfSeveral: Bool,
        _ folders: NewFolders
    ) throws(MomtoolError) {
        for path in [isOneOfSeveral ? output : nil, backup].compactMap(\.self) {
            let folder = fileURL(path).deletingLastPathComponent().path
            do throws(FileError) {
                try folders.make(folder)
            } catch {
                let message = "the folder cannot be created"
                throw MomtoolError(.cannotCreate, folder, message, "unwritable-folder")
            }
        }
    }

    /// How many names (hard links) the file has that is to be changed where it is; 1 when that does not matter.
    package var nameCount: Int {
        var status = stat()
        guard output == nil, stat(store, &status) == 0 else { return 1 }
        return Int(status.st_nlink)
    }
}
