import Foundation

/// The cost of a command that ran as a process of its own, from its start to its end.
struct MeasuredRun: Sendable {
    /// The wall-clock time in seconds.
    var seconds: Double
    /// The processor time in seconds, including its children.
    var processorSeconds: Double
    /// In bytes.
    var peakMemory: Int
}

struct MeasuredCommand {
    var executable: String
    var arguments: [String]
    var input: String?
    /// Exit statuses that are not failures, such as that of findings.
    var accepted: Set<Int32> = [0]

    /// The `momtool` in `MOMTOOL`, or the one built with the benchmarks.
    static func momtool(_ arguments: String..., accepting: Set<Int32> = [0]) -> MeasuredCommand {
        momtool(arguments, accepting: accepting)
    }

    static func momtool(_ arguments: [String], accepting: Set<Int32> = [0]) -> MeasuredCommand {
        let named = ProcessInfo.processInfo.environment["MOMTOOL"]
        let beside = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
            .appending(path: "momtool").path
        return MeasuredCommand(
            executable: named ?? beside,
            arguments: arguments,
            accepted: accepting
        )
    }

    static func shell(_ script: String, on store: String) -> MeasuredCommand {
        MeasuredCommand(executable: "/usr/bin/sqlite3", arguments: ["-bail", store], input: script)
    }

    /// Runs the command to its end; the error has what it wrote to its error stream.
    @discardableResult
    func run() throws -> MeasuredRun {
        let complaints = FileManager.default.temporaryDirectory
            .appending(path: "momtool-benchmark-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: complaints) }
        let clock = ContinuousClock()
        let start = clock.now
        let process = try spawn(complaints: complaints.path)
        var status: Int32 = 0
        var usage = rusage()
        while wait4(process, &status, 0, &usage) < 0, errno == EINTR {}
        let seconds = (clock.now - start) / .seconds(1)
        guard status & 0x7f == 0, accepted.contains(status >> 8 & 0xff) else {
            let text = (try? String(contentsOf: complaints, encoding: .utf8)) ?? ""
            throw BenchmarkError("\(executable) \(arguments.joined(separator: " ")): \(text)")
        }
        return MeasuredRun(
            seconds: seconds,
            processorSeconds: usage.ru_utime.seconds + usage.ru_stime.seconds,
            // Kilobytes on Linux.
            peakMemory: Int(usage.ru_maxrss) * 1024
        )
    }

    private func spawn(complaints: String) throws -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        let flags = O_WRONLY | O_CREAT | O_TRUNC
        posix_spawn_file_actions_addopen(&actions, 0, input ?? "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 2, complaints, flags, 0o600)
        var words = ([executable] + arguments).map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        var process: pid_t = 0
        let code = posix_spawnp(&process, executable, &actions, nil, &words, environ)
        guard code == 0 else {
            throw BenchmarkError("\(executable): \(String(cString: strerror(code)))")
        }
        return process
    }
}

/// Alternating runs of a command and of its peer, so that both see the same machine.
struct Pairs: Sendable {
    var ours: [MeasuredRun] = []
    var theirs: [MeasuredRun] = []

    func ratio(_ figure: (MeasuredRun) -> Double) -> Double {
        zip(ours, theirs).map { figure($0) / max(figure($1), 0.0001) }.median
    }

    /// Runs both commands once uncounted, then alternately; `prepare` is called before each run.
    init(
        _ runs: Int,
        _ command: MeasuredCommand,
        against peer: MeasuredCommand,
        prepare: () throws -> Void = {}
    ) throws {
        for run in 0...runs {
            try prepare()
            let own = try command.run()
            try prepare()
            let other = try peer.run()
            guard run > 0 else { continue }
            ours.append(own)
            theirs.append(other)
        }
    }
}

struct BenchmarkError: Error, CustomStringConvertible {
    var description: String

    init(_ description: String) { self.description = description }
}

extension timeval {
    fileprivate var seconds: Double { Double(tv_sec) + Double(tv_usec) / 1_000_000 }
}

extension Array<Double> {
    /// 0 for no value.
    var median: Double {
        guard !isEmpty else { return 0 }
        let values = sorted()
        let middle = count / 2
        return count.isMultiple(of: 2) ? (values[middle - 1] + values[middle]) / 2 : values[middle]
    }
}
