/// Finds the working branch of the repository in a folder: the default of its remote, otherwise `main` or `master`; `nil`
/// if neither exists.
package func workingBranch(ofRepositoryAt folder: String) -> String? {
    func names(_ format: String, _ references: String...) -> [String] {
        let list = GitCommand(.forEachRef, ["--format=%(\(format))"] + references, in: folder)
        return lines(of: (try? list.run()) ?? "")
    }
    let prefix = "refs/remotes/origin/"
    let remote = names("symref", prefix + "HEAD").first { $0.hasPrefix(prefix) }
    return remote.map { String($0.dropFirst(prefix.count)) }
        ?? names("refname:lstrip=2", "refs/heads/main", "refs/heads/master").first
}
