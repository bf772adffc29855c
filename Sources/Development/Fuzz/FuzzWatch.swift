import Foundation
import FuzzTargets

struct FuzzWatch {
    let target: FuzzTarget
    let options: FuzzOptions
    private(set) var findings: [String] = []
    private var refused = 0
    private var seconds = 0.0

    init(target: FuzzTarget, options: FuzzOptions) {
        (self.target, self.options) = (target, options)
    }

    var summary: String {
        let count = options.inputs - options.first
        let rate = String(format: "%.0f", Double(count) / max(seconds, 0.001))
        let head = "\(target.name): \(count) inputs, \(refused) refused, \(rate)/s"
        return ([head + ", \(findings.count) findings"] + findings.map { "  " + $0 })
            .joined(separator: "\n")
    }

    mutating func run() throws {
        let clock = ContinuousClock()
        let start = clock.now
        let path = FileManager.default.temporaryDirectory.appending(
            path: "momtool-fuzz-\(UUID().uuidString)"
        ).path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let counter = try FuzzCounter(path: path)
        var first = options.first
        while first < options.inputs {
            if let fault = try watch(from: first, counter, path) {
                try record(counter.value, fault)
                first = counter.value + 1
            } else {
                first = options.inputs
            }
        }
        refused = counter.refused
        seconds = (clock.now - start) / .seconds(1)
    }

    /// Runs one process to its end, or to its time limit, and returns why it failed.
    private func watch(
        from first: Int,
        _ counter: FuzzCounter,
        _ counterPath: String
    ) throws -> String? {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
        process.arguments = [
            target.name, "--inputs", "\(options.inputs)", "--seed", "\(options.seed)",
            "--first", "\(first)", "--counter", counterPath,
        ]
        process.standardError = FileHandle.nullDevice
        counter.value = first
        try process.run()
        var last = (number: -1, since: ContinuousClock.now)
        while process.isRunning {
            usleep(20_000)
            if counter.value != last.number { last = (counter.value, .now) }
            let time = (ContinuousClock.now - last.since) / .seconds(1)
            if time > FuzzOptions.patience {
                kill(process.processIdentifier, SIGKILL)
                process.waitUntilExit()
                return "did not end in \(FuzzOptions.patience) s"
            }
        }
        process.waitUntilExit()
        guard process.terminationReason == .uncaughtSignal || process.terminationStatus != 0 else {
            return nil
        }
        return process.terminationStatus == SIGPROF
            ? "took more than \(FuzzOptions.timeLimit) s of the processor"
            : "ended by signal or status \(process.terminationStatus)"
    }

    private mutating func record(_ number: Int, _ fault: String) throws {
        let folder = URL(fileURLWithPath: options.findings).appending(path: target.name)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let file = folder.appending(path: "\(options.seed)-\(number)")
        let input = options.mutator(of: target).input(number, seed: options.seed)
        try input.write(to: file)
        findings.append("\(file.path): \(fault)")
    }
}
