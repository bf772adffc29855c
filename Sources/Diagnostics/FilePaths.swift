package import Foundation

/// Returns the URL of the file at a path, as the system's calls would find it.
///
/// `URL(fileURLWithPath:)` takes a path that begins with `~` for one in somebody's home folder, and so for another
/// file than SQLite or `open` do.
package func fileURL(_ path: String) -> URL {
    URL(fileURLWithPath: path.hasPrefix("~") ? "./" + path : path)
}
