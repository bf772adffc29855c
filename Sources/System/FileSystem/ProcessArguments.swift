import CFileSystem

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
