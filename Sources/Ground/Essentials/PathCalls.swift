// The system's calls that take a path, for Swift strings: a C string ends at the first NUL, and the rest would be cut
// off, so that another file were opened, replaced or removed. Each call reports such a path as missing. For a `String`
// the compiler prefers these to the functions of the C library, which take pointers.

@discardableResult
package func open(_ path: String, _ flags: Int32) -> Int32 {
    checked(path) { open($0, flags) } ?? -1
}

@discardableResult
package func open(_ path: String, _ flags: Int32, _ rights: mode_t) -> Int32 {
    checked(path) { open($0, flags, rights) } ?? -1
}

/// Queries a file, following links; `stat` is also the name of a type, and the compiler prefers the C function.
@discardableResult
package func fileStatus(_ path: String, _ status: inout stat) -> Int32 {
    checked(path) { stat($0, &status) } ?? -1
}

@discardableResult
package func lstat(_ path: String, _ status: inout stat) -> Int32 {
    checked(path) { lstat($0, &status) } ?? -1
}

@discardableResult
package func access(_ path: String, _ mode: Int32) -> Int32 {
    checked(path) { access($0, mode) } ?? -1
}

@discardableResult
package func mkdir(_ path: String, _ rights: mode_t) -> Int32 {
    checked(path) { mkdir($0, rights) } ?? -1
}

#if canImport(Darwin)
    package func opendir(_ path: String) -> UnsafeMutablePointer<DIR>? {
        checked(path) { opendir($0) } ?? nil
    }
#else
    package func opendir(_ path: String) -> OpaquePointer? { checked(path) { opendir($0) } ?? nil }
#endif

package func realpath(
    _ path: String,
    _ buffer: UnsafeMutablePointer<CChar>?
) -> UnsafeMutablePointer<CChar>? {
    checked(path) { realpath($0, buffer) } ?? nil
}

@discardableResult
package func truncate(_ path: String, _ count: Int) -> Int32 {
    checked(path) { truncate($0, off_t(count)) } ?? -1
}

@discardableResult
package func fileSystemStatus(_ path: String, _ status: inout statvfs) -> Int32 {
    checked(path) { statvfs($0, &status) } ?? -1
}

/// Sets the modification time of a file to now.
@discardableResult
package func touch(_ path: String) -> Int32 {
    checked(path) { utimensat(AT_FDCWD, $0, nil, 0) } ?? -1
}

@discardableResult
package func unlink(_ path: String) -> Int32 { checked(path) { unlink($0) } ?? -1 }

@discardableResult
package func rmdir(_ path: String) -> Int32 { checked(path) { rmdir($0) } ?? -1 }

@discardableResult
package func rename(_ path: String, _ target: String) -> Int32 {
    checked(path) { path in checked(target) { rename(path, $0) } ?? -1 } ?? -1
}

@discardableResult
package func link(_ path: String, _ target: String) -> Int32 {
    checked(path) { path in checked(target) { link(path, $0) } ?? -1 } ?? -1
}

/// Calls the system with a path; `nil`, with `errno` set, for one that has a NUL.
private func checked<Result>(_ path: String, _ call: (UnsafePointer<CChar>) -> Result) -> Result? {
    guard !path.hasNUL else {
        errno = ENOENT
        return nil
    }
    return Surroundings.current.resolved(path).withCString(call)
}

extension String { package var hasNUL: Bool { utf8.contains(0) } }

package let nulWords = "a path cannot contain a NUL character; name another one"
