import Diagnostics
import Essentials
import FileSystem

/// The words of a run, without the name of the program.
enum RunWords {
    private struct Kept: Sendable {
        let words = Locked(Array(processArguments.dropFirst()))
    }

    /// Those of the run at hand: those that the process was started with, unless others were set.
    static var current: [String] {
        Surroundings.current.memory.value(Kept()).words.withLock { $0 }
    }

    /// Sets those of the run at hand.
    static func set(_ words: [String]) {
        Surroundings.current.memory.value(Kept()).words.withLock { $0 = words }
    }
}
