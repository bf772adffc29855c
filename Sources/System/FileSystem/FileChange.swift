import Essentials

/// A change of a file or a folder, as part of several that are made together.
package enum FileChange: Sendable, Hashable {
    /// Writes a file, in place of what is there or where nothing is.
    case write(path: String, bytes: [UInt8])
    /// Makes a folder where nothing is, with the files in it by their names.
    case makeFolder(path: String, files: [String: [UInt8]])
    /// Gives a folder another name in the folder that holds it, where nothing is.
    case renameFolder(path: String, to: String)
    /// Removes a folder with all that is in it.
    case removeFolder(path: String)

    /// What is changed.
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
/// Everything is written aside and brought to disk first; then names are given, one after the other. When the system
/// refuses one of them, those before it are taken back. A process that is killed between two names leaves the first of
/// them changed, so that the order matters: what others refer to comes first.
///
/// - Parameter changes: the changes, in their order.
/// - Throws: ``FileError`` for the change that could not be made.
package func make(_ changes: [FileChange]) throws(FileError) {
    var folders: [String: DraftFolder] = [:]
    for (folder, group) in Dictionary(grouping: changes, by: { parent(of: $0.path) }) {
        folders[folder] = DraftFolder(folder, for: group.map(\.path))
    }
    var steps: [ChangeStep] = []
    for change in changes {
        let folder = folders[parent(of: change.path)] ?? DraftFolder(".", for: [])
        steps.append(try ChangeStep(change, in: folder))
    }
    var done: [ChangeStep] = []
    do throws(FileError) {
        for step in steps {
            try step.publish()
            done.append(step)
        }
    } catch {
        for step in done.reversed() { step.takeBack() }
        throw error
    }
    for step in done { step.tidy() }
}

/// A change that is written aside, and what takes it back.
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

    init(_ change: FileChange, in folder: DraftFolder) throws(FileError) {
        (path, self.folder) = (change.path, folder)
        switch change {
        case .write(let path, let bytes):
            let draft = try Self.draft(for: path, bytes, in: folder)
            var old: FileDraft?
            if exists(path) {
                do throws(FileFault) {
                    let bytes = try readFile(path, limit: .max - 1)
                    old = try? Self.draft(for: path, bytes, in: folder)
                } catch {
                    throw .inaccessible(path: path, reason: error.reason)
                }
            }
            work = .file(draft, old: old)
        case .makeFolder(let path, let files):
            guard !exists(path) else { throw .uncreatable(path, EEXIST) }
            let draft = try FolderDraft(for: path, in: folder)
            for name in files.keys.sorted() { try draft.add(files[name] ?? [], at: name) }
            work = .folder(draft)
        case .renameFolder(let path, let target):
            guard exists(path) else { throw .system(path, ENOENT) }
            guard !exists(target) else { throw .uncreatable(target, EEXIST) }
            work = .rename(from: path, to: target)
        case .removeFolder(let path):
            guard exists(path) else { throw .system(path, ENOENT) }
            work = .removal(aside: folder.draftPath(for: path))
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
        case .file(let draft, _): try draft.publish()
        case .folder(let draft): try draft.publish()
        case .rename(let from, let to): try Self.move(from, to: to)
        case .removal(let aside): try Self.move(path, to: aside)
        }
    }

    private static func move(_ path: String, to target: String) throws(FileError) {
        UnfinishedFiles.beginPublishing()
        guard rename(path, target) == 0 else { throw .uncreatable(path) }
        try synchronizeFolder(parent(of: path))
    }

    func takeBack() {
        switch work {
        case .file(_, let old?): try? old.publish()
        case .file: unlink(path)
        case .folder: try? FileManager.default.removeItem(atPath: path)
        case .rename(let from, let to): _ = rename(to, from)
        case .removal(let aside): _ = rename(aside, path)
        }
    }

    /// Removes what is not needed once all changes are made.
    func tidy() {
        if case .removal(let aside) = work {
            try? FileManager.default.removeItem(atPath: aside)
        }
    }
}
