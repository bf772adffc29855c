/// What stands in a command for what a person alone can know.
///
/// No shell takes one without quotation marks, SQLite takes none, and the command line refuses them, so that nothing is
/// done with a command that was copied as it is.
package enum Placeholder {
    /// A value of an attribute.
    package static let value = "<VALUE>"
    /// A number of days.
    package static let days = "<DAYS>"
    /// The key of an object.
    package static let key = "<KEY>"

    /// All of them.
    package static let all = [value, days, key]
}
