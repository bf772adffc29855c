import Essentials

package enum FileChange: Sendable, Hashable {
    /// Writes a file, new or in place of an existing one.
    case write(path: String, bytes: [UInt8])
    /// Makes a new folder with files by their names.
    case makeFolder(path: String, files: [String: [UInt8]])
    /// Renames a folder, to a new name in the same folder.
    case renameFolder(path: String, to: String)
    case removeFolder(path: String)

    package var path: String {
        switch self {
        case .write(let path, _), .makeFolder(let path, _), .renameFolder(let path, _),
            .removeFolder(let path):
            path
        }
    }
}

/// Makes some changes, all or none.
///
/// Everything is written to temporary files and synchronized to disk first; then files are renamed, one after the other.
/// If the system refuses one, the earlier ones are undone. Several changes are recorded in a ``ChangeJournal`` before the
/// first is made: if the process is killed between two names, the next one undoes them. The journal belongs to `subject`,
/// the same for all processes that change it; `turn` has been held since that was read, and is `nil` if no other process
/// changes it.
package func make(
    _ changes: [FileChange],
    of subject: String,
    in turn: ChangeTurn?
) throws(FileError) {
    defer { withExtendedLifetime(turn) {} }
    var folders: [String: DraftFolder] = [:]
    for (folder, group) in Dictionary(grouping: changes, by: { parent(of: $0.path) }) {
        folders[folder] = DraftFolder(folder, for: group.map(\.path))
    }
    var steps: [ChangeStep] = []
    for change in changes {
        let folder = folders[parent(of: change.path)] ?? DraftFolder(".", for: [])
        steps.append(try ChangeStep(change, in: folder))
    }
    let journal = ChangeJournal(of: subject)
    var begun: [ChangeStep] = []
    var held: DraftFolder?
    defer { withExtendedLifetime(held) {} }
    do throws(FileError) {
        if steps.count > 1 { held = try journal.begin(steps.map(\.entry)) }
        for step in steps {
            begun.append(step)
            try step.publish()
        }
    } catch {
        // The last one may have got its name before something failed, or another process may have given it.
        for step in begun.reversed() where step.isMade { step.takeBack() }
        if held != nil { journal.end() }
        throw error
    }
    guard held == nil || journal.end() else { return }
    for step in begun { step.tidy() }
}

/// A change that is written aside, and its undoing.
private final class ChangeStep {
    private enum Work {
        case file(FileDraft, old: FileDraft?)
        case folder(FolderDraft)
        case rename(from: String, to: String)
        case removal(aside: String)
    }

    private let path: String
    private let folder: DraftFolder
    private let work: Work
    let entry: ChangeJournal.Entry
    /// Whether this process made the change, so that it may undo it.
    private(set) var isMade = false

    init(_ change: FileChange, in folder: DraftFolder) throws(FileError) {
        (path, self.folder) = (change.path, folder)
        switch change {
        case .write(let path, let bytes):
            let draft = try Self.draft(for: path, bytes, in: folder)
            var old: FileDraft?
            var former: [UInt8]?
            if exists(path) {
                do throws(FileFault) {
                    let bytes = try readFile(path, limit: .max - 1)
                    old = try? Self.draft(for: path, bytes, in: folder)
                    former = bytes
                } catch { throw .inaccessible(path: path, reason: error.reason) }
            }
            work = .file(draft, old: old)
            entry = .write(path: absolute(path), old: former.map { Data($0) }, new: Data(bytes))
        case .makeFolder(let path, let files):
            guard !exists(path) else { throw .uncreatable(path, EEXIST) }
            let draft = try FolderDraft(for: path, in: folder)
            for name in files.keys.sorted() { try draft.add(files[name] ?? [], at: name) }
            work = .folder(draft)
            entry = .makeFolder(path: absolute(path), files: files.mapValues { Data($0) })
        case .renameFolder(let path, let target):
            guard exists(path) else { throw .system(path, ENOENT) }
            guard !exists(target) else { throw .uncreatable(target, EEXIST) }
            work = .rename(from: path, to: target)
            entry = .move(path: absolute(path), to: absolute(target))
        case .removeFolder(let path):
            guard exists(path) else { throw .system(path, ENOENT) }
            let aside = folder.draftPath(for: path)
            work = .removal(aside: aside)
            entry = .move(path: absolute(path), to: absolute(aside))
        }
    }

    private static func draft(
        for path: String,
        _ bytes: [UInt8],
        in folder: DraftFolder
    ) throws(FileError) -> FileDraft {
        let draft = try FileDraft(for: path, in: folder, reportedPath: path)
        try draft.write(bytes)
        try draft.finish()
        return draft
    }

    func publish() throws(FileError) {
        switch work {
        case .file(let draft, _):
            defer { isMade = draft.isPublished }
            try draft.publish()
        case .folder(let draft):
            try draft.publish()
            isMade = true
        case .rename(let from, let to): try move(from, to: to)
        case .removal(let aside): try move(path, to: aside)
        }
    }

    private func move(_ path: String, to target: String) throws(FileError) {
        UnfinishedFiles.beginPublishing()
        guard rename(path, target) == 0 else { throw .uncreatable(path) }
        isMade = true
        try synchronizeFolder(parent(of: path))
    }

    func takeBack() {
        switch work {
        case .file(_, let old?): try? old.publish()
        case .file: unlink(path)
        case .folder: try? Files.remove(at: path)
        case .rename(let from, let to): _ = rename(to, from)
        case .removal(let aside): _ = rename(aside, path)
        }
    }

    func tidy() { if case .removal(let aside) = work { try? Files.remove(at: aside) } }
}
