import Foundation
import SQLiteAccess
import TestSupport
import Testing

struct HistoryTests {
    /// The first attribute of a model was edited twice, as it must not be, and tagged.
    private func inRepository(_ body: (URL) throws -> Void) throws {
        try withFolder { folder in
            func write(_ type: String) throws {
                let version = folder.appending(path: "App/M.xcdatamodeld/V1.xcdatamodel")
                try FileManager.default.createDirectory(
                    at: version,
                    withIntermediateDirectories: true
                )
                let text =
                    "<model><entity name='A'><attribute name='a' optional='YES' attributeType='\(type)'/>"
                    + "</entity></model>"
                try Data(text.utf8).write(to: version.appending(path: "contents"))
            }
            #expect(try git("init", "-q", in: folder).status == 0)
            for (place, type) in ["String", "Integer 16", "Date"].enumerated() {
                try write(type)
                if place == 0 {
                    let create = try momtool(
                        ["create", "Old.sqlite", "--model", "App/M.xcdatamodeld"],
                        in: folder
                    )
                    #expect(create.status == 0, "\(create.errors)")
                }
                #expect(try git("add", "App", in: folder).status == 0)
                #expect(try git("commit", "-q", "-m", type, in: folder).status == 0)
                #expect(try git("tag", "v\(place)", in: folder).status == 0)
            }
            try body(folder)
        }
    }

    @Test func `the version, its commits and its tags are named`() throws {
        try inRepository { folder in
            let identify = ["identify", "Old.sqlite", "--model", "App/M.xcdatamodeld"]
            #expect(try momtool(identify, in: folder).status == 3)
            let found = try momtool(identify + ["--git"], in: folder)
            #expect(found.status == 0)
            let form = /Old\.sqlite: V1 \([0-9a-f]{7} of \d{4}-\d\d-\d\d, tag v0\)/
            #expect(found.output.contains(form), "\(found.output)")
            let doctor = ["doctor", "Old.sqlite", "--model", "App/M.xcdatamodeld", "--git"]
            let told = try momtool(doctor, in: folder)
            #expect(told.output.contains("tag v0), by the hashes of all entities"))
        }
    }

    /// The app has no such version, and the commands once named a model without it.
    @Test func `a version in git alone is one that Core Data does not open, until it is back`()
        throws
    {
        try inRepository { folder in
            struct Report: Decodable {
                struct Writer: Decodable {
                    var outcome: String
                    var codes: [Int]
                }
                struct Way: Decodable {
                    var advice: String
                    var command: String?
                }
                var writers: [Writer]
                var waysOut: [Way]
            }
            func report() throws -> Report {
                let doctor = ["doctor", "Old.sqlite", "--model", "App/M.xcdatamodeld", "--git"]
                let result = try momtool(doctor + ["--format", "json"], in: folder)
                return try JSONDecoder().decode(Report.self, from: Data(result.output.utf8))
            }
            let versions = folder.appending(path: "App/M.xcdatamodeld")
            let fields = ["a", "b"].map {
                "<attribute name='\($0)' optional='YES' attributeType='String'/>"
            }
            let source = "<model><entity name='A'>\(fields.joined())</entity></model>"
            try write(source, "V1.xcdatamodel/contents", in: versions)
            #expect(try git("commit", "-q", "-a", "-m", "b", in: folder).status == 0)
            let edited = try report()
            #expect(edited.writers.first?.codes.contains(134_130) == true)
            let first = try #require(
                edited.waysOut.first { $0.advice.hasPrefix("put the version") }
            )
            #expect(first.command == nil)
            let commands = edited.waysOut.compactMap(\.command)
            let migrate = try #require(commands.first { $0.hasPrefix("momtool migrate ") })
            let migrated = try shell(migrate, in: folder)
            #expect(migrated.status == 0, "\(migrate): \(migrated.errors)")

            let current =
                "<plist version=\"1.0\"><dict><key>_XCCurrentVersionName</key><string>V2.xcdatamodel</string></dict></plist>"
            try write(current, ".xccurrentversion", in: versions)
            try FileManager.default.moveItem(
                at: versions.appending(path: "V1.xcdatamodel"),
                to: versions.appending(path: "V2.xcdatamodel")
            )
            #expect(try git("add", "-A", "App", in: folder).status == 0)
            #expect(try git("commit", "-q", "-m", "V2", in: folder).status == 0)
            let gone = try report()
            #expect(gone.writers.map(\.outcome) == ["no source model"], "\(gone)")
            let back = try #require(
                gone.waysOut.compactMap(\.command).first { $0.contains("restore") }
            )
            #expect(try shell(back, in: folder).status == 0, "\(back)")
            #expect(try report().writers.map(\.outcome) == ["migrates"])
        }
    }

    @Test func `a model that is gone is found in the history, and in a range only what it holds`()
        throws
    {
        try inRepository { folder in
            try FileManager.default.removeItem(at: folder.appending(path: "App"))
            let identify = ["identify", "Old.sqlite", "--model", "App/M.xcdatamodeld", "--git"]
            #expect(try momtool(identify, in: folder).status == 0)
            #expect(try momtool(identify + ["--range", "v1..v2"], in: folder).status == 3)
            #expect(try momtool(identify + ["--range", "v0..v1"], in: folder).status == 0)
            #expect(try momtool(identify + ["--range", "v9"], in: folder).status == 66)
            #expect(try momtool(identify + ["--range=--output=x"], in: folder).status == 66)
            let none = ["identify", "Old.sqlite", "--model", "App/None.xcdatamodeld", "--git"]
            #expect(try momtool(none, in: folder).status == 66)
        }
    }

    @Test func `a bundle that was moved and renamed is followed to where it was`() throws {
        try inRepository { folder in
            let model = "Modules/Data/Shop.xcdatamodeld"
            try FileManager.default.createDirectory(
                at: folder.appending(path: "Modules/Data"),
                withIntermediateDirectories: true
            )
            #expect(
                try git("mv", "App/M.xcdatamodeld", "Modules/N.xcdatamodeld", in: folder).status
                    == 0
            )
            #expect(try git("commit", "-q", "-m", "move", in: folder).status == 0)
            #expect(try git("mv", "Modules/N.xcdatamodeld", model, in: folder).status == 0)
            #expect(try git("commit", "-q", "-m", "rename", in: folder).status == 0)
            let identify = ["identify", "Old.sqlite", "--model", model]
            #expect(try momtool(identify, in: folder).status == 3)
            let found = try momtool(identify + ["--git"], in: folder)
            #expect(found.status == 0, "\(found.errors)")
            #expect(found.output.contains("tag v0)"), "\(found.output)")
            #expect(try momtool(identify + ["--git", "--range", "v0..v1"], in: folder).status == 0)
            let doctor = ["doctor", "Old.sqlite", "--model", model, "--git", "--format", "json"]
            struct Report: Decodable {
                struct Commits: Decodable {
                    var version, path, first, date: String
                    var last: String?
                    var tags: [String]
                }
                struct Writer: Decodable { var commits: [Commits] }
                var writers: [Writer]
            }
            let told = try momtool(doctor, in: folder)
            struct Identity: Decodable {
                struct Commits: Decodable {
                    var version, path, first, date, author, subject: String
                }
                var commits: [Commits]
            }
            let json = try momtool(identify + ["--git", "--format", "json"], in: folder)
            let identity = try JSONDecoder().decode(Identity.self, from: Data(json.output.utf8))
            let held = try #require(identity.commits.first)
            #expect(held.version.hasPrefix("V1 ("))
            #expect(held.path == "App/M.xcdatamodeld/V1.xcdatamodel/contents")
            #expect(held.first.count == 40)
            #expect(held.date.firstMatch(of: /^\d{4}-\d\d-\d\d$/) != nil)
            let log = try git("log", "-1", "--format=%an|%s", held.first, in: folder)
            #expect(log.output == "\(held.author)|\(held.subject)\n")
            #expect(!held.subject.isEmpty)
            let report = try JSONDecoder().decode(Report.self, from: Data(told.output.utf8))
            let commits = try #require(report.writers.first?.commits.first)
            #expect(commits.path == "App/M.xcdatamodeld/V1.xcdatamodel/contents")
            #expect((commits.first.count, commits.tags) == (40, ["v0"]))
            #expect(commits.version.hasPrefix("V1 ("))
        }
    }

    @Test func `a shallow clone says that it is one`() throws {
        try inRepository { folder in
            let clone = ["clone", "-q", "--depth", "1", "file://" + folder.path, "Clone"]
            let made = try result(
                of: URL(fileURLWithPath: "/usr/bin/env"),
                ["git"] + clone,
                in: folder
            )
            #expect(made.status == 0)
            let model = "Clone/App/M.xcdatamodeld"
            let found = try momtool(
                ["identify", "Old.sqlite", "--model", model, "--git"],
                in: folder
            )
            #expect(found.status == 3)
            #expect(found.errors.contains("the clone is shallow"))
        }
    }
}
