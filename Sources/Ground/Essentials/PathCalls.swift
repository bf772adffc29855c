// The system's calls that take a path, for texts of Swift: a C string ends at the first NUL, and what stands behind it would
// be cut off, so that another file were opened, replaced or removed. Each call refuses such a path, as one of a file that is
// not there. For a `String` the compiler chooses these before those of the C library, which take pointers.

/// Opens a file.
@discardableResult
package func open(_ path: String, _ flags: Int32) -> Int32 {
    checked(path) { open($0, flags) } ?? -1
}

/// Opens a file, with the rights that it gets where it is made.
@discardableResult
package func open(_ path: String, _ flags: Int32, _ rights: mode_t) -> Int32 {
    checked(path) { open($0, flags, rights) } ?? -1
}

/// Looks at a file, behind links; `stat` itself is the name of a type too, and the compiler takes the C function for it.
@discardableResult
package func fileStatus(_ path: String, _ status: inout stat) -> Int32 {
    checked(path) { stat($0, &status) } ?? -1
}

/// Looks at a file, or at the link.
@discardableResult
package func lstat(_ path: String, _ status: inout stat) -> Int32 {
    checked(path) { lstat($0, &status) } ?? -1
}

/// Asks what this process may do with a file.
@discardableResult
package func access(_ path: String, _ mode: Int32) -> Int32 {
    checked(path) { access($0, mode) } ?? -1
}

/// Makes a folder.
@discardableResult
package func mkdir(_ path: String, _ rights: mode_t) -> Int32 {
    checked(path) { mkdir($0, rights) } ?? -1
}

/// Opens a folder to list it.
#if canImport(Darwin)
    package func opendir(_ path: String) -> UnsafeMutablePointer<DIR>? {
        checked(path) { opendir($0) } ?? nil
    }
#else
    package func opendir(_ path: String) -> OpaquePointer? {
        checked(path) { opendir($0) } ?? nil
    }
#endif

/// Returns a path without links, which the caller frees.
package func realpath(
    _ path: String,
    _ buffer: UnsafeMutablePointer<CChar>?
) -> UnsafeMutablePointer<CChar>? {
    checked(path) { realpath($0, buffer) } ?? nil
}

/// Cuts a file off behind a number of bytes.
@discardableResult
package func truncate(_ path: String, _ count: Int) -> Int32 {
    checked(path) { truncate($0, off_t(count)) } ?? -1
}

/// Looks at the file system that a file lies on.
@discardableResult
package func fileSystemStatus(_ path: String, _ status: inout statvfs) -> Int32 {
    checked(path) { statvfs($0, &status) } ?? -1
}

/// Gives a file the present as the time of its last change.
@discardableResult
package func touch(_ path: String) -> Int32 {
    checked(path) { utimensat(AT_FDCWD, $0, nil, 0) } ?? -1
}

/// Removes the name of a file.
@discardableResult
package func unlink(_ path: String) -> Int32 {
    checked(path) { unlink($0) } ?? -1
}

/// Removes an empty folder.
@discardableResult
package func rmdir(_ path: String) -> Int32 {
    checked(path) { rmdir($0) } ?? -1
}

/// Gives a file another name.
@discardableResult
package func rename(_ path: String, _ target: String) -> Int32 {
    checked(path) { path in checked(target) { rename(path, $0) } ?? -1 } ?? -1
}

/// Gives a file a second name.
@discardableResult
package func link(_ path: String, _ target: String) -> Int32 {
    checked(path) { path in checked(target) { link(path, $0) } ?? -1 } ?? -1
}

/// Calls the system with a path; `nil`, with `errno` set, for one that has a NUL.
private func checked<Result>(
    _ path: String,
    _ call: (UnsafePointer<CChar>) -> Result
) -> Result? {
    guard !path.hasNUL else {
        errno = ENOENT
        return nil
    }
    return Surroundings.current.resolved(path).withCString(call)
}

extension String {
    /// Whether a text has a NUL character, where a C string ends.
    package var hasNUL: Bool { utf8.contains(0) }
}

/// What is wrong with a path that has a NUL character.
package let nulWords = "no path can have a NUL character; name another one"
