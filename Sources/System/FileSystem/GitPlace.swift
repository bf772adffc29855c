import Diagnostics

/// A path in a git revision, such as `main:App/Shop.xcdatamodeld`.
package struct GitPlace: Sendable, Hashable {
    package let revision: String
    /// The path in git's terms: from the root of the repository, or with `./` from the current folder.
    package let path: String

    /// Splits `REV:path`; `nil` for any other text.
    package init?(_ text: String) {
        var depth = 0
        // A search such as `main^{/fix: x}` may contain colons.
        let colon = text.indices.first { index in
            if text[index] == "{" { depth += 1 }
            if text[index] == "}" { depth -= 1 }
            return text[index] == ":" && depth <= 0
        }
        guard let colon else { return nil }
        revision = String(text[..<colon])
        path = String(text[text.index(after: colon)...])
        guard !revision.isEmpty, !path.isEmpty, !revision.hasPrefix("-"),
            !text.contains(where: \.isNewline)
        else { return nil }
    }

    package var text: String { "\(revision):\(path)" }
}

package struct GitFile: Sendable {
    /// Its path below the requested place; empty for that itself.
    package var path: String
    package var bytes: [UInt8]
}

package struct GitError: Error, Sendable {
    /// What is wrong; lower case, no final period.
    package var reason: String
    /// Whether it concerns a single file that is too large.
    package private(set) var isOfLargeFile = false

    init(reason: String) { self.reason = reason }

    /// Refuses what git would take for an option.
    static func requireRange(_ range: String?) throws(GitError) {
        guard let range, range.hasPrefix("-") else { return }
        throw GitError(reason: "'\(range)' is not a range of revisions")
    }

    init(noAnswerWithin limit: Duration) {
        reason = "git did not answer within \(limit.components.seconds) seconds, and was stopped"
    }

    static let largeFile: GitError = {
        var error = GitError(reason: "the file is too large")
        error.isOfLargeFile = true
        return error
    }()

    /// A file or folder of a revision whose content the clone lacks.
    init(absent path: String) {
        reason =
            "\(path.onOneLine): its content is missing in this clone, or damaged; git fsck lists what is missing, and git fetch "
            + "--refetch restores it"
    }

    package init(missing revision: some StringProtocol) {
        guard !revision.isEmpty else {
            reason = "the name of the revision is empty; give one, such as HEAD"
            return
        }
        let name = String(revision).onOneLine
        reason =
            "there is no revision '\(name)'; git branch --all lists the branches; a shallow clone may have it after "
            + "git fetch --unshallow, in CI after a checkout with fetch-depth: 0 (GitHub) or GIT_DEPTH: 0 (GitLab)"
    }

    /// Takes git's message, and rewords what a user can act on.
    init(message text: String, in folder: String) {
        let lines = FileSystem.lines(of: text)
        let line = lines.first { $0.hasPrefix("fatal: ") }?.dropFirst(7) ?? lines.first?[...] ?? ""
        if line.contains("unknown revision") || line.contains("bad revision") {
            let parts = line.split(separator: "'", omittingEmptySubsequences: false)
            self.init(missing: parts.count > 2 ? parts[1] : line)
        } else {
            self.init(reason: Self.reason(line, folder))
        }
    }

    private static func reason(_ line: Substring, _ folder: String) -> String {
        if line.isEmpty { return "git ended without an answer" }
        // A file `.git` that leads nowhere has another message.
        if line.contains("not a git repository"), !line.contains("not a git repository: ") {
            return
                "there is no git repository in '\(resolvedPath(folder))' or above it; without one, name models by their paths"
        }
        if line.contains("cannot use bare repository") {
            return "this folder is itself a bare repository, which may be part of another one; "
                + "git reads it if the variable GIT_DIR names it"
        }
        if line.contains("dubious ownership") {
            return "the git repository belongs to another user; git reads it if "
                + "'git config --global --add safe.directory PATH' names it"
        }
        return "git says: \(line)"
    }
}
