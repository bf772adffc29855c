import Essentials
import FileSystem

/// The suffixes of the files that SQLite puts beside a database.
private let suffixesBesideDatabase = ["-wal", "-shm", "-journal"]

/// The paths of what may belong to a store beside its database: the log, its index, the journal and the folder of
/// external values.
package func partsOfStore(_ path: String) -> [String] {
    // SQLite puts the files beside the real store, after all links are resolved.
    let real = resolvedPath(path)
    let folders = [path, real].map { externalDataFolder(of: $0).deletingLastPathComponent().path }
    return suffixesBesideDatabase.map { real + $0 } + folders
}

/// Returns the database to which a path belongs, or whose log or journal it is; `nil` for none.
package func databaseWithPart(at path: String) -> String? {
    let suffix = suffixesBesideDatabase.first(where: path.hasSuffix)
    return [path, suffix.map { String(path.dropLast($0.count)) }].compactMap(\.self).first {
        FileIdentity(of: $0)?.isRegular == true && isDatabase($0)
    }
}

/// Whether a path is that of something that belongs to a store beside its database.
func isPart(_ path: String, ofStore store: String) -> Bool {
    let (path, parts) = (resolvedPath(path), partsOfStore(store).map(resolvedPath))
    return parts.contains { path == $0 || path.hasPrefix($0 + "/") }
}
