import FileSystem

/// The meaning of a git revision for a path.
///
/// In a submodule it is the commit that the enclosing repository's revision links, as a branch or tag with the same name in
/// the submodule would differ. The revision belongs to the repository of the current folder if the path is below it, or to
/// the outermost one; if it is missing there, it may belong to the innermost one.
package enum PlacedRevision: Sendable, Hashable {
    /// A revision of the repository at hand, by its name.
    case own(String)
    /// The commit of a submodule that a revision of the repository around it names.
    case linked(commit: String)
    case beforeSubmodule

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
                    // A repository that is not here does not tell what it links.
                    self = isKnown(commit, in: root) ? .beforeSubmodule : .linked(commit: commit)
                    return
                }
                commit = next
            } catch { return }
            root = submodule
        }
        self = .linked(commit: commit)
    }

    package var name: String? {
        switch self {
        case .own(let name): name
        case .linked(let commit): commit
        case .beforeSubmodule: nil
        }
    }

    /// Whether the enclosing repository of a folder has the revision, or does not need it.
    package func isHere(in folder: String) -> Bool { name.map { isKnown($0, in: folder) } ?? true }
}

private func isKnown(_ revision: String, in folder: String) -> Bool {
    (try? GitObjects.shared(at: folder).hasRevision(revision)) == true
}
