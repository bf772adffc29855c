import Essentials

package enum FileError: Error, Sendable, Hashable {
    /// It cannot be read, copied or written, for a reason of the system.
    case inaccessible(path: String, reason: String)
    case cannotCreate(path: String, reason: String)
    case alreadyExists(path: String)

    package var path: String {
        switch self {
        case .inaccessible(let path, _), .cannotCreate(let path, _), .alreadyExists(let path): path
        }
    }

    package var reason: String {
        switch self {
        case .inaccessible(_, let reason), .cannotCreate(_, let reason): reason
        case .alreadyExists: "already exists; name another file"
        }
    }

    package static func system(_ path: String, _ code: Int32 = errno) -> FileError {
        .inaccessible(path: path, reason: path.hasNUL ? nulWords : String(cString: strerror(code)))
    }

    /// The last error of the system when a file could not be made.
    package static func uncreatable(_ path: String, _ code: Int32 = errno) -> FileError {
        if code == EEXIST { return .alreadyExists(path: path) }
        return [EACCES, EPERM, EROFS, ENOENT, ENOTDIR, EISDIR, ENOTEMPTY, ENAMETOOLONG, ELOOP]
            .contains(code)
            ? .cannotCreate(path: path, reason: creationFailure(path, code)) : .system(path, code)
    }
}

/// Why nothing can be made at a path, by the system's error: a missing folder is named.
package func creationFailure(_ path: String, _ code: Int32 = errno) -> String {
    guard !path.hasNUL else { return nulWords }
    let folder = parent(of: path)
    return code == ENOENT && FileIdentity(of: folder) == nil
        ? "the folder '\(folder)' does not exist; create it first" : String(cString: strerror(code))
}
