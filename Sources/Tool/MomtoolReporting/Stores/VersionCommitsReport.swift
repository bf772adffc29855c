/// The commits that had a version, as `momtool doctor --git` and `momtool identify --git` give them.
package struct VersionCommitsReport: Sendable, Encodable {
    package var version: String
    package var path: String
    package var first: String
    package var date: String
    package var author: String
    /// The first line of its message.
    package var subject: String
    /// Absent while no commit removed it.
    package var last: String?
    package var tags: [String]

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
