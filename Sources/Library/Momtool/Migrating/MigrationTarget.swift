import FileSystem
import Essentials

/// A store that is to be migrated, and where its result and its backup go.
public struct MigrationTarget: Sendable, Hashable {
    /// The path of the store.
    public var store: String
    /// The path of the new file; `nil` when the store is changed where it is.
    public var output: String?
    /// The path of a copy of the store as it was; `nil` for none.
    public var backup: String?

    /// Creates a target.
    public init(store: String, output: String? = nil, backup: String? = nil) {
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
    /// - Returns: the places, in the order of the stores.
    /// - Throws: ``MomtoolError`` when a store is named twice.
    public static func all(
        for stores: [String],
        output: String?,
        backup: String? = nil,
        isList: Bool = false
    ) throws(MomtoolError) -> [MigrationTarget] {
        try requireDistinct(stores)
        let paths = relativePaths(of: stores)
        return zip(stores, paths).map { store, path in
            MigrationTarget(
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

    /// Returns the paths of files below the deepest folder that holds them all.
    static func relativePaths(of paths: [String]) -> [String] {
        let parts = paths.map { fileURL($0).standardizedFileURL.pathComponents }
        let shortest = parts.map(\.count).min() ?? 0
        var shared = 0
        while shared < shortest - 1, parts.allSatisfy({ $0[shared] == parts[0][shared] }) {
            shared += 1
        }
        return parts.map { $0.dropFirst(shared).joined(separator: "/") }
    }

    /// Makes the folders that the results of several stores, and backups, go into.
    package func makeFolders(ofSeveral isOneOfSeveral: Bool) throws(MomtoolError) {
        for path in [isOneOfSeveral ? output : nil, backup].compactMap(\.self) {
            let folder = fileURL(path).deletingLastPathComponent().path
            do {
                try FileManager.default.createDirectory(
                    atPath: folder,
                    withIntermediateDirectories: true
                )
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
