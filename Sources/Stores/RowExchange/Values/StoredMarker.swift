/// The replacement of a value of another type: an object with one member, whose name says how SQLite stores it.
///
/// An import stores the value in that way again.
enum StoredMarker: String, CaseIterable {
    case integer = "@integer"
    case real = "@real"
    case text = "@text"
    /// Text that is not UTF-8, in base64.
    case encodedText = "@encodedText"
    /// Bytes, in base64.
    case bytes = "@bytes"
    /// The name of a missing external file.
    case file = "@file"
}
