/// A path in a git revision, as `main:App/Shop.xcdatamodeld`.
package struct GitPlace: Sendable, Hashable {
    /// What names the revision.
    package let revision: String
    /// The path, as git counts it: from the root of the repository, or with `./` from the folder at hand.
    package let path: String

    /// Splits `REV:path`; `nil` when the text has no such form.
    package init?(_ text: String) {
        var depth = 0
        // A search as `main^{/fix: x}` may hold colons.
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

    /// The place as users name it.
    package var text: String { "\(revision):\(path)" }
}

/// A file that a revision holds.
package struct GitFile: Sendable {
    /// Its path below the place that was asked for; empty for that itself.
    package var path: String
    /// Its content.
    package var bytes: [UInt8]
}

/// Why a revision cannot be read.
package struct GitError: Error, Sendable {
    /// What is wrong; lower case, no final period.
    package var reason: String
}
