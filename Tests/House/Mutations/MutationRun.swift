import Foundation
import TestSupport

/// Builds a copy of the package with all mutations in it, each switched off, and runs what must catch each.
///
/// One build serves all: the environment switches a mutation on, in the copy only. The engine itself knows nothing of
/// this.
struct MutationRun: Sendable {
    let package: URL
    let copy: URL

    /// Writes the copy; unchanged files are left alone.
    func prepare(_ mutations: [Mutation]) throws {
        let byFile = Dictionary(grouping: mutations, by: \.file)
        let sources = package.appending(path: "Sources")
        let names = try FileManager.default.subpathsOfDirectory(atPath: sources.path)
        var wanted: [String: Data] = [:]
        for name in names.sorted() {
            let url = sources.appending(path: name)
            let isFile = try url.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile
            guard isFile == true else { continue }
            wanted[name] = try Data(contentsOf: url)
            guard let own = byFile[name] else { continue }
            let text = try String(contentsOf: url, encoding: .utf8)
            wanted[name] = Data(try mutatedSource(text, own).utf8)
        }
        for mutation in mutations where wanted[mutation.file] == nil {
            throw StaleMutation(mutation: mutation, count: 0)
        }
        for module in Set(byFile.keys.map { $0.split(separator: "/").prefix(2) }) {
            let file = module.joined(separator: "/") + "/MutationSwitch.swift"
            wanted[file] = Data(Self.switchSource.utf8)
        }
        try write(wanted)
        for name in try FileManager.default.contentsOfDirectory(atPath: package.path)
        where ![".build", ".git", "Sources"].contains(name) {
            let link = copy.appending(path: name)
            guard (try? link.checkResourceIsReachable()) != true else { continue }
            let target = package.appending(path: name)
            try FileManager.default.createSymbolicLink(at: link, withDestinationURL: target)
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
            let url = root.appending(path: name)
            guard (try? Data(contentsOf: url)) != data else { continue }
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            try data.write(to: url)
        }
    }

    func build() throws -> Bool {
        try status("/usr/bin/env", ["swift", "build", "--build-tests"], nil, isQuiet: false) == 0
    }

    func isCaught(_ mutation: Mutation) throws -> Bool {
        try run(mutation.caughtBy, mutation.name) != 0
    }

    func isSound(_ catcher: String) throws -> Bool { try run(catcher, nil) == 0 }

    private func run(_ catcher: String, _ name: String?) throws -> Int32 {
        let folder = "Fixtures/Cases/\(catcher)"
        guard FileManager.default.fileExists(atPath: copy.appending(path: folder).path) else {
            let words = ["swift", "test", "--skip-build", "--filter", catcher]
            return try status("/usr/bin/env", words, name)
        }
        return try status(copy.path + "/.build/debug/momtool", ["test", folder], name)
    }

    private func status(
        _ program: String,
        _ words: [String],
        _ mutation: String?,
        isQuiet: Bool = true
    ) throws -> Int32 {
        let process = Process()
        process.executableURL = URL(filePath: program)
        process.arguments = words
        process.currentDirectoryURL = copy
        var environment = ProcessInfo.processInfo.environment
        environment["MOMTOOL_MUTATION"] = mutation
        environment["MOMTOOL_PLUGINS"] = nil
        process.environment = environment
        if isQuiet {
            process.standardOutput = FileHandle.nullDevice
            process.standardError = FileHandle.nullDevice
        }
        try process.run()
        process.waitUntilExit()
        return process.terminationStatus
    }
}
