import Foundation

/// A database that is made beside its place and gets its name only when it is whole.
///
/// Whatever happens before ``publish()``, nothing is at the place that was not there before. A process that is
/// killed leaves its work behind; the next one for the same place removes it.
package final class WorkFile {
    /// The place that the database is made for.
    package let destination: String
    /// Where it is until then.
    package let path: String
    /// Holds a lock as long as the work goes on; the system gives it back when the process is killed.
    private let descriptor: Int32

    /// Takes a name beside a place.
    ///
    /// - Throws: ``StoreError/alreadyExists(path:)`` when something is at the place, or what would be taken for a
    ///   part of the new database there.
    package init(for destination: String) throws(StoreError) {
        for suffix in ["", "-wal", "-journal"] where exists(destination + suffix) {
            throw .alreadyExists(path: destination + suffix)
        }
        self.destination = destination
        let url = URL(fileURLWithPath: destination)
        let folder = url.deletingLastPathComponent()
        let prefix = ".\(url.lastPathComponent).momtool-"
        Self.removeLeftovers(in: folder, prefix: prefix)
        path = folder.appendingPathComponent(prefix + UUID().uuidString).path
        descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw .inaccessible(destination, errno) }
        flock(descriptor, LOCK_EX | LOCK_NB)
    }

    deinit {
        remove()
        close(descriptor)
    }

    /// Removes what is left of the work; does nothing after ``publish()``.
    private func remove() {
        for suffix in Self.suffixes { unlink(path + suffix) }
    }

    /// Brings the database to disk and gives it its name, unless something got there first.
    package func publish() throws(StoreError) {
        guard fsync(descriptor) == 0 else { throw .inaccessible(destination, errno) }
        // A link is never made over an existing file, unlike a move.
        if link(path, destination) != 0 {
            let code = errno
            if code == EEXIST { throw .alreadyExists(path: destination) }
            guard rename(path, destination) == 0 else { throw .inaccessible(destination, code) }
        }
        remove()
        synchronizeFolder()
    }

    /// Brings the new name to disk; some file systems cannot, and then it is there all the same.
    private func synchronizeFolder() {
        let folder = URL(fileURLWithPath: destination).deletingLastPathComponent().path
        let descriptor = open(folder, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }

    private static let suffixes = ["", "-wal", "-shm", "-journal"]

    /// Removes the work of processes that were killed: nobody holds its lock any more.
    private static func removeLeftovers(in folder: URL, prefix: String) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        for name in names where name.hasPrefix(prefix) && !name.contains("-wal") {
            let path = folder.appendingPathComponent(name).path
            let descriptor = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
            guard descriptor >= 0 else { continue }
            if flock(descriptor, LOCK_EX | LOCK_NB) == 0 {
                for suffix in suffixes { unlink(path + suffix) }
            }
            close(descriptor)
        }
    }
}

extension StoreError {
    fileprivate static func inaccessible(_ path: String, _ code: Int32) -> StoreError {
        .inaccessible(path: path, reason: String(cString: strerror(code)))
    }
}

private func exists(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0
}
