/// Finds the branch that the repository in a folder works on: the one that its remote names, else `main` or `master`;
/// `nil` where nothing tells.
package func workingBranch(ofRepositoryAt folder: String) -> String? {
    func names(_ format: String, _ references: String...) -> [String] {
        let list = GitCommand(.forEachRef, ["--format=%(\(format))"] + references, in: folder)
        return lines(said: (try? list.run()) ?? "")
    }
    let prefix = "refs/remotes/origin/"
    let remote = names("symref", prefix + "HEAD").first { $0.hasPrefix(prefix) }
    return remote.map { String($0.dropFirst(prefix.count)) }
        ?? names("refname:lstrip=2", "refs/heads/main", "refs/heads/master").first
}
