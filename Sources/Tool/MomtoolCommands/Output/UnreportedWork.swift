import Diagnostics
import Essentials

/// The finished work of a command, which remains although its report fails.
enum UnreportedWork {
    private struct Done: Sendable { let lines = Locked<[String]>([]) }

    private static var lines: Locked<[String]> { Surroundings.current.memory.value(Done()).lines }

    /// Remembers finished work, such as `New.sqlite is the migrated store`.
    static func note(_ line: String) { lines.withLock { $0.append(line) } }

    static func added(to failure: CommandFailure) -> CommandFailure {
        var failure = failure
        failure.messages += lines.withLock { lines in
            defer { lines = [] }
            return lines.map { "note: only the report failed; \($0)" }
        }
        return failure
    }
}
