import Foundation
import TestSupport
import Testing

/// The failures that developers report most, each found before the app ships: `Fixtures/SwiftDataFailures`.
///
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
        try withFolder { folder in
            // Entitlements are searched up to the root of the repository.
            #expect(try git("init", "-q", in: folder).status == 0)
            let app = folder.appending(path: "App")
            try FileManager.default.createDirectory(at: app, withIntermediateDirectories: true)
            func copy(_ file: String, as copy: String) throws -> Bool {
                guard let bytes = try? Data(contentsOf: source.appending(path: file)) else {
                    return false
                }
                try bytes.write(to: app.appending(path: copy))
                return true
            }
            if try copy("Shipped.swift", as: "App.swift") {
                let lock = try momtool(["lock", "App"], in: folder)
                #expect(lock.status == 0, "\(lock.errors)")
            }
            #expect(try copy("App.swift", as: "App.swift"))
            _ = try copy("Shop.entitlements", as: "Shop.entitlements")
            let expected = try String(
                contentsOf: source.appending(path: "expected.txt"),
                encoding: .utf8
            )
            var count = 0
            for line in expected.split(separator: "\n") where !line.hasPrefix("#") {
                try check(line, source, in: folder)
                count += 1
            }
            #expect(count > 0)
        }
    }

    private func check(_ line: Substring, _ source: URL, in folder: URL) throws {
        let words = line.split(separator: " ", maxSplits: 2).map(String.init)
        guard words.first == "plan" else {
            let found = try momtool(["lint", "App"], in: folder)
            let isFound = found.output.split(separator: "\n").contains { line in
                line.hasSuffix("[\(words[1])]")
                    && (line.contains(": error: ") || line.contains(": warning: "))
            }
            #expect(isFound, "\(words[1]):\n\(found.output)")
            #expect(found.status == 1)
            return
        }
        let rows = source.appending(path: "rows.json").path
        let create = [
            "create", "s.sqlite", "--model", "App", "--version", words[1], "--rows", rows,
        ]
        let made = try momtool(create, in: folder)
        #expect(made.status == 0, "\(made.errors)")
        let plan = try momtool(["plan", "App", "--store", "s.sqlite"], in: folder)
        #expect(plan.output.contains(words[2]), "\(plan.output)\(plan.errors)")
    }

    @Test func `rows whose values no case has are counted by plan and verify`() throws {
        try withFolder { folder in
            let app = folder.appending(path: "App.swift")
            func write(_ cases: String, _ kinds: String) throws {
                let text = """
                    enum Mood: String, Codable { case \(cases) }
                    enum Kind: Int, Codable { case \(kinds) }
                    struct Place: Codable { var kind: Kind; var town: String }
                    @Model class Item { var mood: Mood = Mood.good; var place: Place? }
                    """
                try Data(text.utf8).write(to: app)
            }
            try write("good, fair, bad", "a, b")
            let rows = """
                {"Item": [{"mood": {"mood": "fair"}, "place": {"kind": 1, "town": "x"}},
                {"mood": {"mood": "fair"}, "place": null}, {"mood": {"mood": "bad"}}]}
                """
            try Data(rows.utf8).write(to: folder.appending(path: "rows.json"))
            let create = ["create", "s.sqlite", "--model", "App.swift", "--rows", "rows.json"]
            let made = try momtool(create, in: folder)
            #expect(made.status == 0, "\(made.errors)")
            let verify = ["verify", "s.sqlite", "--model", "App.swift"]
            #expect(try momtool(verify, in: folder).status == 0)
            try write("good, bad", "a")
            let found = try momtool(verify, in: folder)
            #expect(found.status == 1)
            let words = "no case of the enum has the value: the app stops when it reads one"
            #expect(found.output.contains("Item.mood: 2 rows: \(words)"), "\(found.output)")
            #expect(found.output.contains("Item.place.kind: 1 row: \(words)"), "\(found.output)")
            #expect(found.output.contains("[enum-value-unknown]"))
            let plan = try momtool(["plan", "App.swift", "--store", "s.sqlite"], in: folder)
            #expect(plan.output.contains("when the app reads them\n"), "\(plan.output)")
            #expect(plan.output.contains("Item.mood: 2 rows"), "\(plan.output)")
        }
    }

    @Test func `a case that went since a revision is said by diff and check`() throws {
        try withFolder { folder in
            let app = folder.appending(path: "App/Model.swift")
            try FileManager.default.createDirectory(
                at: app.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            func write(_ cases: String) throws {
                let text = """
                    import SwiftData
                    enum Mood: String, Codable { case \(cases) }
                    @Model class Item { var mood: Mood = Mood.good }
                    """
                try Data(text.utf8).write(to: app)
            }
            try write("good, fair")
            #expect(try git("init", "-q", in: folder).status == 0)
            #expect(try git("add", "App", in: folder).status == 0)
            #expect(try git("commit", "-q", "-m", "one", in: folder).status == 0)
            try write("good, okay")
            let words = "no case has the raw value 'fair' of 'fair' any more"
            let diff = try momtool(["diff", "App", "--against", "HEAD"], in: folder)
            #expect(diff.output.contains(words), "\(diff.output)\(diff.errors)")
            for format in ["json", "markdown"] {
                let arguments = ["diff", "App", "--against", "HEAD", "--format", format]
                #expect(try momtool(arguments, in: folder).output.contains("fair"), "\(format)")
            }
        }
    }
}
