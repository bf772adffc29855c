/// What stands in place of a value that is not of its attribute's type: an object with one member, whose name says
/// how SQLite stores the value.
///
/// An import stores the value in that way again.
enum StoredMarker: String, CaseIterable {
    /// An integer, as a string.
    case integer = "@integer"
    /// A floating-point number, as a string.
    case real = "@real"
    /// Text.
    case text = "@text"
    /// Text that is no UTF-8, in base64.
    case encodedText = "@encodedText"
    /// Bytes, in base64.
    case bytes = "@bytes"
    /// The name of a file beside the store, which is not there.
    case file = "@file"

    /// What stands before the value.
    var opening: StaticString {
        switch self {
        case .integer: "{\"@integer\": "
        case .real: "{\"@real\": "
        case .text: "{\"@text\": "
        case .encodedText: "{\"@encodedText\": "
        case .bytes: "{\"@bytes\": "
        case .file: "{\"@file\": "
        }
    }
}
