import CFileSystem
import Essentials

/// The arguments of this process, its own name first.
///
/// Swift reads them from `/proc`, which a container may lack; these are from the system where it passed them.
package let processArguments: [String] = words.map { String(cString: $0) }

/// Whether each argument is UTF-8: one that is not was repaired, and may name another file than it did.
package let hasReadableArguments: Bool = words.allSatisfy { String(validatingCString: $0) != nil }

/// The arguments as they came; nothing writes there.
private var words: [UnsafePointer<CChar>] {
    let count = Int(program_argument_count())
    guard count > 0, let words = program_arguments() else {
        return (0..<Int(CommandLine.argc)).compactMap {
            CommandLine.unsafeArgv[$0].map { .init($0) }
        }
    }
    return (0..<count).compactMap { words[$0].map { .init($0) } }
}

/// Restricts this thread, and processes that it starts from now on, to files below some paths; tells whether it could.
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
