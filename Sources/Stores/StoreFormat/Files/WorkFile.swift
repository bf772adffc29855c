import FileSystem
package import Essentials
package import SQLiteAccess

/// A database that is made beside its place and gets its name only when it is whole.
///
/// Whatever happens before ``publish()``, nothing is at the place that was not there before. A process that is
/// killed leaves its work behind; the next one for the same place removes it.
package final class WorkFile {
    /// The place that the database is made for.
    package let destination: String
    /// Where it is until then.
    package let path: String
    private let names: WorkFileNames
    /// The file whose owner, rights and extended attributes the new one gets.
    private let original: String?
    private let keepsTimes: Bool
    private var hasPublishedSupport = false
    /// Holds a lock as long as the work goes on; the system gives it back when the process is killed.
    private let descriptor: Int32
    private let entry: UnfinishedFiles.Entry

    /// Takes a name beside a place.
    ///
    /// - Parameters:
    ///   - destination: the place.
    ///   - original: a file whose owner, rights and extended attributes the new one gets, as far as permitted.
    ///   - keepsTimes: whether it gets its times too, as a copy does.
    ///   - mayExist: whether something may be at the place: then the new file is compared with it, and not published.
    /// - Throws: `StoreError.alreadyExists(path:)` when something is at the place, or what would be taken for a
    ///   part of the new database there.
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
        self.destination = destination
        self.original = original
        self.keepsTimes = keepsTimes
        for _ in 0..<8 {
            let names = WorkFileNames(for: destination)
            // What is copied may be secret, and gets its rights at the end.
            let rights: mode_t = original == nil ? 0o644 : 0o600
            let descriptor = open(names.path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, rights)
            guard descriptor >= 0 else { throw .uncreatable(destination) }
            // Another process may take the new file for a leftover before it is locked.
            if flock(descriptor, LOCK_EX | LOCK_NB) == 0, isSame(descriptor, names.path) {
                self.names = names
                self.descriptor = descriptor
                path = names.path
                entry = UnfinishedFiles.enter { names.removeUnpublished() }
                return
            }
            close(descriptor)
        }
        throw .inaccessible(path: destination, reason: "no file can be created beside it")
    }

    /// Refuses a path that no file has, and the place of what SQLite or Core Data would take for a part of another store.
    private static func requireOwnPlace(
        _ destination: String,
        _ original: String?
    ) throws(StoreError) {
        guard !destination.isEmpty, !destination.hasNUL else {
            let reason = destination.isEmpty ? "name a file" : nulWords
            throw .cannotCreate(path: destination, reason: reason)
        }
        // SQLite and Core Data go by names, also where nothing is yet.
        var whole = databaseWithPart(at: destination).flatMap { $0 == destination ? nil : $0 }
        if let original, isPart(destination, ofStore: original) { whole = original }
        guard let store = whole else { return }
        let name = fileURL(store).lastPathComponent
        let reason = "it would be taken for a part of the store '\(name)'; name another path"
        throw .cannotCreate(path: destination, reason: reason)
    }

    deinit {
        names.remove()
        close(descriptor)
    }

    /// The folder for the values that live in files beside the database, until it gets its name.
    package var externalData: URL {
        fileURL(names.support).appendingPathComponent("_EXTERNAL_DATA")
    }

    /// Copies the values that live in files beside a store.
    ///
    /// - Parameters:
    ///   - store: the path of the store.
    ///   - shallStop: is asked before each file; `true` ends the copying with an error.
    /// - Throws: `StoreError` when a file cannot be copied.
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
        try fileErrors { () throws(FileError) in
            try copyFolder(from: source, to: names.support, stoppingWhen: shallStop)
        }
    }

    /// Whether what is at the place is the same database, with the same files beside it as a store has.
    ///
    /// SQLite counts changes and copies in the header of each file, which therefore differ
    /// (sqlite.org/fileformat2.html, 1.3).
    ///
    /// - Parameter store: the path of the store that the database is a copy of. It is not opened here: to close it would
    ///   end the locks that this process has on it.
    /// - Returns: whether it is.
    /// - Throws: `StoreError` when a file cannot be read.
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

    /// Brings the database to disk and gives it its name, unless something got there first.
    ///
    /// The files beside it get their place first, marked as unfinished: a database never lacks them.
    package func publish() throws(StoreError) {
        // What is still in a log or a journal would be lost with it.
        for suffix in ["-wal", "-journal"] where fileSize(path + suffix) > 0 {
            throw .inaccessible(path: destination, reason: "not all of it could be written")
        }
        copyAttributesOfOriginal()
        guard fsync(descriptor) == 0 else { throw .system(destination) }
        UnfinishedFiles.beginPublishing()
        let hasSupport = exists(names.support)
        if hasSupport { try publishSupport() }
        do throws(StoreError) {
            try takeName()
        } catch {
            if hasSupport { _ = rename(names.publishedSupport, names.support) }
            throw error
        }
        if hasSupport { unlink(names.publishedMarker) }
        hasPublishedSupport = hasSupport
        names.remove()
    }

    /// Removes the database, with its files beside it, from the place that it was given.
    package func withdraw() {
        unlink(destination)
        if hasPublishedSupport {
            try? Files.remove(at: names.publishedSupport)
        }
        try? synchronizeFolder(names.folder)
    }

    private func copyAttributesOfOriginal() {
        guard let original else { return }
        copyAttributes(from: original, to: descriptor)
        if keepsTimes { copyTimes(from: original, to: descriptor) }
    }

    private func publishSupport() throws(StoreError) {
        // Renaming would replace an empty folder without a word.
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
            // A database that is on disk under its name has its files there too, whatever the file system orders.
            try synchronizeFolder(names.folder)
        } catch {
            _ = rename(names.publishedSupport, names.support)
            throw StoreError(error)
        }
    }

    private func takeName() throws(StoreError) {
        // A link is never made over an existing file, unlike a move.
        if link(path, destination) != 0 {
            let code = errno
            if code == EEXIST || exists(destination) { throw .alreadyExists(path: destination) }
            guard rename(path, destination) == 0 else { throw .system(destination, code) }
        }
        do throws(FileError) {
            try synchronizeFolder(names.folder)
        } catch {
            unlink(destination)
            throw StoreError(error)
        }
    }
}
