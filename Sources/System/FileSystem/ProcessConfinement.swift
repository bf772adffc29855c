import CFileSystem
import Essentials

/// Lets this thread, and every process that it starts from now on, open nothing but what lies below some paths.
///
/// Linux has done that since 5.13, unless it is switched off; macOS has nothing of the kind that is documented.
///
/// - Parameters:
///   - reading: what may be read and run.
///   - writing: what may be written too.
/// - Returns: whether it is so now.
package func confine(reading: [String], writing: [String]) -> Bool {
    let readable = reading.map { strdup($0) } + [nil]
    let writable = writing.map { strdup($0) } + [nil]
    defer { for path in readable + writable { free(path) } }
    return program_confine(readable.map { UnsafePointer($0) }, writable.map { UnsafePointer($0) })
        == 0
}
