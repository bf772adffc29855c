import Diagnostics
import Essentials

/// What a command has done before it reports, which stands although the report fails.
enum FinishedWork {
    private struct Done: Sendable {
        let lines = Locked<[String]>([])
    }

    private static var lines: Locked<[String]> { Surroundings.current.memory.value(Done()).lines }

    /// Remembers something that is done, such as `New.sqlite is the migrated store`.
    static func note(_ line: String) { lines.withLock { $0.append(line) } }

    /// Adds to the failure of a report what is done all the same.
    static func added(to failure: CommandFailure) -> CommandFailure {
        var failure = failure
        failure.messages += lines.withLock { lines in
            defer { lines = [] }
            return lines.map { "note: the report alone failed; \($0)" }
        }
        return failure
    }
}
