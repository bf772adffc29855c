/// A placeholder in a command for what only a person can know.
///
/// No shell accepts one without quotation marks, SQLite accepts none, and the command line refuses them, so a command
/// that was copied unchanged does nothing.
package enum Placeholder {
    package static let value = "<VALUE>"
    package static let days = "<DAYS>"
    package static let key = "<KEY>"

    package static let all = [value, days, key]
}
