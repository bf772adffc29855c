import Foundation

/// A database that is made beside its place and gets its name only when it is whole.
///
/// Whatever happens before ``publish()``, nothing is at the place that was not there before.
package struct WorkFile {
    /// The place that the database is made for.
    package let destination: String
    /// Where it is until then.
    package let path: String

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
        let name = ".\(url.lastPathComponent).momtool-\(UUID().uuidString)"
        path = url.deletingLastPathComponent().appendingPathComponent(name).path
    }

    /// Removes what is left of the work; does nothing after ``publish()``.
    package func remove() {
        for suffix in ["", "-wal", "-shm", "-journal"] { unlink(path + suffix) }
    }

    /// Brings the database to disk and gives it its name, unless something got there first.
    package func publish() throws(StoreError) {
        try synchronize(path)
        // A link is never made over an existing file, unlike a move.
        if link(path, destination) == 0 {
            unlink(path)
        } else {
            let code = errno
            if code == EEXIST { throw .alreadyExists(path: destination) }
            guard rename(path, destination) == 0 else { throw .inaccessible(destination, code) }
        }
        try synchronize(URL(fileURLWithPath: destination).deletingLastPathComponent().path)
    }

    private func synchronize(_ path: String) throws(StoreError) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .inaccessible(destination, errno) }
        defer { close(descriptor) }
        // Some file systems cannot synchronize folders; they say so with EINVAL.
        guard fsync(descriptor) == 0 || errno == EINVAL else {
            throw .inaccessible(destination, errno)
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
