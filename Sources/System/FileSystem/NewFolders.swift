import Diagnostics
import Essentials

/// Folders for results, which are removed if they stay empty.
///
/// Several threads may make folders at once; empty ones are removed when all are done: results may be on their way.
package final class NewFolders: Sendable {
    private let made = Locked<[String]>([])
    /// A process that is asked to end also removes them.
    private let entry = Locked<UnfinishedFiles.Entry?>(nil)

    package init() {}

    /// Makes a folder and those above it, and remembers the new ones.
    package func make(_ path: String) throws(FileError) {
        var missing: [String] = []
        var place = path
        while !place.isEmpty, place != "/", FileIdentity(of: place) == nil {
            missing.append(place)
            place = parent(of: place)
        }
        for folder in missing.reversed() {
            guard mkdir(folder, 0o777) != 0 else {
                enter()
                made.withLock { $0.append(folder) }
                continue
            }
            let code = errno
            guard FileIdentity(of: folder)?.isFolder == true else {
                throw .uncreatable(folder, code)
            }
        }
        guard FileIdentity(of: path)?.isFolder == true else { throw .uncreatable(path, ENOTDIR) }
    }

    package func removeEmpty() {
        let folders = made.withLock { made in
            defer { made = [] }
            return made
        }
        // Parents were made before their subfolders.
        for folder in folders.reversed() { rmdir(folder) }
        entry.withLock { $0 = nil }
    }

    private func enter() {
        entry.withLock { entry in
            guard entry == nil else { return }
            entry = UnfinishedFiles.enter { [weak self] in self?.removeEmpty() }
        }
    }
}
