import Diagnostics
import FileSystem
import ModelChecking
import Momtool

extension ProjectCheck {
    /// The folders that are looked through, with the submodules of git below them, which a revision does not hold itself.
    var foldersOfRevision: [String] { contents.folders.flatMap { [$0] + submodules(below: $0) } }

    /// Whether the repository around a path has what the revision means there; that it has not is told.
    mutating func isKnown(_ revision: String, around path: String) -> Bool {
        let place = resolvedPath(path)
        let isRoot = exists(place + "/.git")
        let folder = isRoot ? place : parent(of: place)
        let placed = PlacedRevision(revision, in: folder)
        guard !placed.isHere(in: folder) else { return true }
        let cause =
            if case .linked(let commit) = placed {
                "\(revision) has \(commit.prefix(12)) of this submodule, which is not here: fetch it in there"
            } else {
                "this repository of its own does not have that revision"
            }
        let root = repositoryFolder(around: folder) ?? folder
        let diagnostic = Diagnostic(
            "not-checked",
            "nothing in here is compared with \(revision): \(cause)",
            severity: .warning,
            at: SourceLocation(path: pathFromHere(root))
        )
        findings.append(Finding(diagnostic))
        return false
    }

    /// The versions and locks that may have taken over what a model had at the revision: of what is checked, and of the
    /// whole repository where that does not guard all of it.
    mutating func successors(
        of model: String,
        _ versions: [ModelLock.Version],
        _ revision: String
    ) -> [HeldVersions] {
        let own = held.takingOver(versions, from: model, since: revision, options.swift)
        guard !versions.allSatisfy({ own.isLocked($0) || own.pruned($0) != nil }) else {
            return [own]
        }
        let all = heldElsewhere.takingOver(versions, from: model, since: revision, options.swift)
        return [own, all]
    }
}
