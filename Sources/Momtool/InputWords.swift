import Essentials
import FileSystem
import ModelLoading
import StoreFormat

/// Says of a file that is no SQLite database what it is.
func noDatabaseWords(at path: String) -> String {
    switch inputWords(at: path) {
    case "an SQLite database"?: "cut off: shorter than the header of an SQLite database"
    case let words? where words.hasSuffix("file"): "this is \(words), not an SQLite database"
    case let words?: "this is \(words), not a store"
    case nil: "not an SQLite database"
    }
}

/// Says of what is neither a model nor a store what it is.
func noModelWords(at path: String) -> String {
    switch inputWords(at: path) {
    case "an SQLite database"?: noDatabaseWords(at: path)
    case let words?: "this is \(words), neither a model nor a store"
    case nil: "this is neither a model nor a store"
    }
}

/// Says what lies at a path, as `a folder` or `a compiled model (.mom)`, for a message to whoever named it by mistake.
///
/// `nil` for a file of which nothing is known.
package func inputWords(at path: String) -> String? {
    switch fileURL(trimmedPath(path)).pathExtension {
    case "xcmappingmodel": return "a mapping model (.xcmappingmodel)"
    case "cdm": return "a compiled mapping model (.cdm)"
    default: break
    }
    switch ModelFileKind(at: path) {
    case .versionedSource: return "a model (.xcdatamodeld)"
    case .source: return "a model (.xcdatamodel)"
    case .contents: return "the contents of a model"
    case .compiledBundle: return "a compiled model (.momd)"
    case .compiledVersion: return "a compiled model (.mom)"
    case nil: break
    }
    guard let identity = FileIdentity(of: path) else { return nil }
    if identity.isFolder { return "a folder" }
    guard identity.isRegular else { return "a device or a pipe" }
    guard let start = fileStart(path, 4096) else { return nil }
    if start.isEmpty { return "an empty file" }
    if start.starts(with: databaseSignature) { return "an SQLite database" }
    return start.contains(0) ? nil : "a text file"
}
