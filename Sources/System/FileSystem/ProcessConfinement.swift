import CFileSystem
import Essentials

/// Restricts this thread, and every process that it starts from now on, to files below some paths, and tells whether it
/// could.
///
/// Linux supports it since 5.13, unless it is switched off; macOS has no documented equivalent. Paths in `reading` may be
/// read and run, those in `writing` also written.
package func confine(reading: [String], writing: [String]) -> Bool {
    let readable = reading.map { strdup($0) } + [nil]
    let writable = writing.map { strdup($0) } + [nil]
    defer { for path in readable + writable { free(path) } }
    return program_confine(readable.map { UnsafePointer($0) }, writable.map { UnsafePointer($0) })
        == 0
}
