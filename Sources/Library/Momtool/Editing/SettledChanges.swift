package import Diagnostics
package import FileSystem
import ModelEditing

/// Waits until no other process changes the project of a model; to be held from the first read to the last write.
package func changeTurn(around path: String) throws(MomtoolError) -> ChangeTurn {
    var place = resolvedPath(path)
    // A version and its bundle share the turn.
    while [".xcdatamodeld", ".xcdatamodel"].contains(where: parent(of: place).hasSuffix) {
        place = parent(of: place)
    }
    do throws(FileError) { return try ChangeTurn(around: place) } catch { throw refusal(of: error) }
}

/// Takes back what a killed command had changed of a model, as its journal records; returns what was done, or `nil`.
func settledChanges(
    of path: String,
    _ others: [String] = [],
    isDry: Bool
) throws(MomtoolError) -> String? {
    let journal = ChangeJournal(of: path)
    let isBundle = isModelBundle(path)
    let projects = (ProjectFiles(around: path).paths + others).map(resolvedPath)
    guard journal.isThere else {
        guard !isDry else { return nil }
        if isBundle { DraftFolder.clear(path) }
        for file in projects { _ = DraftFolder(parent(of: file), for: [file]) }
        return nil
    }
    guard !isDry else {
        // Another command may be at work, which ends soon.
        guard journal.isLeft() else { return nil }
        let wording: Wording = "a command was killed while it changed the model; \(.settling)"
        throw MomtoolError(.refused, path, saying: wording, .impossibleEdit)
    }
    let root = resolvedPath(path) + "/"
    do throws(FileError) {
        let settled = try journal.settle { place in
            projects.contains(place)
                || (place.hasPrefix(root) && (isBundle || place.hasSuffix(".swift")))
        }
        switch settled {
        case .nothing: return nil
        case .finished:
            return "a command was killed after it had changed \(path); nothing is missing"
        case .takenBack(let files):
            let list = files.map(pathFromHere).joined(separator: ", ")
            return
                "a command was killed while it changed \(path); its changes were undone, in \(list)"
        }
    } catch { throw refusal(of: error) }
}

/// Warns about the journal of a killed command that lies at a model, as long as no command is at work.
package func leftJournal(of model: String) -> [Diagnostic] {
    let journal = ChangeJournal(of: model)
    guard journal.isLeft() else { return [] }
    let message =
        "a command was killed while it changed the model, or somebody added this; the next edit undoes "
        + "these changes, or says what is wrong"
    let place = FileLocation(path: pathFromHere(journal.path))
    return [Diagnostic(.impossibleEdit, message, severity: .warning, at: place)]
}

private func refusal(of error: FileError) -> MomtoolError {
    MomtoolError(.refused, error.path, error.reason, .impossibleEdit)
}
