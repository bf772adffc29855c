import Essentials

/// Why a file or a folder cannot be read, made or written.
package enum FileError: Error, Sendable, Hashable {
    /// It cannot be read, copied or written, for a reason of the system.
    case inaccessible(path: String, reason: String)
    /// Nothing may be made at the path.
    case cannotCreate(path: String, reason: String)
    /// There is something already where a file or a folder is to be made.
    case alreadyExists(path: String)

    /// What is at fault.
    package var path: String {
        switch self {
        case .inaccessible(let path, _), .cannotCreate(let path, _), .alreadyExists(let path): path
        }
    }

    /// What is wrong, without the path.
    package var reason: String {
        switch self {
        case .inaccessible(_, let reason), .cannotCreate(_, let reason): reason
        case .alreadyExists: "exists already; name another file"
        }
    }

    /// What the system said last.
    package static func system(_ path: String, _ code: Int32 = errno) -> FileError {
        .inaccessible(path: path, reason: path.hasNUL ? nulWords : String(cString: strerror(code)))
    }

    /// What the system said when a file was to be made.
    package static func uncreatable(_ path: String, _ code: Int32 = errno) -> FileError {
        if code == EEXIST { return .alreadyExists(path: path) }
        return [EACCES, EPERM, EROFS, ENOENT, ENOTDIR, EISDIR, ENOTEMPTY, ENAMETOOLONG, ELOOP]
            .contains(code)
            ? .cannotCreate(path: path, reason: creationFailure(path, code)) : .system(path, code)
    }
}

/// Why nothing can be made at a path, by what the system said: a folder that is missing is named.
package func creationFailure(_ path: String, _ code: Int32 = errno) -> String {
    guard !path.hasNUL else { return nulWords }
    let folder = parent(of: path)
    return code == ENOENT && FileIdentity(of: folder) == nil
        ? "there is no folder '\(folder)'; make it first" : String(cString: strerror(code))
}
