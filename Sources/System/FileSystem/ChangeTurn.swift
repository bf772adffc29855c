import Essentials

/// The turn of a process to change the files of a project: others wait for theirs, before they read what they change.
///
/// The system takes the turn back when the process ends, however that happens. There is one for each git repository, as
/// models share projects and settings, and elsewhere one for each folder; there the lock is on a file that goes with the
/// turn. Where nothing can be locked, as in a folder that cannot be written, everybody has the turn.
package final class ChangeTurn: Sendable {
    /// The lock; negative where nothing can be locked.
    private let descriptor: Int32
    /// The file that was made to be locked.
    private let file: String?
    private let entry: UnfinishedFiles.Entry?

    /// Waits for the turn.
    ///
    /// - Parameter path: the path of something that is changed; it need not be there yet.
    /// - Throws: ``FileError`` when another process keeps the turn for a minute.
    package init(around path: String) throws(FileError) {
        let folder = Self.folder(around: path)
        let repository = repositoryFolder(around: folder)
        let file = repository == nil ? (folder == "/" ? "" : folder) + "/" + Self.fileName : nil
        let place = repository.map { $0 + "/.git" } ?? file ?? ""
        let creation = repository == nil ? O_CREAT | O_NOFOLLOW : 0
        for _ in 0..<Self.attempts {
            let descriptor = open(place, O_RDONLY | O_CLOEXEC | O_NONBLOCK | creation, 0o666)
            let isLocked = flock(descriptor, LOCK_EX | LOCK_NB) == 0
            // A file that another process has just removed locks nobody out.
            if isLocked, FileIdentity(descriptor: descriptor) == FileIdentity(of: place) {
                (self.descriptor, self.file) = (descriptor, file)
                entry = file.map { file in UnfinishedFiles.enter { unlink(file) } }
                return
            }
            let isTaken = isLocked || errno == EWOULDBLOCK
            if descriptor >= 0 { close(descriptor) }
            guard isTaken else {
                (self.descriptor, self.file, entry) = (-1, nil, nil)
                return
            }
            usleep(10_000)
        }
        throw .inaccessible(path: path, reason: "another command is changing this; try again")
    }

    deinit {
        guard descriptor >= 0 else { return }
        // A disk may fail once; a file that stays is what the next turn locks, and removes.
        if let file, unlink(file) != 0 { unlink(file) }
        close(descriptor)
    }

    /// How often the lock is tried, a hundred times a second.
    private static let attempts = 6000

    private static let fileName = ".momtool-turn"

    /// The folder that holds something, or will hold it.
    private static func folder(around path: String) -> String {
        var folder = parent(of: resolvedPath(path))
        while folder != "/", FileIdentity(of: folder)?.isFolder != true {
            folder = parent(of: folder)
        }
        return folder
    }
}
