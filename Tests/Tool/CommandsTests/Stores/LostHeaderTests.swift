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
            #expect(try momtool(["export", "Copy.sqlite"] + model, in: folder).output == rows)
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
            #expect(try Data(contentsOf: folder.appending(path: "Copy.sqlite")) == whole)
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
