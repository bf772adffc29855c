import Essentials
import FileSystem

/// What SQLite adds to the path of a database for the files beside it.
private let suffixesBesideDatabase = ["-wal", "-shm", "-journal"]

/// The paths of what belongs to a store beside its database: the log, its index, the journal and the folder of values in
/// files; they need not be there.
package func partsOfStore(_ path: String) -> [String] {
    // SQLite puts the files beside a store where the store really is, behind all links.
    let real = resolvedPath(path)
    let folders = [path, real].map { externalDataFolder(of: $0).deletingLastPathComponent().path }
    return suffixesBesideDatabase.map { real + $0 } + folders
}

/// Returns the database that a path is the place of, or of a log or journal of which; `nil` for none.
package func databaseWithPart(at path: String) -> String? {
    let suffix = suffixesBesideDatabase.first(where: path.hasSuffix)
    return [path, suffix.map { String(path.dropLast($0.count)) }].compactMap(\.self).first {
        FileIdentity(of: $0)?.isRegular == true && isDatabase($0)
    }
}

/// Whether something at a path would belong to a store beside its database.
func isPart(_ path: String, ofStore store: String) -> Bool {
    let (path, parts) = (resolvedPath(path), partsOfStore(store).map(resolvedPath))
    return parts.contains { path == $0 || path.hasPrefix($0 + "/") }
}
