import Foundation
import TestSupport

/// What the cases said to one mutation.
struct MutationVerdict: Sendable {
    var mutation: Mutation
    /// The cases that failed, by name; empty when the mutation survived.
    var catchers: [String]
    /// Whether the command ended in a way of its own, which is noticed too.
    var isCrash = false

    var isCaught: Bool { !catchers.isEmpty || isCrash }
}

/// Builds a copy of the package with all mutations in it, each switched off, and runs the cases and probes once for each.
///
/// One build serves all: a mutation is switched on by the environment, in the copy only. The engine itself knows
/// nothing of this.
struct MutationRun: Sendable {
    /// The package.
    var package: URL
    /// The folder of the copy, which is kept so that the next build is quick.
    var copy: URL { package.appending(path: ".build/mutations") }

    /// Writes the copy; files that are the same already are left alone.
    func prepare(_ mutations: [Mutation]) throws {
        let byFile = Dictionary(grouping: mutations, by: \.file)
        let sources = package.appending(path: "Sources")
        let names = try FileManager.default.subpathsOfDirectory(atPath: sources.path)
        var wanted: [String: Data] = [:]
        for name in names.sorted() {
            let url = sources.appending(path: name)
            let isFile = try url.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile
            guard isFile == true else { continue }
            guard let own = byFile[name] else {
                wanted[name] = try Data(contentsOf: url)
                continue
            }
            let text = try String(contentsOf: url, encoding: .utf8)
            wanted[name] = Data(try Mutation.apply(own, to: text).utf8)
        }
        for mutation in mutations where wanted[mutation.file] == nil {
            throw StaleMutation(mutation: mutation, count: 0)
        }
        for module in Set(byFile.keys.map { $0.split(separator: "/").prefix(2) }) {
            let file = module.joined(separator: "/") + "/MutationSwitch.swift"
            wanted[file] = Data(Self.switchSource.utf8)
        }
        try write(wanted)
        for name in ["Package.swift", "Package.resolved"] {
            let data = try Data(contentsOf: package.appending(path: name))
            try writeIfChanged(data, to: copy.appending(path: name))
        }
        let tests = copy.appending(path: "Tests")
        if (try? tests.checkResourceIsReachable()) != true {
            try FileManager.default.createSymbolicLink(
                at: tests,
                withDestinationURL: package.appending(path: "Tests")
            )
        }
    }

    private static let switchSource = """
        import Foundation

        private let activeMutation = ProcessInfo.processInfo.environment["MOMTOOL_MUTATION"]

        func isMutated(_ name: String) -> Bool { activeMutation == name }

        """

    private func write(_ files: [String: Data]) throws {
        let root = copy.appending(path: "Sources")
        let present = (try? FileManager.default.subpathsOfDirectory(atPath: root.path)) ?? []
        for name in present where name.hasSuffix(".swift") && files[name] == nil {
            try FileManager.default.removeItem(at: root.appending(path: name))
        }
        for (name, data) in files {
            try writeIfChanged(data, to: root.appending(path: name))
        }
    }

    private func writeIfChanged(_ data: Data, to url: URL) throws {
        guard (try? Data(contentsOf: url)) != data else { return }
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(),
            withIntermediateDirectories: true
        )
        try data.write(to: url)
    }

    /// Builds the copy.
    ///
    /// - Returns: whether it was built; what the compiler says goes to the terminal.
    func build() throws -> Bool {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [
            "swift", "build", "--package-path", copy.path, "--product", "momtool",
        ]
        try process.run()
        process.waitUntilExit()
        return process.terminationStatus == 0
    }

    /// Runs the cases and probes with a mutation switched on; with none, all must pass.
    func verdict(_ mutation: Mutation?) throws -> (failed: [String], isCrash: Bool) {
        let process = Process()
        let output = Pipe()
        let command = copy.appending(path: ".build/debug/momtool")
        process.executableURL = command
        process.arguments = [
            "test", package.appending(path: "Fixtures/Cases").path, "--format", "json",
        ]
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        var environment = ProcessInfo.processInfo.environment
        environment["MOMTOOL_MUTATION"] = mutation?.name
        process.environment = environment
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard let report = try? JSONDecoder().decode(Report.self, from: data) else {
            return ([], true)
        }
        let switched = mutation.map { ["MOMTOOL_MUTATION": $0.name] } ?? [:]
        let probes = try Probe.all.filter { try !$0.passes(command, environment: switched) }
        let cases = report.cases.filter { $0.status == "failed" }.map(\.name)
        return (cases + probes.map(\.name), false)
    }

    private struct Report: Decodable {
        struct Case: Decodable {
            var name: String
            var status: String
        }
        var cases: [Case]
    }
}
