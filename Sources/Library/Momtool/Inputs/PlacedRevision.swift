import Essentials
import FileSystem

/// What a git revision means where a path lies.
///
/// In a submodule it is the commit that the revision of the repository around it names: a branch or a tag of the submodule
/// that has the same name is another one. The revision is of the repository of the current folder where the path lies below
/// that, else of the outermost one; one that this does not have may be of the repository at hand.
package enum PlacedRevision: Sendable, Hashable {
    /// A revision of the repository at hand, by its name.
    case own(String)
    /// The commit of a submodule that a revision of the repository around it names.
    case linked(commit: String)
    /// The revision does not have the submodule.
    case beforeSubmodule

    /// Finds what a revision means for what lies in a folder.
    package init(_ revision: String, in folder: String) {
        self = .own(revision)
        let here = repositoryFolder(around: resolvedPath("."))
        guard var root = repositoryFolder(around: resolvedPath(folder)) else { return }
        var inner: [String] = []
        while root != here, let outer = repositoryFolder(around: parent(of: root)),
            submodulePaths(of: outer).contains(where: { "\(outer)/\($0)" == root })
        {
            inner.append(root)
            root = outer
        }
        guard !inner.isEmpty, isKnown(revision, in: root) else { return }
        var commit = revision
        for submodule in inner.reversed() {
            let path = String(submodule.dropFirst(root.count + 1))
            do throws(GitError) {
                let objects = GitObjects.shared(at: root)
                guard let next = try objects.submoduleCommit(of: commit, at: path) else {
                    // What is not here cannot say what it names.
                    self = isKnown(commit, in: root) ? .beforeSubmodule : .linked(commit: commit)
                    return
                }
                commit = next
            } catch {
                return
            }
            root = submodule
        }
        self = .linked(commit: commit)
    }

    /// The name of the revision in the repository at hand; `nil` where it has none there.
    package var name: String? {
        switch self {
        case .own(let name): name
        case .linked(let commit): commit
        case .beforeSubmodule: nil
        }
    }

    /// Whether the repository around a folder has the revision, or nothing of it is to be there.
    package func isHere(in folder: String) -> Bool {
        name.map { isKnown($0, in: folder) } ?? true
    }
}

/// Whether the repository around a folder has a revision.
private func isKnown(_ revision: String, in folder: String) -> Bool {
    (try? GitObjects.shared(at: folder).hasRevision(revision)) == true
}
