/// The commits that had a version, as `momtool doctor --git` and `momtool identify --git` give them.
package struct VersionCommitsReport: Sendable, Encodable {
    /// The version, as among those that come into question.
    package var version: String
    /// The path of its file, from the root of the repository.
    package var path: String
    /// The first commit.
    package var first: String
    /// The day of the first commit.
    package var date: String
    /// Who wrote the first commit.
    package var author: String
    /// The first line of its message.
    package var subject: String
    /// The last commit; absent while no commit took it away.
    package var last: String?
    /// The tags that have it.
    package var tags: [String]

    /// Creates a report of commits.
    package init(
        version: String,
        path: String,
        first: (id: String, date: String, author: String, subject: String),
        last: String?,
        tags: [String]
    ) {
        (self.version, self.path, self.last, self.tags) = (version, path, last, tags)
        (self.first, date, author, subject) = first
    }
}
