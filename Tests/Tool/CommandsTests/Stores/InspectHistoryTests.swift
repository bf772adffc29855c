import Foundation
import ObjectModel
import SQLiteAccess
import StoreFormat
import TestSupport
import Testing

struct InspectHistoryTests {
    private static let model = ManagedObjectModel([
        Entity("Order", [Attribute("number", .string)]),
        Entity("Tag", [Attribute("label", .string)]),
    ])

    private func inFolder(_ body: (URL, SQLiteConnection) throws -> Void) throws {
        try withFolder { folder in
            let path = folder.appending(path: "s.sqlite").path
            let options = StoreCreationOptions(keepsHistory: true)
            try createStore(at: path, model: Self.model, options: options)
            let connection = try SQLiteConnection(path: path, mode: .readWrite)
            for statement in [
                "INSERT INTO ATRANSACTIONSTRING (Z_PK, Z_ENT, ZNAME) VALUES (1, 16003, 'the \"app\"' || char(10, 27, 8238))",
                """
                INSERT INTO ATRANSACTION (Z_PK, Z_ENT, ZAUTHORTS, ZTIMESTAMP)
                VALUES (1, 16002, 1, 730900800.25), (2, 16002, 1, 730987200), (3, 16002, NULL, 5e9)
                """,
                """
                INSERT INTO ACHANGE (Z_PK, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID)
                VALUES (1, 0, 1, 5, 1), (2, 0, 2, 5, 1), (3, 1, 1, 5, 2), (4, 1, 2, 5, 2), (5, 2, 1, 5, 3)
                """,
            ] { try connection.execute(statement) }
            try body(folder, connection)
        }
    }

    @Test func `one table counts all, by author and by entity, and says what pruning frees`() throws
    {
        try inFolder { folder, _ in
            let run = try expectRun("inspect s.sqlite --history", in: folder, 0)
            let part = try #require(run.output.firstRange(of: "  history          "))
            let expected = #"""
                  history                             transactions  changes   first day    last day  bytes
                  all                                            3        5  2024-02-29  2159-06-12  45056
                  no author                                      1        1  2159-06-12  2159-06-12
                  author the "app"\u000A\u001B\u202E             2        4  2024-02-29  2024-03-01
                  entity Order                                   3        3  2024-02-29  2159-06-12
                  entity Tag                                     2        2  2024-02-29  2024-03-01
                  older than 30 days                             2        4  2024-02-29  2024-03-01  33792

                momtool repair s.sqlite --prune-history 30 --compact -o Smaller.sqlite frees about 33792 bytes
                """#
            let text = run.output[part.lowerBound...].trimmingCharacters(in: .newlines)
            #expect(text == expected, "\(text)")
            let pruned = try momtool(
                "repair s.sqlite --prune-history 30 --compact -o Smaller.sqlite",
                in: folder
            )
            #expect(pruned.status == 0, "\(pruned.output)\(pruned.errors)")
            let left = try momtool("inspect Smaller.sqlite --history", in: folder)
            #expect(left.output.contains("older than 30 days             0        0"))
        }
    }

    @Test func `a store that keeps none, or has lost a part, has no table`() throws {
        try inFolder { folder, connection in
            try connection.execute("DROP TABLE ATRANSACTION")
            let fixture = Corpus.package.appending(path: "Fixtures/Library-V1.sqlite").path
            for store in ["s.sqlite", fixture] {
                let run = try momtool("inspect \(store) --history --format json", in: folder)
                #expect(run.status == 0 && !run.output.contains("\"history\" :"), "\(run.output)")
            }
        }
    }

    @Test func `verify and doctor note a history that takes most of the file`() throws {
        try inFolder { folder, connection in
            let note = "note: persistent history takes "
            #expect(try !momtool("verify s.sqlite", in: folder).output.contains(note))
            try connection.execute(
                """
                INSERT INTO ACHANGE (Z_ENT, Z_OPT, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID)
                WITH RECURSIVE n(i) AS (VALUES(1) UNION ALL SELECT i + 1 FROM n WHERE i < 60000)
                SELECT 16001, 1, 1, 1, 5, 2 FROM n
                """
            )
            try connection.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = 100000")
            for command in ["verify", "doctor"] {
                let run = try momtool([command, "s.sqlite"], in: folder)
                #expect(run.output.contains("persistent history takes "), "\(run.output)")
                #expect(run.output.contains("--prune-history 30 and --compact"), "\(run.output)")
            }
            #expect(try momtool("verify s.sqlite", in: folder).status == 0)
        }
    }
}

struct HistoryTests {
    /// The first attribute of a model was edited twice, as it must not be, and tagged.
    private func inRepository(_ body: (URL) throws -> Void) throws {
        try withFolder { folder in
            func write(_ type: String) throws {
                let version = folder.appending(path: "App/M.xcdatamodeld/V1.xcdatamodel")
                try makeFolder(version)
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
            let found = try expectRun(identify + ["--git"], in: folder, 0)
            let form = /Old\.sqlite: V1 \([0-9a-f]{7} of \d{4}-\d\d-\d\d, tag v0\)/
            #expect(found.output.contains(form), "\(found.output)")
            let told = try momtool("doctor Old.sqlite --model App/M.xcdatamodeld --git", in: folder)
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
            try makeFolder(folder.appending(path: "Modules/Data"))
            #expect(
                try git("mv", "App/M.xcdatamodeld", "Modules/N.xcdatamodeld", in: folder).status
                    == 0
            )
            #expect(try git("commit", "-q", "-m", "move", in: folder).status == 0)
            #expect(try git("mv", "Modules/N.xcdatamodeld", model, in: folder).status == 0)
            #expect(try git("commit", "-q", "-m", "rename", in: folder).status == 0)
            let identify = ["identify", "Old.sqlite", "--model", model]
            #expect(try momtool(identify, in: folder).status == 3)
            try expectRun(identify + ["--git"], in: folder, 0, "tag v0)")
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
            let found = try momtool("identify Old.sqlite --model \(model) --git", in: folder)
            #expect(found.status == 3)
            #expect(found.errors.contains("the clone is shallow"))
        }
    }
}
