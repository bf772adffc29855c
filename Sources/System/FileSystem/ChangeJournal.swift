import Essentials

/// The changes that a process is about to make, written down beside their subject before the first one.
///
/// A file system changes one name at a time. A process that is killed between two changes leaves the journal, and the next
/// process that changes the same subject undoes them. A journal may come from anybody, for example in an archive: it is
/// trusted only if this user's process made its folder on this machine, and the caller of an undo says which paths belong
/// to the subject. A repository never contains one, as git ignores everything in the folder.
package struct ChangeJournal {
    enum Entry: Codable, Hashable {
        /// A file that gets other bytes; `old` is `nil` where there was none.
        case write(path: String, old: Data?, new: Data)
        case makeFolder(path: String, files: [String: Data])
        /// Something that gets another name, or is set aside to be removed.
        case move(path: String, to: String)

        var paths: [String] {
            switch self {
            case .write(let path, _, _), .makeFolder(let path, _): [path]
            case .move(let path, let target): [path, target]
            }
        }
    }

    package enum Outcome: Sendable, Hashable {
        case nothing
        case finished
        /// The changes of these files were undone.
        case takenBack([String])
    }

    package let path: String
    private let folder: String

    /// The changes, and what shows that the journal is where it was made.
    private struct Content: Codable {
        let origin: String
        let entries: [Entry]
    }

    /// The file of the changes in the folder of the journal.
    private static let changes = "changes"

    /// What a folder of this user on this machine is, and no copy of it.
    private static func origin(of folder: String) -> String? {
        var status = stat()
        guard lstat(folder, &status) == 0, status.st_mode & S_IFMT == S_IFDIR,
            status.st_uid == geteuid()
        else { return nil }
        let machine =
            (try? readFile("/etc/machine-id", limit: 1024)).map {
                String(decoding: $0, as: UTF8.self)
            } ?? ProcessInfo.processInfo.hostName
        return "\(status.st_dev) \(status.st_ino) \(status.st_uid) \(machine.trimmed)"
    }

    /// Names the journal of a subject, such as a model: inside it if it is a folder, otherwise beside it.
    package init(of subject: String) {
        let place = resolvedPath(subject)
        let isFolder = FileIdentity(of: place)?.isFolder == true
        folder = isFolder ? place : parent(of: place)
        let name = isFolder ? "" : place.split(separator: "/").last.map(String.init) ?? ""
        path = "\(folder == "/" ? "" : folder)/.\(name)momtool-journal"
    }

    /// Whether a journal exists: its process was killed, or is still at work.
    package var isThere: Bool { exists(path) }

    /// Whether a killed process left the journal; waits up to a minute for one that is still at work.
    package func isLeft() -> Bool {
        let isLeft = waitForOthers { () -> Bool? in
            guard isThere else { return false }
            let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
            defer { if descriptor >= 0 { close(descriptor) } }
            let isHeld = flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK
            // Another process may have begun, or ended, in the meantime.
            return isHeld ? nil : isThere
        }
        return isLeft ?? isThere
    }

    /// Writes the journal, and returns its folder, to be held until the end, so that no process takes the journal for
    /// that of a killed one.
    func begin(_ entries: [Entry]) throws(FileError) -> DraftFolder {
        let drafts = DraftFolder(folder, for: [path])
        guard !isThere else {
            throw .inaccessible(path: path, reason: "another command is changing this; try again")
        }
        let draft = try FolderDraft(for: path, in: drafts)
        guard let origin = Self.origin(of: draft.path),
            let bytes = try? JSONEncoder().encode(Content(origin: origin, entries: entries))
        else { throw .system(path, EINVAL) }
        try draft.add(Array("*\n".utf8), at: ".gitignore")
        try draft.add(bytes, at: Self.changes, lasting: true)
        try draft.publish()
        do throws(FileError) { try synchronizeFolder(folder) } catch {
            remove()
            throw error
        }
        return drafts
    }

    /// Removes the journal after all or none of the changes, and returns whether that worked; a remaining journal needs the
    /// files it names until the next process handles it.
    @discardableResult
    func end() -> Bool {
        remove()
        try? synchronizeFolder(folder)
        return !isThere
    }

    /// Takes the name away first, so that no part of a journal is found by it.
    @discardableResult
    private func remove() -> Bool {
        let aside = DraftFolder(folder, for: []).draftPath(for: path)
        guard rename(path, aside) == 0 else { return false }
        try? Files.remove(at: aside)
        return true
    }

    /// Undoes what a killed process had done, within the absolute paths that `isOwn` accepts.
    ///
    /// Throws while another process is at work, and for what somebody has changed since.
    package func settle(_ isOwn: (String) -> Bool) throws(FileError) -> Outcome {
        guard isThere else { return .nothing }
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        defer { if descriptor >= 0 { close(descriptor) } }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            throw .inaccessible(path: path, reason: "another command is changing this; try again")
        }
        guard isThere else { return .nothing }
        let entries = try read(isOwn)
        let states = entries.map(\.state)
        guard let strange = zip(entries, states).first(where: { $1 == .other })?.0 else {
            let isFinished = states.allSatisfy { $0 == .new }
            if !isFinished {
                for (entry, state) in zip(entries, states).reversed() where state == .new {
                    try entry.takeBack()
                }
            }
            guard remove() else { throw .system(path) }
            try synchronizeFolder(folder)
            for path in entries.flatMap(\.paths) { _ = DraftFolder(parent(of: path), for: [path]) }
            return isFinished ? .finished : .takenBack(entries.map { $0.paths[0] })
        }
        throw .inaccessible(
            path: strange.paths[0],
            reason:
                "a command was killed while it changed this, and it is neither the old state nor the "
                + "new one; restore it, for example with git, then remove \(path)"
        )
    }

    private func read(_ isOwn: (String) -> Bool) throws(FileError) -> [Entry] {
        guard let origin = Self.origin(of: path),
            let bytes = try? readFile("\(path)/\(Self.changes)", limit: 512 << 20),
            let content = try? JSONDecoder().decode(Content.self, from: Data(bytes)),
            content.origin == origin
        else {
            let reason =
                "no killed command of yours left this journal here; check that the model is "
                + "intact, and remove it"
            throw .inaccessible(path: path, reason: reason)
        }
        let entries = content.entries
        for entry in entries {
            for place in entry.paths where !(isOwn(place) && resolvedPath(place) == place) {
                let reason =
                    "the journal names '\(place)', which is not a file of the model here; remove it"
                throw .inaccessible(path: path, reason: reason)
            }
            if case .makeFolder(_, let files) = entry, files.keys.contains(where: Self.isNested) {
                throw .inaccessible(path: path, reason: "the journal names a file with a path")
            }
        }
        return entries
    }

    private static func isNested(_ name: String) -> Bool {
        name.contains("/") || name.isEmpty || name == ".." || name == "."
    }
}

/// Returns an absolute path: that of the folder without links, and the last name unchanged.
func absolute(_ path: String) -> String {
    let folder = resolvedPath(parent(of: path))
    let name = path.split(separator: "/").last.map(String.init) ?? ""
    return folder == "/" ? "/" + name : "\(folder)/\(name)"
}

extension ChangeJournal.Entry {
    /// The progress of a change.
    enum State: Hashable {
        case old, new
        /// Somebody has changed it since.
        case other
    }

    var state: State {
        switch self {
        case .write(let path, let old, let new):
            let bytes = (try? readFile(path, limit: .max - 1)).map { Data($0) }
            if bytes == old, bytes != nil || !exists(path) { return .old }
            return bytes == new ? .new : .other
        case .makeFolder(let path, let files):
            guard exists(path) else { return .old }
            let names = try? Files.names(in: path)
            let isSame =
                names?.sorted() == files.keys.sorted()
                && files.allSatisfy { name, bytes in
                    (try? readFile("\(path)/\(name)", limit: .max - 1)).map { Data($0) } == bytes
                }
            return isSame ? .new : .other
        case .move(let path, let target):
            switch (exists(path), exists(target)) {
            case (true, false): return .old
            case (false, true): return .new
            default: return .other
            }
        }
    }

    /// Restores what was there before.
    func takeBack() throws(FileError) {
        switch self {
        case .write(let path, let old?, _):
            let folder = DraftFolder(parent(of: path), for: [path])
            let draft = try FileDraft(for: path, in: folder, reportedPath: path)
            try draft.write(old)
            try draft.finish()
            try draft.publish()
        case .write(let path, nil, _): guard unlink(path) == 0 else { throw .system(path) }
        case .makeFolder(let path, _):
            do {
                // Moved aside first, so that a folder is removed at once, or stays complete.
                let aside = DraftFolder(parent(of: path), for: []).draftPath(for: path)
                guard rename(path, aside) == 0 else { throw FileError.system(path) }
                try Files.remove(at: aside)
            } catch let error as FileError { throw error } catch { throw .system(path) }
        case .move(let path, let target):
            guard rename(target, path) == 0 else { throw .system(target) }
        }
    }
}
