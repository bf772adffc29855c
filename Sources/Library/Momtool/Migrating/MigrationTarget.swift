package import FileSystem
import Essentials

package struct MigrationTarget: Sendable, Hashable {
    package var store: String
    /// `nil` when the store is changed in place.
    package var output: String?
    /// The path of a copy of the store as it was; `nil` for none.
    package var backup: String?
    /// The path of the result in the folder of several; `nil` for a result with its own path.
    package var place: String?

    package enum Naming: Sendable, Hashable {
        /// There is one store, and its result has the named path.
        case lone
        /// Each by its path below the deepest folder that holds all of the stores.
        case belowSharedFolder
        /// Each by the whole path of its store, independent of the rest of the list.
        case byPath
    }

    package init(
        store: String,
        output: String? = nil,
        backup: String? = nil,
        place: String? = nil
    ) {
        (self.store, self.output, self.backup, self.place) = (store, output, backup, place)
    }

    /// Finds the places for some stores.
    package static func all(
        for stores: [String],
        output: String?,
        backup: String? = nil,
        naming: Naming
    ) throws(MomtoolError) -> [MigrationTarget] {
        try requireDistinct(stores)
        guard output != nil || backup != nil else {
            return stores.map { MigrationTarget(store: $0) }
        }
        let shared = naming == .byPath ? 0 : sharedCount(of: stores)
        let targets = stores.map { store in
            let place =
                naming == .byPath
                ? Self.place(ofPath: store)
                : components(of: store).dropFirst(shared).joined(separator: "/")
            return MigrationTarget(
                store: store,
                output: output.map { naming == .lone ? $0 : "\($0)/\(place)" },
                backup: backup.map { "\($0)/\(place)" },
                place: naming == .lone ? nil : place
            )
        }
        if backup != nil { try requireFreePlaces(targets) }
        return targets
    }

    /// Refuses a file at the path of a backup: an equal one would pass for the backup before its own turn.
    private static func requireFreePlaces(_ targets: [MigrationTarget]) throws(MomtoolError) {
        var stores: [FileIdentity: String] = [:]
        for target in targets {
            if let identity = FileIdentity(of: target.store) { stores[identity] = target.store }
        }
        for target in targets {
            guard let backup = target.backup, let identity = FileIdentity(of: backup),
                let other = stores[identity], other != target.store
            else { continue }
            let message =
                "the backup of \(target.store) would replace \(other); name another folder for backups"
            throw MomtoolError(.cannotCreate, backup, message, "file-exists")
        }
    }

    /// The path of a listed store's result in the folder of several: that of the store, as given.
    ///
    /// It depends on nothing else, so that every list with the store means the same result, and differs for different
    /// paths: a leading slash becomes the folder `_`, each `..` the folder `__`, and names that consist of underscores
    /// get two more.
    package static func place(ofPath path: String) -> String {
        let names = path.utf8.split(separator: UInt8(ascii: "/")).map { String(Substring($0)) }
        let folders = names.filter { $0 != "." }.map { name in
            guard name != ".." else { return "__" }
            return name.utf8.allSatisfy { $0 == UInt8(ascii: "_") } ? name + "__" : name
        }
        return ((path.utf8.first == UInt8(ascii: "/") ? ["_"] : []) + folders)
            .joined(separator: "/")
    }

    /// Whether there is a result that is later than the last change of the store.
    package func isCurrent(_ result: String) -> Bool {
        guard let made = FileTimes(of: result)?.status else { return false }
        // The last writes of an app may still be in the log.
        let changes = [store, store + "-wal"].compactMap { FileTimes(of: $0)?.content }
        return changes.allSatisfy { $0 <= made }
    }

    /// Two migrations of one file, by whatever names, would conflict.
    private static func requireDistinct(_ stores: [String]) throws(MomtoolError) {
        var known: Set<FileIdentity> = []
        for store in stores {
            guard let identity = FileIdentity(of: store) else { continue }
            guard known.insert(identity).inserted else {
                throw MomtoolError(.usage, store, "the store is named twice", "repeated-store")
            }
        }
    }

    /// The number of leading components that the paths share: the deepest folder that holds all files.
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

    /// Makes the folders for the results of several stores and for backups; `folders` records new ones.
    package func makeFolders(
        ofSeveral isOneOfSeveral: Bool,
        _ folders: NewFolders
    ) throws(MomtoolError) {
        for path in [isOneOfSeveral ? output : nil, backup].compactMap(\.self) {
            let folder = fileURL(path).deletingLastPathComponent().path
            do throws(FileError) { try folders.make(folder) } catch {
                let message = "the folder cannot be created"
                throw MomtoolError(.cannotCreate, folder, message, "unwritable-folder")
            }
        }
    }

    /// The number of hard links of a file to be changed in place; 1 when that does not matter.
    package var nameCount: Int {
        var status = stat()
        guard output == nil, fileStatus(store, &status) == 0 else { return 1 }
        return Int(status.st_nlink)
    }
}
