import FileSystem
import Foundation
import Momtool
import TestSupport
import Testing

struct GitPlaceTests {
    @Test func `tags are in the order of their time, of one second in that of numbers`() throws {
        try withFolder { folder in
            let commits = [(1, ["2.0"]), (2, ["1.10", "1.9"]), (3, ["1.2-beta"])].map { day, tags in
                let person = "A <a@example.org> \(1_700_000_000 + 86_400 * day) +0000"
                let tags = tags.map { "reset refs/tags/\($0)\nfrom refs/heads/main\n\n" }.joined()
                return "commit refs/heads/main\ncommitter \(person)\ndata 1\n.\n\n" + tags
            }
            try write(commits.joined(), "stream", in: folder)
            try makeRepository(folder)
            let made = try shell("git fast-import --quiet < stream", in: folder)
            let tags = try gitTags(in: folder.path).map { "\($0.day.suffix(2)) \($0.name)" }
            #expect(tags == ["15 2.0", "16 1.9", "16 1.10", "17 1.2-beta"], "\(made)")
        }
    }

    /// A repository with a bundle of two versions below `App`, other files, and one commit.
    private func withRepository(_ body: (URL) throws -> Void) throws {
        try withFolder { folder in
            let app = folder.appending(path: "work/App")
            let models = ["V 1": "String", "V 2": "Date"].mapValues {
                "<model><entity name='A'><attribute name='a' attributeType='\($0)'/></entity></model>"
            }
            try writeBundle(models, "Shop.xcdatamodeld", in: app, current: "V 2")
            try Data(count: 100).write(to: app.appending(path: "Shop.xcdatamodeld/layout"))
            try copyFile(
                Corpus.package.appending(path: "Fixtures/Library-V1.sqlite"),
                to: app.appending(path: "Library.sqlite")
            )
            let work = folder.appending(path: "work")
            try commit("one", in: work)
            try FileManager.default.removeItem(at: app)
            try body(folder)
        }
    }

    private static let places = [
        ("HEAD:App/Shop.xcdatamodeld", "V 1 V 2"), ("HEAD:App/Shop.xcdatamodeld/", "V 1 V 2"),
        ("HEAD:App", "V 1 V 2"), ("HEAD^{/o n: e|one}:App/Shop.xcdatamodeld", "V 1 V 2"),
        ("HEAD:App/Shop.xcdatamodeld/V 1.xcdatamodel", "V 1"),
        ("HEAD:App/Shop.xcdatamodeld/V 1.xcdatamodel/contents", "V 1"),
        ("HEAD:App/Shop.xcdatamodeld#V 1", "V 1 V 2"),
    ]

    @Test func `models are read from a revision by paths as git counts them`() throws {
        try withRepository { folder in
            let work = folder.appending(path: "work")
            for (place, names) in Self.places {
                let result = try expectRun(["hash", place], in: work, 0)
                for name in names == "V 1" || place.hasSuffix("#V 1") ? ["V 1"] : ["V 1", "V 2"] {
                    #expect(result.output.contains(name), "\(place): \(result.output)")
                }
            }
            let inner = work.appending(path: "inner")
            try makeFolder(inner)
            try expectRun("hash HEAD:App/Shop.xcdatamodeld", in: inner, 0)
            try expectRun("hash HEAD:../App/Shop.xcdatamodeld", in: inner, 0)
            let missing = try momtool("hash HEAD:Shop.xcdatamodeld", in: inner)
            #expect(missing.status == 66)
        }
    }

    @Test func `bare repositories and stores in them are read too`() throws {
        try withRepository { folder in
            #expect(try git("clone", "-q", "--bare", "work", "bare.git", in: folder).status == 0)
            let bare = folder.appending(path: "bare.git")
            let here = ["GIT_DIR": "."]
            let hashes = try result(
                of: commandURL,
                ["hash", "HEAD:App/Shop.xcdatamodeld"],
                in: bare,
                environment: here
            )
            #expect(hashes.status == 0, "\(hashes.errors)")
            let model = Corpus.package.appending(path: "Models/Library.xcdatamodeld").path
            let plan = try result(
                of: commandURL,
                ["plan", "HEAD:App/Library.sqlite", model, "--from", "Library"],
                in: bare,
                environment: here
            )
            #expect(plan.status == 0 || plan.errors.contains("no model"), "\(plan.errors)")
        }
    }

    @Test func `what is no repository and no revision is said`() throws {
        try withRepository { folder in
            let nowhere = try expectRun("hash HEAD:App/Shop.xcdatamodeld", in: folder, 66)
            #expect(nowhere.errors.hasPrefix("HEAD:App/Shop.xcdatamodeld: error: "))
            #expect(nowhere.errors.contains("'\(resolvedPath(folder.path))'"), "\(nowhere.errors)")
            #expect(nowhere.errors.hasSuffix(" [unreadable-file]\n"))
            try writeBundle(["V 1": "<model/>"], "Shop.xcdatamodeld", in: folder)
            let outside = try momtool("diff Shop.xcdatamodeld --against main", in: folder)
            #expect(outside.status == 66)
            #expect(outside.errors.contains("Shop.xcdatamodeld: error: "), "\(outside.errors)")
            let store = Corpus.package.appending(path: "Fixtures/Library-V1.sqlite").path
            let search = ["identify", store, "--model", "App/Shop.xcdatamodeld", "--git"]
            let range = try momtool(
                search + ["--range", "v9..main"],
                in: folder.appending(path: "work")
            )
            #expect(range.status == 66)
            #expect(range.errors.contains("'v9..main'"))
            let work = folder.appending(path: "work")
            let unknown = try momtool("hash nothing:App", in: work)
            #expect(unknown.status == 66)
            #expect(unknown.errors.contains("'nothing'; git branch --all"))
            let path = try momtool("hash HEAD:Nothing", in: work)
            #expect(path.status == 66)
        }
    }

    @Test func `git is asked once for all versions and models`() throws {
        try withRepository { folder in
            let words = ["diff", "HEAD:App/Shop.xcdatamodeld#V 1", "HEAD:App/Shop.xcdatamodeld"]
            let calls = try callsOfGit(by: words, in: folder.appending(path: "work"))
            #expect(calls.count == 1)
            #expect(calls.first?.hasSuffix(" cat-file --batch") == true)
        }
    }

    @Test func `git is not started where no repository is, only where one may be`() throws {
        try withFolder { folder in
            try writeBundle([textModel("A", ["a"])], "App/M.xcdatamodeld", in: folder)
            let app = folder.appending(path: "App")
            let lint = ["lint", "M.xcdatamodeld"]
            #expect(try callsOfGit(by: lint, in: app) == [])
            let directory = ["GIT_DIR": folder.appending(path: "none").path]
            #expect(try callsOfGit(by: lint, in: app, directory) != [])
            let missing = try momtool("hash HEAD:M.xcdatamodeld", in: app)
            #expect(missing.status == 66 && missing.errors.contains("git repository"))
            try makeRepository(folder)
            #expect(try callsOfGit(by: lint, in: app) != [])
            try write("", "HEAD", in: folder)
            try FileManager.default.removeItem(at: folder.appending(path: ".git"))
            #expect(try callsOfGit(by: lint, in: app) != [])
        }
    }

    /// Runs the command, and returns how it called git.
    private func callsOfGit(
        by words: [String],
        in place: URL,
        _ environment: [String: String] = [:]
    ) throws -> [Substring] {
        try withFolder { folder in
            let log = folder.appending(path: "log").path
            let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
            let real = try #require(
                path.split(separator: ":").map { "\($0)/git" }
                    .first { FileManager.default.isExecutableFile(atPath: $0) }
            )
            try write(
                "#!/bin/sh\necho \"$*\" >> '\(log)'\nexec '\(real)' \"$@\"\n",
                "git",
                in: folder
            )
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o755],
                ofItemAtPath: folder.appending(path: "git").path
            )
            let result = try result(
                of: commandURL,
                words,
                in: place,
                environment: environment.merging(["PATH": "\(folder.path):\(path)"]) { $1 }
            )
            #expect(result.status == 0, "\(result.errors)")
            guard FileManager.default.fileExists(atPath: log) else { return [] }
            return try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n")
        }
    }

    @Test(arguments: [("struct Other {}", false), ("@Model class Item {}", true)])
    func `words of sources say whether a revision may declare models`(
        source: String,
        mayHold: Bool
    ) throws {
        try withFolder { folder in
            try write("import Foundation\n\(source)\n", "A.swift", in: folder)
            try commit("one", in: folder)
            let place = ModelPlace(folder.path, at: "HEAD", readsSwift: true)
            #expect(place.mayHoldSwiftModels == mayHold)
        }
    }
}
