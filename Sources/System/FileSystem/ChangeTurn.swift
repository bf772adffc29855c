import Essentials

/// The turn of a process to change the files of a project: others wait for theirs, before they read what they change.
///
/// The system ends the turn when the process ends in any way. There is one per git repository, as models share projects
/// and settings, and elsewhere one per folder, where the lock is on a file that is removed with the turn. If nothing can
/// be locked, as in a read-only folder, every process has the turn.
package final class ChangeTurn: Sendable {
    /// The lock; negative if nothing can be locked.
    private let descriptor: Int32
    private let file: String?
    private let entry: UnfinishedFiles.Entry?

    /// Waits for the turn to change something at a path, which need not exist yet; throws when another process keeps
    /// the turn for a minute.
    package init(around path: String) throws(FileError) {
        let folder = Self.folder(around: path)
        let repository = repositoryFolder(around: folder)
        let file = repository == nil ? (folder == "/" ? "" : folder) + "/" + Self.fileName : nil
        let place = repository.map { $0 + "/.git" } ?? file ?? ""
        let creation = repository == nil ? O_CREAT | O_NOFOLLOW : 0
        let descriptor = waitForOthers { () -> Int32? in
            let descriptor = open(place, O_RDONLY | O_CLOEXEC | O_NONBLOCK | creation, 0o666)
            let isLocked = flock(descriptor, LOCK_EX | LOCK_NB) == 0
            // A file that another process has just removed locks nobody out.
            let isMine = isLocked && FileIdentity(descriptor: descriptor) == FileIdentity(of: place)
            if isMine { return descriptor }
            let isTaken = isLocked || errno == EWOULDBLOCK
            if descriptor >= 0 { close(descriptor) }
            return isTaken ? nil : -1
        }
        guard let descriptor else {
            throw .inaccessible(path: path, reason: "another command is changing this; try again")
        }
        self.descriptor = descriptor
        self.file = descriptor < 0 ? nil : file
        entry = self.file.map { file in UnfinishedFiles.enter { unlink(file) } }
    }

    deinit {
        guard descriptor >= 0 else { return }
        // A disk may fail once; the next turn locks and removes a file that stays.
        if let file, unlink(file) != 0 { unlink(file) }
        close(descriptor)
    }

    private static let fileName = ".momtool-turn"

    private static func folder(around path: String) -> String {
        var folder = parent(of: resolvedPath(path))
        while folder != "/", FileIdentity(of: folder)?.isFolder != true {
            folder = parent(of: folder)
        }
        return folder
    }
}

/// Retries, a hundred times a second for a minute, what another process may block; an attempt is `nil` while it does,
/// and so is the result when the minute is over.
func waitForOthers<Result>(_ attempt: () -> Result?) -> Result? {
    for _ in 0..<6000 {
        if let result = attempt() { return result }
        usleep(10_000)
    }
    return nil
}
