import Foundation
import TestSupport
import Testing

@testable import FileSystem

struct TreeBombTests {
    /// Makes a repository with such trees, and a model that is in none of its commits.
    private func withBomb(_ body: (URL) throws -> Void) throws {
        try withFolder { folder in
            try makeTreeBomb(in: folder)
            try writeBundle(
                ["V1": "<model><entity name='A'/></model>"],
                current: "V1",
                at: folder.appending(path: "M.xcdatamodeld")
            )
            try body(folder)
        }
    }

    @Test(arguments: ["v0:M.xcdatamodeld", "v0:Swift", "v0:."])
    func `trees without end are refused`(place: String) throws {
        try withBomb { folder in
            let run = try momtool(["hash", place], in: folder)
            #expect(run.status >= 64, "\(run.output)")
            #expect(run.errors.contains("there are more than 1000000 files and folders"))
            #expect(run.errors.split(separator: "\n").count == 1, "\(run.errors)")
        }
    }

    @Test func `git is stopped when its own walk takes too long`() throws {
        try withBomb { folder in
            let walk = GitCommand(
                .revList,
                ["--all", "--objects", "--full-history", "--", "**/none"],
                in: folder.path,
                matchesPatterns: true
            )
            let error = #expect(throws: GitError.self) { try walk.run(within: .seconds(1)) }
            #expect(error?.reason == "git has no answer after 1 seconds, and was stopped")
        }
    }

    @Test func `a request to end ends git too`() throws {
        try withBomb { folder in
            let model = folder.appending(path: "M.xcdatamodeld").path
            let store = folder.appending(path: "S.sqlite").path
            #expect(try momtool("create", store, "--model", model).status == 0)
            let process = try startedCommand(["identify", store, "--model", model, "--git"])
            let isRunning = { programs(naming: folder.path).contains { $0.contains("git\0-C") } }
            for _ in 0..<600 where !isRunning() { usleep(50_000) }
            usleep(300_000)
            process.terminate()
            process.waitUntilExit()
            #expect(process.terminationStatus == 4)
            for _ in 0..<100 where isRunning() { usleep(50_000) }
            #expect(!isRunning())
        }
    }
}

private func programs(naming folder: String) -> [String] {
    let entries = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return entries.compactMap { entry in
        let file = "/proc/\(entry)/cmdline"
        guard Int(entry) != nil, let words = FileManager.default.contents(atPath: file)
        else { return nil }
        let text = String(decoding: words, as: UTF8.self)
        return text.contains(folder) ? text : nil
    }
}
