import Diagnostics
import Essentials
import FileSystem

enum RunWords {
    private struct Kept: Sendable { let words = Locked(Array(processArguments.dropFirst())) }

    /// The arguments of the process, unless others were set.
    static var current: [String] { Surroundings.current.memory.value(Kept()).words.withLock { $0 } }

    static func set(_ words: [String]) {
        Surroundings.current.memory.value(Kept()).words.withLock { $0 = words }
    }
}
