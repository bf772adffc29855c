package import Essentials

/// A folder of one process in the system's temporary folder, removed with the value.
///
/// It is locked as long as the process lives, so that the next one recognizes and removes what a killed one left.
package final class TemporaryFolder {
    package let url: URL
    private let lock: FolderLock
    private let entry: UnfinishedFiles.Entry

    /// Makes an empty folder that only this user can access.
    package init() throws(FileError) {
        let parent = Files.temporaryFolder
        Self.removeLeftoversOnce()
        for _ in 0..<8 {
            let url = parent.appendingPathComponent(Self.prefix + UUID().uuidString)
            guard mkdir(url.path, 0o700) == 0 else { throw .system(url.path) }
            // Another process may take the new folder for a leftover before it is locked.
            guard let lock = FolderLock(url.path) else { continue }
            (self.url, self.lock) = (url, lock)
            entry = UnfinishedFiles.enter { try? Files.remove(at: url.path) }
            return
        }
        throw .inaccessible(path: parent.path, reason: "no temporary folder can be created")
    }

    deinit { try? Files.remove(at: url.path) }

    /// Removes the folders of killed processes; once in a process is enough.
    package static func removeLeftoversOnce() { _ = leftoversAreRemoved }

    private static let leftoversAreRemoved: Bool = {
        removeLeftovers(in: Files.temporaryFolder)
        return true
    }()

    private static let prefix = "momtool-store-"

    private static func removeLeftovers(in parent: URL) {
        let names = (try? Files.names(in: parent.path)) ?? []
        for name in names
        where name.hasPrefix(prefix)
            && UUID(uuidString: String(name.dropFirst(prefix.count))) != nil
        {
            let path = parent.appendingPathComponent(name).path
            var status = stat()
            guard lstat(path, &status) == 0, status.st_uid == geteuid(), let lock = FolderLock(path)
            else { continue }
            withExtendedLifetime(lock) { try? Files.remove(at: path) }
        }
    }
}

/// A lock on a folder, which the system releases when its process ends in any way.
private final class FolderLock {
    private let descriptor: Int32

    /// Takes the lock; `nil` if another process holds it, or the folder is missing.
    init?(_ path: String) {
        descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0, flock(descriptor, LOCK_EX | LOCK_NB) == 0, isSame(descriptor, path)
        else {
            close(descriptor)
            return nil
        }
    }

    deinit { close(descriptor) }
}

package func isSame(_ descriptor: Int32, _ path: String) -> Bool {
    var (own, there) = (stat(), stat())
    return fstat(descriptor, &own) == 0 && lstat(path, &there) == 0
        && own.st_ino == there.st_ino && own.st_dev == there.st_dev
}
