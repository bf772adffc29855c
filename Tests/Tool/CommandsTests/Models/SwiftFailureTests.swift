import Foundation
import TestSupport
import Testing

/// The failures that developers report most, each found before the app ships: `Fixtures/SwiftDataFailures`.
struct SwiftFailureTests {
    private static let folder = Corpus.package.appending(path: "Fixtures/SwiftDataFailures")
    static let failures =
        (try? FileManager.default.contentsOfDirectory(atPath: folder.path))?
        .sorted() ?? []

    @Test func `there are more than twenty`() {
        #expect(Self.failures.count >= 20)
    }

    @Test(arguments: failures)
    func `a failure is found before it ships`(name: String) throws {
        let source = Self.folder.appending(path: name)
        func copy(_ file: String, as path: String, in folder: URL) throws -> Bool {
            guard let text = try? fileText(source.appending(path: file)) else { return false }
            try write(text, path, in: folder)
            return true
        }
        try withFolder { folder in
            // Entitlements are searched up to the root of the repository.
            try makeRepository(folder)
            if try copy("Shipped.swift", as: "App/App.swift", in: folder) {
                try expectRun("lock App", in: folder, 0)
            }
            #expect(try copy("App.swift", as: "App/App.swift", in: folder))
            _ = try copy("Shop.entitlements", as: "App/Shop.entitlements", in: folder)
            let expected = try fileText(source.appending(path: "expected.txt"))
            let lines = expected.split(separator: "\n").filter { !$0.hasPrefix("#") }
            for line in lines { try check(line, source, in: folder) }
            #expect(!lines.isEmpty)
        }
    }

    private func check(_ line: Substring, _ source: URL, in folder: URL) throws {
        let words = line.split(separator: " ", maxSplits: 2).map(String.init)
        guard words[0] == "plan" else {
            let found = try expectRun("lint App", in: folder, 1)
            let isFound = found.output.split(separator: "\n").contains { line in
                line.hasSuffix("[\(words[1])]")
                    && (line.contains(": error: ") || line.contains(": warning: "))
            }
            #expect(isFound, "\(words[1]):\n\(found.output)")
            return
        }
        let rows = ["--version", words[1], "--rows", source.appending(path: "rows.json").path]
        try expectRun(["create", "s.sqlite", "--model", "App"] + rows, in: folder, 0)
        try expectRun("plan App --store s.sqlite", in: folder, nil, words[2])
    }
}
