import Foundation

/// What a command cost that ran as a process of its own, from its start to its end.
struct MeasuredRun {
    /// The time on the clock, in seconds.
    var seconds: Double
    /// The time on processors, those of its children included, in seconds.
    var processorSeconds = 0.0
    /// What of that the system spent, as on the making of files.
    var systemSeconds = 0.0
    /// The greatest memory that it held, in bytes; `nil` where it is no process of its own.
    var peakMemory: Int?
    /// The bytes that it gave the system to write; `nil` where the system does not count them.
    var bytesWritten: Int?

    /// The greatest memory in words.
    var megabytes: String { "\((peakMemory ?? 0) >> 20) MB" }
}

/// A command that can be run and measured.
struct MeasuredCommand {
    var executable: URL
    var arguments: [String]
    /// The file that the command reads as its input.
    var input: URL?

    /// Runs the command to its end.
    ///
    /// - Throws: ``BenchmarkError`` with what it wrote to its error stream when it fails.
    func run() throws -> MeasuredRun {
        let complaints = FileManager.default.temporaryDirectory
            .appending(path: "momtool-benchmark-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: complaints) }
        let clock = ContinuousClock()
        let start = clock.now
        let process = try spawn(complaints: complaints.path)
        var information = siginfo_t()
        // The process is looked at before it is reaped, when what it wrote is still counted.
        while waitid(P_PID, id_t(process), &information, WEXITED | WNOWAIT) != 0, errno == EINTR {}
        let seconds = (clock.now - start) / .seconds(1)
        let written = Self.bytesWritten(by: process)
        var status: Int32 = 0
        var usage = rusage()
        wait4(process, &status, 0, &usage)
        guard status == 0 else {
            let text = (try? String(contentsOf: complaints, encoding: .utf8)) ?? ""
            throw BenchmarkError("\(executable.lastPathComponent) failed: \(text)")
        }
        return MeasuredRun(
            seconds: seconds,
            processorSeconds: usage.ru_utime.seconds + usage.ru_stime.seconds,
            systemSeconds: usage.ru_stime.seconds,
            // Kilobytes on Linux.
            peakMemory: Int(usage.ru_maxrss) * 1024,
            bytesWritten: written
        )
    }

    private func spawn(complaints: String) throws -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        let flags = O_WRONLY | O_CREAT | O_TRUNC
        posix_spawn_file_actions_addopen(&actions, 0, input?.path ?? "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 2, complaints, flags, 0o600)
        var words = ([executable.path] + arguments).map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        var process: pid_t = 0
        let code = posix_spawn(&process, executable.path, &actions, nil, &words, environ)
        guard code == 0 else {
            throw BenchmarkError("\(executable.path): \(String(cString: strerror(code)))")
        }
        return process
    }

    /// What the system counts for a process that has ended and is not reaped yet.
    private static func bytesWritten(by process: pid_t) -> Int? {
        guard let text = try? String(contentsOfFile: "/proc/\(process)/io", encoding: .utf8) else {
            return nil
        }
        let line = text.split(separator: "\n").first { $0.hasPrefix("write_bytes:") }
        return line.flatMap { Int($0.filter(\.isNumber)) }
    }
}

/// Why something cannot be measured.
struct BenchmarkError: Error, CustomStringConvertible {
    var description: String

    init(_ description: String) {
        self.description = description
    }
}

/// Returns a program by its name: one installed for the benchmarks alone, else one of the search path.
func executable(named name: String) -> URL? {
    let folders = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":") ?? []
    return ([".build/peers/bin"] + folders.map(String.init))
        .map { URL(fileURLWithPath: "\($0)/\(name)") }
        .first { FileManager.default.isExecutableFile(atPath: $0.path) }
}

/// The executable that `MOMTOOL` names, else the `momtool` that was built with the benchmarks.
var momtool: URL {
    if let path = ProcessInfo.processInfo.environment["MOMTOOL"], !path.isEmpty {
        return URL(fileURLWithPath: path)
    }
    return URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
        .appending(path: "momtool")
}

extension timeval {
    fileprivate var seconds: Double { Double(tv_sec) + Double(tv_usec) / 1_000_000 }
}

extension Array<Double> {
    /// The value in the middle; 0 when there is none.
    var median: Double {
        guard !isEmpty else { return 0 }
        let values = sorted()
        let middle = count / 2
        return count.isMultiple(of: 2) ? (values[middle - 1] + values[middle]) / 2 : values[middle]
    }
}
