import Foundation
import SQLiteAccess
import TestSupport
import Testing

/// A store that lost its header gets it again by the line that the doctor prints, whatever its pages are like.
struct LostHeaderTests {
    /// How the pages of a store are, and how many bytes it loses.
    struct Damage: Sendable, CustomTestStringConvertible {
        var lost: Int
        var pageSize = 4096
        var autoVacuum = 2
        var hasFreePages = false
        var journal = "DELETE"

        var testDescription: String {
            "\(lost) of \(pageSize), auto-vacuum \(autoVacuum), \(journal)\(hasFreePages ? ", free pages" : "")"
        }
    }

    private static let damages = [16, 24, 100].flatMap { lost in
        [
            Damage(lost: lost), Damage(lost: lost, journal: "WAL"),
            Damage(lost: lost, pageSize: 1024), Damage(lost: lost, pageSize: 65_536),
            Damage(lost: lost, pageSize: 1024, autoVacuum: 0, hasFreePages: true),
            Damage(lost: lost, autoVacuum: 0, hasFreePages: true),
            Damage(lost: lost, hasFreePages: true, journal: "WAL"),
        ]
    }

    private struct Report: Decodable {
        struct Way: Decodable { var command: String? }
        var waysOut: [Way]
    }

    @Test(arguments: LostHeaderTests.damages)
    func `all rows are there again`(_ damage: Damage) throws {
        try withFolder { folder in
            let store = try store(damage, in: folder)
            let model = ["--model", "Library.xcdatamodeld"]
            let rows = try momtool(["export", "S.sqlite"] + model, in: folder).output
            #expect(rows.contains("title 1999"))
            var bytes = try Data(contentsOf: store)
            let noise = (0..<damage.lost).map { UInt8(truncatingIfNeeded: $0 &* 89 &+ 7) }
            bytes.replaceSubrange(0..<damage.lost, with: noise)
            try bytes.write(to: store)
            let result = try momtool(
                ["doctor", "S.sqlite", "--format", "json"] + model,
                in: folder
            )
            let report = try JSONDecoder().decode(Report.self, from: Data(result.output.utf8))
            let commands = report.waysOut.compactMap(\.command)
            let line = try #require(commands.first { $0.contains("printf") }, "\(result.output)")
            let ran = try shell(line, in: folder)
            // Free pages that are no longer listed are all that may be wrong.
            let isClean = !damage.hasFreePages || damage.lost == 16
            #expect(ran.status == (isClean ? 0 : 1), "\(ran.output)\(ran.errors)")
            let copy = ["export", "S-header/S.sqlite"] + model
            #expect(try momtool(copy, in: folder).output == rows)
        }
    }

    /// The log was left behind, and with it the last saves, without a word.
    @Test(arguments: [16, 100])
    func `the log of a store goes with its new header`(lost: Int) throws {
        try withFolder { folder in
            let store = try store(Damage(lost: lost, journal: "WAL"), in: folder)
            let connection = try SQLiteConnection(path: store.path, mode: .readWrite)
            try connection.execute("UPDATE ZBOOK SET ZTITLE = 'saved last' WHERE Z_PK = 1999")
            let apart = folder.appending(path: "Apart")
            try FileManager.default.createDirectory(at: apart, withIntermediateDirectories: true)
            for name in ["S.sqlite", "S.sqlite-wal"] {
                try FileManager.default.copyItem(
                    at: folder.appending(path: name),
                    to: apart.appending(path: name)
                )
            }
            let model = ["--model", "../Library.xcdatamodeld"]
            let rows = try momtool(["export", "S.sqlite"] + model, in: apart).output
            #expect(rows.contains("saved last"))
            var bytes = try Data(contentsOf: apart.appending(path: "S.sqlite"))
            bytes.replaceSubrange(0..<lost, with: Data(count: lost))
            try bytes.write(to: apart.appending(path: "S.sqlite"))
            let result = try momtool(["doctor", "S.sqlite", "--format", "json"] + model, in: apart)
            let report = try JSONDecoder().decode(Report.self, from: Data(result.output.utf8))
            let line = try #require(report.waysOut.compactMap(\.command).first, "\(result.output)")
            #expect(line.contains("cp S.sqlite S.sqlite-wal S-header/"), "\(line)")
            #expect(try shell(line, in: apart).status == 0)
            let copy = ["export", "S-header/S.sqlite"] + model
            #expect(try momtool(copy, in: apart).output == rows)
            // The next step reads that copy, and leaves the store alone.
            for next in report.waysOut.compactMap(\.command).dropFirst().prefix(1) {
                _ = try shell(next, in: apart)
            }
            #expect(try Data(contentsOf: apart.appending(path: "S.sqlite")) == bytes)
            let saved = apart.appending(path: "S-saved/Recovered.sqlite").path
            let title = try SQLiteConnection(path: saved, mode: .readWrite)
                .value("SELECT ZTITLE FROM ZBOOK WHERE Z_PK = 1999")
            #expect(title == .text("saved last"))
        }
    }

    @Test(arguments: [16, 18])
    func `of a header in which two bytes are wrong all else is kept`(offset: Int) throws {
        try withFolder { folder in
            let store = try store(Damage(lost: 2, pageSize: 1024, hasFreePages: true), in: folder)
            let whole = try Data(contentsOf: store)
            var bytes = whole
            bytes.replaceSubrange(offset..<offset + 2, with: [0xEE, 0xEE])
            try bytes.write(to: store)
            let said = try momtool(["doctor", "S.sqlite", "--format", "json"], in: folder).output
            #expect(said.contains("damaged (byte \(offset)"), "\(said)")
            let report = try JSONDecoder().decode(Report.self, from: Data(said.utf8))
            let line = try #require(report.waysOut.compactMap(\.command).first)
            _ = try shell(line, in: folder)
            #expect(try Data(contentsOf: folder.appending(path: "S-header/S.sqlite")) == whole)
        }
    }

    @Test func `nothing else is replaced where the name alone is lost`() throws {
        try withFolder { folder in
            let store = try store(Damage(lost: 16, journal: "WAL"), in: folder)
            let whole = try Data(contentsOf: store)
            var bytes = whole
            bytes.replaceSubrange(0..<16, with: Data(count: 16))
            try bytes.write(to: store)
            let result = try momtool(["doctor", "S.sqlite", "--format", "json"], in: folder)
            let report = try JSONDecoder().decode(Report.self, from: Data(result.output.utf8))
            let line = try #require(
                report.waysOut.compactMap(\.command).first { $0.contains("printf") }
            )
            _ = try shell(line, in: folder)
            #expect(try Data(contentsOf: folder.appending(path: "S-header/S.sqlite")) == whole)
        }
    }

    /// A store of 2000 books, and of pages that a table left free.
    private func store(_ damage: Damage, in folder: URL) throws -> URL {
        let model = Corpus.package.appending(path: "Models/Library.xcdatamodeld")
        try FileManager.default.createSymbolicLink(
            at: folder.appending(path: "Library.xcdatamodeld"),
            withDestinationURL: model
        )
        let create = ["create", "S.sqlite", "--model", "Library.xcdatamodeld", "--version", "V1"]
        #expect(try momtool(create, in: folder).status == 0)
        let store = folder.appending(path: "S.sqlite")
        let connection = try SQLiteConnection(path: store.path, mode: .readWrite)
        for statement in [
            "PRAGMA journal_mode = DELETE", "PRAGMA page_size = \(damage.pageSize)",
            "PRAGMA auto_vacuum = \(damage.autoVacuum)", "VACUUM",
            "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000) "
                + "INSERT INTO ZBOOK (Z_PK, Z_ENT, Z_OPT, ZTITLE, ZISBN, ZPAGES) "
                + "SELECT i, (SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = 'Book'), 1, "
                + "'title ' || i, printf('%013d', i), 7 FROM n",
            "UPDATE Z_PRIMARYKEY SET Z_MAX = 4000 WHERE Z_NAME = 'Book'",
        ] { try connection.execute(statement) }
        if damage.hasFreePages {
            try connection.execute("CREATE TABLE t AS SELECT zeroblob(200000)")
            try connection.execute("DROP TABLE t")
        }
        try connection.execute("PRAGMA journal_mode = \(damage.journal)")
        try connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        return store
    }
}
