import Essentials
package import FileSystem
package import SQLiteAccess

/// The files of a store on disk, and whether they can be read in place.
///
/// A write-ahead log beside a store is part of it. Reading through it would create or change files, so such a store is
/// copied first; so is one with the journal of an interrupted write.
struct StoreFiles {
    let path: String
    /// The path without symbolic links: SQLite puts the files beside a store where the store really is.
    let realPath: String
    private let passesLog: Bool

    init(path: String, passingLog passesLog: Bool = false) {
        (self.path, self.passesLog) = (path, passesLog)
        let resolved = realpath(path, nil)
        defer { free(resolved) }
        realPath = resolved.map { String(cString: $0) } ?? path
    }

    private static let headerSize = 100

    /// Checks that the file is a readable SQLite database, and that no process writes it.
    func check() throws(StoreError) {
        guard let status = Self.status(of: realPath) else {
            if errno == ENOENT || errno == ENOTDIR { throw .noSuchFile(path: path) }
            throw .inaccessible(path: path, reason: String(cString: strerror(errno)))
        }
        // Anything else, such as a pipe, could block a reader forever.
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw .notADatabase(path: path, mayBeEncrypted: false)
        }
        try requireFilesBesideIt()
        let header = try header()
        guard header.starts(with: databaseSignature), header.count == Self.headerSize else {
            throw .notADatabase(path: path, mayBeEncrypted: looksRandom(header))
        }
        if isBeingWritten { throw .inUse(path: path) }
        if sidecars.isEmpty { try checkLength(header) }
    }

    var sidecars: [String] {
        (passesLog ? ["-journal"] : ["-wal", "-journal"]).filter { size(of: realPath + $0) > 0 }
    }

    /// Checks that everything SQLite would open beside the store is also a file.
    func requireFilesBesideIt() throws(StoreError) {
        for suffix in ["-wal", "-shm", "-journal"] {
            guard let status = Self.status(of: realPath + suffix) else { continue }
            guard status.st_mode & S_IFMT == S_IFREG else {
                throw .inaccessible(path: path + suffix, reason: "not a file")
            }
        }
    }

    /// Checks that the store may be changed in place, which requires a journal beside it.
    func requireWritable() throws(StoreError) {
        let folder = parent(of: realPath)
        for place in [realPath, folder] where access(place, W_OK) != 0 {
            let reason = String(cString: strerror(errno))
            let subject = place == folder ? "its folder: " : ""
            throw .readOnly(path: path, reason: subject + reason)
        }
    }

    /// Copies the store with what belongs to it into a new folder and returns the folder.
    ///
    /// A store that changes meanwhile is in use.
    func copyAside() throws(StoreError) -> TemporaryFolder {
        let folder = try fileErrors(TemporaryFolder())
        let before = state
        for suffix in [""] + sidecars {
            let copy = folder.url.appendingPathComponent(Self.copyName + suffix).path
            do throws(FileError) { try copyContent(of: realPath + suffix, to: copy) } catch {
                // A log that was there a moment ago belongs to a process that is closing the store.
                throw exists(realPath + suffix) ? StoreError(error) : .inUse(path: path)
            }
        }
        guard state == before, !isBeingWritten else { throw .inUse(path: path) }
        return folder
    }

    static let copyName = "store.sqlite"

    private func header() throws(StoreError) -> [UInt8] {
        let descriptor = open(realPath, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw .system(path) }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: Self.headerSize)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        guard count >= 0 else { throw .system(path) }
        return Array(bytes.prefix(count))
    }

    /// Encrypted databases consist of pages of seemingly random bytes, including the header.
    private func looksRandom(_ header: [UInt8]) -> Bool {
        let length = size(of: realPath)
        guard length > 0, length % 512 == 0, header.count == Self.headerSize else { return false }
        return Set(header).count > 60
    }

    /// Checks the number of pages in the header, which counts when the library that wrote it last maintained it
    /// (sqlite.org/fileformat2.html, 1.3.8).
    private func checkLength(_ header: [UInt8]) throws(StoreError) {
        func number(at offset: Int) -> Int64 {
            header[offset..<(offset + 4)].reduce(0) { $0 << 8 | Int64($1) }
        }
        guard number(at: 24) == number(at: 92) else { return }
        let stored = Int64(header[16]) << 8 | Int64(header[17])
        let expected = number(at: 28) * (stored == 1 ? 65536 : stored)
        let actual = size(of: realPath)
        if actual < expected { throw .truncated(path: path, expected: expected, actual: actual) }
    }

    private static func status(of path: String) -> stat? {
        var status = stat()
        return fileStatus(path, &status) == 0 ? status : nil
    }

    private func size(of path: String) -> Int64 { Int64(Self.status(of: path)?.st_size ?? 0) }

    /// What changes when somebody writes.
    var state: [[Int64]] {
        ["", "-wal", "-journal"].map { suffix in
            guard let status = Self.status(of: realPath + suffix), status.st_size > 0 else {
                return []
            }
            #if canImport(Darwin)
                let time = status.st_mtimespec
            #else
                let time = status.st_mtim
            #endif
            return [
                Int64(status.st_size), Int64(time.tv_sec), Int64(time.tv_nsec),
                Int64(bitPattern: UInt64(status.st_ino)),
            ]
        }
    }

    /// Whether another process holds one of a writer's locks: a rollback journal's on the file, a log's on its index.
    var isBeingWritten: Bool {
        isLocked(realPath, from: 0x4000_0000, length: 512)
            || isLocked(realPath + "-shm", from: 120, length: 3)
    }

    /// Queries locks of other processes without taking any.
    private func isLocked(_ path: String, from start: off_t, length: off_t) -> Bool {
        let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var lock = flock()
        lock.l_type = Int16(F_RDLCK)
        lock.l_whence = Int16(SEEK_SET)
        lock.l_start = start
        lock.l_len = length
        guard fcntl(descriptor, F_GETLK, &lock) == 0 else { return false }
        return lock.l_type == Int16(F_WRLCK)
    }
}

/// Synchronizes the end of a transaction on a store, the removal of its journal, to disk.
///
/// A failure is harmless: should the power fail now, the store is the old one again. With `synchronous = EXTRA`, SQLite
/// would report a completed transaction as failed.
package func synchronizeJournal(of path: String) {
    let folder = fileURL(StoreFiles(path: path).realPath).deletingLastPathComponent()
    try? synchronizeFolder(folder.path)
}

/// Opens a store to change it in place, if that is permitted and no other process has it open.
///
/// What killed processes left beside it is removed. Its write-ahead log becomes a part of the database, or `keepsLog` until
/// the caller says otherwise.
package func openAlone(
    _ path: String,
    keepingLog keepsLog: Bool = false
) throws(StoreError) -> SQLiteConnection {
    let files = StoreFiles(path: path)
    try files.requireFilesBesideIt()
    try files.requireWritable()
    WorkFileNames.removeLeftovers(of: files.realPath)
    let connection = try SQLiteConnection(
        path: files.realPath,
        mode: .readWrite,
        reportedPath: path
    )
    try connection.lockExclusively()
    if !keepsLog { try connection.emptyLog() }
    // An empty one is removed, as SQLite does.
    connection.keepLog(logLength(of: path) > 0)
    try connection.execute("PRAGMA synchronous = FULL")
    return connection
}

/// The first bytes of an SQLite database (sqlite.org/fileformat2.html, 1.3).
package let databaseSignature = Array("SQLite format 3\0".utf8)

package func isDatabase(_ path: String) -> Bool {
    fileStart(path, databaseSignature.count) == databaseSignature
}

extension StoreError {
    package init(_ error: FileError) {
        self =
            switch error {
            case .inaccessible(let path, let reason): .inaccessible(path: path, reason: reason)
            case .cannotCreate(let path, let reason): .cannotCreate(path: path, reason: reason)
            case .alreadyExists(let path): .alreadyExists(path: path)
            }
    }

    static func system(_ path: String, _ code: Int32 = errno) -> StoreError {
        StoreError(FileError.system(path, code))
    }

    /// The last error of the system when a file could not be made.
    static func uncreatable(_ path: String, _ code: Int32 = errno) -> StoreError {
        StoreError(FileError.uncreatable(path, code))
    }
}

package func fileErrors<Result>(
    _ body: () throws(FileError) -> Result
) throws(StoreError) -> Result {
    do throws(FileError) {
        return try body()
    } catch {
        throw StoreError(error)
    }
}

package func fileErrors<Result>(
    _ value: @autoclosure () throws(FileError) -> Result
) throws(StoreError) -> Result { try fileErrors { () throws(FileError) in try value() } }

/// The suffixes of the files that SQLite puts beside a database.
private let suffixesBesideDatabase = ["-wal", "-shm", "-journal"]

/// The paths of what may belong to a store beside its database: log, its index, journal and folder of values.
package func partsOfStore(_ path: String) -> [String] {
    // SQLite puts the files beside the real store, after all links are resolved.
    let real = resolvedPath(path)
    let folders = [path, real].map { externalDataFolder(of: $0).deletingLastPathComponent().path }
    return suffixesBesideDatabase.map { real + $0 } + folders
}

/// Returns the database to which a path belongs, or whose log or journal it is; `nil` for none.
package func databaseWithPart(at path: String) -> String? {
    let suffix = suffixesBesideDatabase.first(where: path.hasSuffix)
    return [path, suffix.map { String(path.dropLast($0.count)) }].compactMap(\.self).first {
        FileIdentity(of: $0)?.isRegular == true && isDatabase($0)
    }
}

/// Whether a path is that of something that belongs to a store beside its database.
func isPart(_ path: String, ofStore store: String) -> Bool {
    let (path, parts) = (resolvedPath(path), partsOfStore(store).map(resolvedPath))
    return parts.contains { path == $0 || path.hasPrefix($0 + "/") }
}
