import Diagnostics
package import Essentials
import FileSystem
package import SQLiteAccess

/// A database that is created beside its destination and gets its name only when it is complete.
///
/// Until ``publish()`` the destination is untouched. A killed process leaves its work file; the next one with the same
/// destination removes it.
package final class WorkFile {
    package let destination: String
    /// The path until publication.
    package let path: String
    private let names: WorkFileNames
    /// The file whose owner, permissions and extended attributes the new one gets.
    private let original: String?
    private let keepsTimes: Bool
    private var hasPublishedSupport = false
    /// Holds a lock during the work; the system releases it when the process is killed.
    private let descriptor: Int32
    private let entry: UnfinishedFiles.Entry

    /// Reserves a name beside a destination.
    ///
    /// The new file gets owner, permissions and extended attributes of `original`, as far as permitted, and with
    /// `keepsTimes` its times. With `mayExist` an existing destination is allowed: then the new file is compared with
    /// it, and not published. Otherwise throws `StoreError.alreadyExists(path:)` if the destination, or a file that
    /// would look like part of the new database, exists.
    package init(
        for destination: String,
        like original: String? = nil,
        keepsTimes: Bool = false,
        mayExist: Bool = false
    ) throws(StoreError) {
        try Self.requireOwnPlace(destination, original)
        WorkFileNames.removeLeftovers(of: destination)
        for suffix in ["", "-wal", "-journal"] where !mayExist && exists(destination + suffix) {
            throw .alreadyExists(path: destination + suffix)
        }
        (self.destination, self.original, self.keepsTimes) = (destination, original, keepsTimes)
        for _ in 0..<8 {
            let names = WorkFileNames(for: destination)
            // The copy may be secret, and gets its permissions at the end.
            let rights: mode_t = original == nil ? 0o644 : 0o600
            let descriptor = open(names.path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, rights)
            guard descriptor >= 0 else { throw .uncreatable(destination) }
            // Another process may take the new file for a leftover before it is locked.
            if flock(descriptor, LOCK_EX | LOCK_NB) == 0, isSame(descriptor, names.path) {
                (self.names, self.descriptor) = (names, descriptor)
                path = names.path
                entry = UnfinishedFiles.enter { names.removeUnpublished() }
                return
            }
            close(descriptor)
        }
        throw .inaccessible(path: destination, reason: "no file can be created next to it")
    }

    /// Removes files that killed processes left for a path, including hard links to their results.
    package static func removeLeftovers(of destination: String) {
        WorkFileNames.removeLeftovers(of: destination)
    }

    /// Refuses an impossible path, and one that SQLite or Core Data would take for a part of another store.
    private static func requireOwnPlace(
        _ destination: String,
        _ original: String?
    ) throws(StoreError) {
        guard !destination.isEmpty, !destination.hasNUL else {
            let reason = destination.isEmpty ? "name a file" : nulWords
            throw .cannotCreate(path: destination, reason: reason)
        }
        // SQLite and Core Data go by names, even of files that do not exist yet.
        var whole = databaseWithPart(at: destination).flatMap { $0 == destination ? nil : $0 }
        if let original, isPart(destination, ofStore: original) { whole = original }
        guard let store = whole else { return }
        let name = fileURL(store).lastPathComponent
        let reason = "it would look like a part of the store '\(name)'; choose another path"
        throw .cannotCreate(path: destination, reason: reason)
    }

    deinit {
        names.remove()
        close(descriptor)
    }

    /// The folder for external values, until the database gets its name.
    package var externalData: URL {
        fileURL(names.support).appendingPathComponent("_EXTERNAL_DATA")
    }

    /// Copies the external values of a store; `shallStop` is called before each file, and `true` ends it with an error.
    package func copyExternalData(
        of store: String,
        stoppingWhen shallStop: () -> Bool = { false }
    ) throws(StoreError) {
        let source = externalDataFolder(of: store).deletingLastPathComponent().path
        guard exists(source) else { return }
        // Better now than after an hour of copying.
        guard !exists(names.publishedSupport) else {
            throw .alreadyExists(path: names.publishedSupport)
        }
        try fileErrors(copyFolder(from: source, to: names.support, stoppingWhen: shallStop))
    }

    /// Whether the destination is the same database, with the same external files as `store`.
    ///
    /// SQLite counts changes and copies in the header of each file, which therefore differ
    /// (sqlite.org/fileformat2.html, 1.3). `store`, of which this database is a copy, is not opened: closing it would
    /// end the locks that this process has on it.
    package func holdsSameStore(withFilesOf store: String) throws(StoreError) -> Bool {
        guard isDatabase(destination) else { return false }
        for suffix in ["-wal", "-journal"] where fileSize(destination + suffix) > 0 { return false }
        return try fileErrors { () throws(FileError) in
            let counters = [18..<20, 24..<28, 40..<44, 92..<100]
            guard try hasSameBytes(path, destination, ignoring: counters) else { return false }
            return try hasSameFiles(
                externalDataFolder(of: destination).path,
                externalDataFolder(of: store).path
            )
        }
    }

    /// Synchronizes the database to disk and gives it its name, unless something got there first.
    ///
    /// Its external files get into place first, marked as unfinished: a database never lacks them.
    package func publish() throws(StoreError) {
        // What is still in a log or a journal would be lost with it.
        for suffix in ["-wal", "-journal"] where fileSize(path + suffix) > 0 {
            throw .inaccessible(path: destination, reason: "it could not be written completely")
        }
        copyAttributesOfOriginal()
        guard fsync(descriptor) == 0 else { throw .system(destination) }
        UnfinishedFiles.beginPublishing()
        let hasSupport = exists(names.support)
        if hasSupport { try publishSupport() }
        do throws(StoreError) { try takeName() } catch {
            if hasSupport { _ = rename(names.publishedSupport, names.support) }
            throw error
        }
        if hasSupport { unlink(names.publishedMarker) }
        hasPublishedSupport = hasSupport
        names.remove()
    }

    /// Removes the published database with its external files.
    package func withdraw() {
        unlink(destination)
        if hasPublishedSupport { try? Files.remove(at: names.publishedSupport) }
        try? synchronizeFolder(names.folder)
    }

    private func copyAttributesOfOriginal() {
        guard let original else { return }
        copyAttributes(from: original, to: descriptor)
        if keepsTimes { copyTimes(from: original, to: descriptor) }
    }

    private func publishSupport() throws(StoreError) {
        // Renaming would silently replace an empty folder.
        guard !exists(names.publishedSupport) else {
            throw .alreadyExists(path: names.publishedSupport)
        }
        try fileErrors { () throws(FileError) in
            try OpenFile(names.marker, O_WRONLY | O_CREAT).synchronize()
            try synchronizeFolder(externalData.path)
            try synchronizeFolder(names.support)
            guard rename(names.support, names.publishedSupport) == 0 else {
                throw .system(names.publishedSupport)
            }
        }
        do throws(FileError) {
            // Once a database is on disk under its name, it has its files, in whatever order the file system writes.
            try synchronizeFolder(names.folder)
        } catch {
            _ = rename(names.publishedSupport, names.support)
            throw StoreError(error)
        }
    }

    private func takeName() throws(StoreError) {
        // Unlike a move, a link never replaces an existing file.
        if link(path, destination) != 0 {
            let code = errno
            if code == EEXIST || exists(destination) { throw .alreadyExists(path: destination) }
            guard rename(path, destination) == 0 else { throw .system(destination, code) }
        }
        do throws(FileError) { try synchronizeFolder(names.folder) } catch {
            unlink(destination)
            throw StoreError(error)
        }
    }
}

/// The names of a database's parts before publication, and how leftovers differ from work in progress.
struct WorkFileNames: Sendable {
    let folder: String
    let path: String
    /// The path of the folder beside a finished store.
    let publishedSupport: String
    private let name: String

    init(for destination: String) { self.init(for: destination, identifier: UUID().uuidString) }

    private init(for destination: String, identifier: String) {
        let url = fileURL(destination)
        folder = url.deletingLastPathComponent().path
        name = Self.prefix(of: destination) + identifier
        path = folder == "/" ? folder + name : "\(folder)/\(name)"
        publishedSupport = supportFolder(of: destination)
    }

    var support: String { path + Self.supportSuffix }

    /// Marks the database of a folder as unpublished.
    var marker: String { "\(support)/\(name)" }

    /// The marker when the folder already has its name.
    var publishedMarker: String { "\(publishedSupport)/\(name)" }

    private static let supportSuffix = "-support"
    /// The database itself is removed last: while it exists the others are found.
    private static let suffixes = ["-wal", "-shm", "-journal", supportSuffix, ""]

    func remove() {
        if exists(support) { try? Files.remove(at: support) }
        for suffix in Self.suffixes where suffix != Self.supportSuffix { unlink(path + suffix) }
    }

    /// Removes the existing files, and the published folder of a database that has no name yet.
    func removeUnpublished() {
        remove()
        guard exists(publishedMarker) else { return }
        try? Files.remove(at: publishedSupport)
    }

    /// Removes what killed processes left for a path: no process holds its lock any more.
    static func removeLeftovers(of destination: String) {
        let folder = fileURL(destination).deletingLastPathComponent().path
        for identifier in identifiers(in: folder, of: destination) {
            WorkFileNames(for: destination, identifier: identifier).removeUnlessLocked()
        }
        let support = supportFolder(of: destination)
        for identifier in identifiers(in: support, of: destination) {
            let names = WorkFileNames(for: destination, identifier: identifier)
            guard !exists(names.path) else { continue }
            if exists(destination) {
                unlink(names.publishedMarker)
            } else {
                try? Files.remove(at: support)
            }
        }
    }

    private func removeUnlessLocked() {
        let descriptor = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else {
            if errno == ENOENT { remove() }
            return
        }
        defer { close(descriptor) }
        if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { remove() }
    }

    private static func prefix(of destination: String) -> String {
        ".\(fileURL(destination).lastPathComponent).momtool-"
    }

    private static func identifiers(in folder: String, of destination: String) -> [String] {
        let prefix = prefix(of: destination)
        let identifiers = FolderListings.names(in: folder).compactMap { name -> String? in
            guard name.hasPrefix(prefix) else { return nil }
            let rest = name.dropFirst(prefix.count)
            let identifier = String(rest.prefix(36))
            guard UUID(uuidString: identifier) != nil, suffixes.contains(String(rest.dropFirst(36)))
            else { return nil }
            return identifier
        }
        return Set(identifiers).sorted()
    }
}

private func supportFolder(of path: String) -> String {
    externalDataFolder(of: path).deletingLastPathComponent().path
}

/// The names in folders that may be leftovers of killed processes.
package enum FolderListings {
    /// The names that a run has listed; `nil` if each query lists them again.
    private struct Known: Sendable { let names = Locked<[String: [String]]?>(nil) }

    private static var shared: Locked<[String: [String]]?> {
        Surroundings.current.memory.value(Known()).names
    }

    /// Lists each folder at most once during work on many stores, rather than for each store.
    ///
    /// Files that another process leaves meanwhile are removed by the next one.
    package static func sharing<Result>(_ work: () throws -> Result) rethrows -> Result {
        shared.withLock { $0 = [:] }
        defer { shared.withLock { $0 = nil } }
        return try work()
    }

    fileprivate static func names(in folder: String) -> [String] {
        if let known = shared.withLock({ $0?[folder] }) { return known }
        let all = (try? Files.names(in: folder)) ?? []
        let names = all.filter { $0.hasPrefix(".") && $0.contains(".momtool-") }
        shared.withLock { $0?[folder] = names }
        return names
    }
}
