import Diagnostics
import Foundation
import ObjectModel
import SQLiteAccess
import TestSupport
import Testing

@testable import StoreFormat

struct VerificationTests {
    typealias Damage = (sql: String, rule: RuleID, element: String, keys: [Int64])

    static let damages: [Damage] = [
        ("UPDATE ZAUTHOR SET ZNAME = NULL WHERE Z_PK = 2", .missingValue, "Author.name", [2]),
        ("UPDATE ZAUTHOR SET ZAGE = 40000 WHERE Z_PK = 1", .wrongType, "Author.age", [1]),
        ("UPDATE ZBOOK SET ZTITLE = x'00'", .wrongType, "Book.title", [1, 2, 3]),
        ("UPDATE ZAUTHOR SET ZNAME = 'Ada'", .duplicateValue, "Author.name", [1, 2]),
        ("UPDATE ZBOOK SET ZAUTHOR = NULL WHERE Z_PK = 3", .missingDestination, "Book.author", [3]),
        (
            "UPDATE ZAUTHOR SET ZFAVORITE = 9 WHERE Z_PK = 1", .danglingReference,
            "Author.favorite", [1]
        ),
        ("DELETE FROM ZAUTHOR WHERE Z_PK = 1", .cascadeOrphan, "Book.author", [1, 2]),
        (
            "UPDATE ZAUTHOR SET Z2_FAVORITE = 3 WHERE Z_PK = 2", "wrong-entity-column",
            "Author.favorite", [2]
        ),
        ("UPDATE ZBOOK SET Z_FOK_AUTHOR = 2048", .orderKey, "Book.author", [1, 2]),
        ("UPDATE ZBOOK SET Z_FOK_AUTHOR = NULL WHERE Z_PK = 3", .orderKey, "Book.author", [3]),
        ("UPDATE ZBOOK SET Z_ENT = 4 WHERE Z_PK = 2", .foreignEntityNumber, "Book", [2]),
        ("DELETE FROM ZTAG", .danglingReference, "Book.tags", [1, 2]),
        ("UPDATE Z_PRIMARYKEY SET Z_MAX = 2 WHERE Z_ENT = 2", "key-above-maximum", "Book", [3]),
        (
            "UPDATE Z_PRIMARYKEY SET Z_MAX = 9223372036854775807 WHERE Z_ENT = 2", .noKeysLeft,
            "Book", []
        ),
        (
            "INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT) VALUES (4611686018427387904, 4, 1)",
            .excessiveKey, "Tag", [4_611_686_018_427_387_904]
        ),
        (
            "UPDATE ZBOOK SET ZCOVER = x'05' WHERE Z_PK = 1", .invalidExternalValue, "Book.cover",
            [1]
        ),
        (
            "UPDATE ZBOOK SET ZCOVER = CAST(x'02' || "
                + "'E621E1F8-C36C-495A-93FC-0C247A3E6E5F' || x'00' AS BLOB) WHERE Z_PK = 2",
            .missingExternalFile, "Book.cover", [2]
        ),
        (
            "UPDATE ZBOOK SET ZCOVER = CAST(x'02' || "
                + "'../../../../../../../../../etc/hosts' || x'00' AS BLOB) WHERE Z_PK = 2",
            .invalidExternalValue, "Book.cover", [2]
        ),
        ("UPDATE Z_PRIMARYKEY SET Z_NAME = 'Tag' WHERE Z_ENT = 3", .entityNumbers, "Novel", []),
        (
            "UPDATE Z_PRIMARYKEY SET Z_NAME = 'Story' WHERE Z_ENT = 3", "stale-entity-name",
            "Novel", []
        ),
        ("INSERT INTO Z_PRIMARYKEY VALUES (5, 'More', 0, 0)", .entityNumbers, "More", []),
        ("DROP TABLE ZTAG", .missingTable, "Tag", []),
        ("CREATE TABLE ZMORE (A)", "surplus-table", "", []),
        ("ALTER TABLE ZTAG ADD COLUMN ZOLD VARCHAR", "surplus-column", "Tag", []),
        ("ALTER TABLE ZTAG RENAME COLUMN ZLABEL TO ZTEXT", .missingColumn, "Tag", []),
        ("DROP INDEX Z_Author_UNIQUE_name", .missingIndex, "", []),
        ("CREATE INDEX more ON ZTAG (ZLABEL)", "surplus-index", "", []),
        ("DROP TRIGGER Z_DA_ZBOOK_Author_bookCount_PARAMETER_DELETE", .missingTrigger, "", []),
        (
            "CREATE TRIGGER more AFTER INSERT ON ZTAG BEGIN DELETE FROM ZTAG; END", .surplusTrigger,
            "", []
        ),
    ]

    @Test(arguments: damages)
    func `a damage brings its finding with the keys of the rows`(damage: Damage) throws {
        try withTemporaryFolder { folder in
            let path = folder + "/a.sqlite"
            try makeLibrary(at: path)
            try change(path, damage.sql)
            let findings = try verify(try StoreFile(path: path), against: .library)
            let found = findings.filter { finding in
                [finding.entity, finding.property].compactMap(\.self).joined(separator: ".")
                    == damage.element && finding.rule == damage.rule
            }
            #expect(found.map(\.keys) == [damage.keys], "\(findings)")
        }
    }

    /// Statements for an app's own trigger, and the warning; `nil` for a mere note.
    static let triggers: [(statements: [String], warning: String?)] = [
        (["CREATE TRIGGER t AFTER INSERT ON ZTAG BEGIN SELECT 1; END"], nil),
        (
            [
                "CREATE TABLE log (k PRIMARY KEY)",
                "CREATE TRIGGER t AFTER INSERT ON ZTAG BEGIN INSERT INTO log VALUES (NEW.Z_PK) "
                    + "ON CONFLICT (k) DO UPDATE SET k = k; DELETE FROM log WHERE k < 0; "
                    + "UPDATE OR IGNORE log SET k = 1 WHERE k = 0; END",
            ], nil
        ),
        (
            [
                "CREATE TRIGGER t BEFORE UPDATE OF ZLABEL ON ZTAG BEGIN "
                    + "UPDATE OR IGNORE \"ZBOOK\" SET ZTITLE = 'x'; END"
            ], "ZBOOK"
        ),
        (
            [
                "CREATE TRIGGER t AFTER DELETE ON ZTAG BEGIN "
                    + "INSERT OR REPLACE INTO Z_METADATA (Z_VERSION) VALUES (7); END"
            ], "Z_METADATA"
        ),
        (
            ["CREATE TRIGGER t BEFORE INSERT ON ZTAG BEGIN SELECT RAISE(ABORT, 'no'); END"],
            ""
        ),
        (
            [
                "CREATE TABLE log (k)",
                "CREATE TRIGGER t AFTER INSERT ON ZTAG BEGIN INSERT INTO log VALUES (1); END",
                "CREATE TRIGGER u AFTER INSERT ON log BEGIN DELETE FROM ZTAG; END",
            ], "ZTAG"
        ),
    ]

    @Test(arguments: triggers)
    func `an app's own trigger is a fault only where it touches what is Core Data's`(
        statements: [String],
        table: String?
    ) throws {
        try withTemporaryFolder { folder in
            let path = folder + "/a.sqlite"
            try makeLibrary(at: path)
            for statement in statements { try change(path, statement) }
            let findings = try verify(try StoreFile(path: path), against: .library)
                .filter { $0.rule == .surplusTrigger }
            #expect(findings.map(\.severity) == [table == nil ? .note : .warning])
            #expect(findings.first?.message.hasSuffix(table ?? "") == true)
        }
    }

    @Test(arguments: [true, false])
    func `triggers of a spatial index of an earlier version are a fault without it`(
        isThere: Bool
    ) throws {
        try withTemporaryFolder { folder in
            let path = folder + "/a.sqlite"
            try makeLibrary(at: path)
            if isThere {
                try change(path, "CREATE VIRTUAL TABLE Z_RT_Tag_map USING rtree (Z_PK, A, B)")
            }
            let fill = "INSERT OR REPLACE INTO Z_RT_Tag_map (Z_PK, A, B) VALUES (NEW.Z_PK, 1, 1)"
            try change(
                path,
                "CREATE TRIGGER Z_RT_Tag_map_INSERT AFTER INSERT ON ZTAG BEGIN \(fill) ; END"
            )
            let found = try verify(try StoreFile(path: path), against: .library)
                .filter { $0.rule == .surplusTrigger }
            #expect(found.map(\.severity) == (isThere ? [] : [.warning]))
        }
    }

    @Test func `a join table without its primary key is told, whether it has a link twice or not`()
        throws
    {
        try withTemporaryFolder { folder in
            let path = folder + "/a.sqlite"
            try makeLibrary(at: path)
            let layout = StoreLayout(model: .library)
            let join = try #require(layout.joinTables.first)
            let columns = join.columnNames.map { "\($0) INTEGER" }.joined(separator: ", ")
            for statement in [
                "CREATE TABLE old AS SELECT * FROM \(join.name)", "DROP TABLE \(join.name)",
                "CREATE TABLE \(join.name) (\(columns))",
                "INSERT INTO \(join.name) SELECT * FROM old", "DROP TABLE old",
            ] { try change(path, statement) }
            let found = try verify(try StoreFile(path: path), against: .library)
                .filter { $0.rule == .missingPrimaryKey }
            #expect(found.map(\.severity) == [.warning])
            #expect(found.first?.entity == join.namingRelationship.entity)
            #expect(found.first?.message.contains(join.name) == true)
        }
    }

    @Test func `verifying counts the rows that it reads`() throws {
        try withTemporaryFolder { folder in
            let path = folder + "/a.sqlite"
            try makeLibrary(at: path)
            let file = try StoreFile(path: path)
            let counts = try file.rowCounts(of: file.schema())
            var extent = RowExtent()
            _ = try verify(file, against: .library, counting: { extent = $0 })
            #expect(extent.rows == counts.values.reduce(0, +))
            #expect(extent.entities == counts.count)
            // Without the numbers of the model no row is checked.
            try change(path, "DELETE FROM Z_PRIMARYKEY WHERE Z_ENT = 1")
            extent = RowExtent()
            _ = try verify(try StoreFile(path: path), against: .library, counting: { extent = $0 })
            #expect(extent.rows == 0)
        }
    }

    @Test func `a sound store has no findings`() throws {
        try withTemporaryFolder { folder in
            try makeLibrary(at: folder + "/a.sqlite")
            #expect(try verify(try StoreFile(path: folder + "/a.sqlite"), against: .library) == [])
        }
    }

    @Test func `a value that says neither where it is nor in which file is seen without files`()
        throws
    {
        try withTemporaryFolder { folder in
            let path = folder + "/a.sqlite"
            try makeLibrary(at: path)
            let name = "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"
            for (cover, isWrong) in [
                ("x'0105'", false), ("x'05'", true), ("x''", true), ("x'02'", true),
                ("CAST(x'02' || '\(name)' || x'00' AS BLOB)", false),
                ("CAST(x'02' || '\(name)' || x'01' AS BLOB)", true),
            ] {
                try change(path, "UPDATE ZBOOK SET ZCOVER = \(cover) WHERE Z_PK = 1")
                let file = try StoreFile(path: path)
                let found = try verifyContents(of: file, against: .library, checksFiles: false)
                #expect(found.map(\.rule) == (isWrong ? [.invalidExternalValue] : []), "\(cover)")
            }
        }
    }

    @Test func `the triggers of derived attributes do their work`() throws {
        try withTemporaryFolder { folder in
            try makeLibrary(at: folder + "/a.sqlite")
            let file = try StoreFile(path: folder + "/a.sqlite")
            let counts = try file.connection.rows("SELECT ZBOOKCOUNT FROM ZAUTHOR ORDER BY Z_PK")
            #expect(counts == [[.integer(2)], [.integer(1)]])
            let names = try file.connection.rows("SELECT ZAUTHORNAME FROM ZBOOK ORDER BY Z_PK")
            #expect(names == [[.text("Ada")], [.text("Ada")], [.text("Bob")]])
        }
    }

    @Test(arguments: [(1, true), (11, false), (267, false)])
    func `an error names its statement unless the file is damaged`(code: Int32, namesIt: Bool) {
        let sql = "SELECT count(*) FROM ZBOOK"
        let error = StoreError.sqlite(path: "a.sqlite", code: code, message: "m", sql: sql)
        #expect(error.reason.contains(sql) == namesIt)
        #expect(error.reason.contains("SQLite error \(code)"))
    }

    @Test func `a file beside a store that no value points at is found`() throws {
        try withTemporaryFolder { folder in
            try makeLibrary(at: folder + "/a.sqlite")
            let values = URL(fileURLWithPath: folder + "/.a_SUPPORT/_EXTERNAL_DATA")
            try makeFolder(values)
            try Data([1]).write(to: values.appendingPathComponent(UUID().uuidString))
            let findings = try verify(try StoreFile(path: folder + "/a.sqlite"), against: .library)
            #expect(findings.map(\.rule) == ["surplus-external-file"])
        }
    }

    @Test func `a file beside a store that two values point at is found`() throws {
        try withTemporaryFolder { folder in
            let path = folder + "/a.sqlite"
            try makeLibrary(at: path)
            let name = UUID().uuidString
            let values = URL(fileURLWithPath: folder + "/.a_SUPPORT/_EXTERNAL_DATA")
            try makeFolder(values)
            try Data([1]).write(to: values.appendingPathComponent(name))
            let value = "CAST(x'02' || '\(name)' || x'00' AS BLOB)"
            try change(path, "UPDATE ZBOOK SET ZCOVER = \(value) WHERE Z_PK < 3")
            let findings = try verify(try StoreFile(path: path), against: .library)
            #expect(findings.map(\.rule) == ["shared-external-file"])
            #expect(findings.first?.severity == .warning)
            #expect(findings.first?.rows?.keys == [2])
        }
    }

    @Test func `a store of another version is named so`() throws {
        try withTemporaryFolder { folder in
            try makeLibrary(at: folder + "/a.sqlite")
            var other = ManagedObjectModel.library
            other.entities[3].attributes.append(Attribute("color", .string))
            let findings = try verify(try StoreFile(path: folder + "/a.sqlite"), against: other)
            #expect(findings.map(\.rule) == [.otherModel, .missingColumn])
        }
    }

    static let damaged: [(store: String, rules: [RuleID], reason: String)] = [
        (
            "v2CorruptDatabase/ATDataModel.sqlite", [.missingColumn, .danglingReference],
            "kept by its owners because it is damaged"
        ),
        (
            "ArtsyPartner_1.3.sqlite",
            [.foreignEntityNumber, "key-above-maximum", "key-above-maximum"],
            "made by hand: its only row has the number of another version's entity, and leads to no object"
        ),
        (
            "ArtsyPartner_2.0.sqlite", [.foreignEntityNumber, "key-above-maximum"],
            "made by hand: its only row has the number of another version's entity"
        ),
        (
            "ArtsyPartner_1.4.sqlite", ["key-above-maximum", "key-above-maximum"],
            "the greatest key is -1 for two entities whose rows came in by a migration"
        ),
    ]

    @Test(.enabled(if: Corpus.isPresent, "the corpus is not there"))
    func `real stores have no findings but traces of migration`() throws {
        let traces: Set<RuleID> = [
            "surplus-index", .missingIndex, "surplus-column", "stale-entity-name",
        ]
        for path in CorpusStores.paths {
            let file = try StoreFile(path: Corpus.path(path))
            guard let model = try CorpusStores.model(of: file) else { continue }
            let findings = try verify(file, against: model).filter { !traces.contains($0.rule) }
            let known = Self.damaged.first { path.hasSuffix($0.store) }
            #expect(findings.map(\.rule) == known?.rules ?? [], "\(path): \(findings)")
        }
    }

    /// Ada wrote books 1 and 2 (a novel), Bob book 3; tag 1 is on books 1 and 2, and Bob likes book 1.
    private func makeLibrary(at path: String) throws {
        try createStore(at: path, model: .library) { connection, _ throws(StoreError) in
            for sql in [
                "INSERT INTO ZAUTHOR (Z_PK, Z_ENT, Z_OPT, ZNAME, ZFAVORITE, Z2_FAVORITE) VALUES "
                    + "(1, 1, 1, 'Ada', NULL, NULL), (2, 1, 1, 'Bob', 1, 2)",
                "INSERT INTO ZBOOK (Z_PK, Z_ENT, Z_OPT, ZTITLE, ZAUTHOR, Z_FOK_AUTHOR, ZCOVER) "
                    + "VALUES (1, 2, 1, 'A', 1, 2048, x'01FF'), (2, 3, 1, 'B', 1, 3072, NULL), "
                    + "(3, 2, 1, 'C', 2, 2048, NULL)",
                "INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT, ZLABEL) VALUES (1, 4, 1, 'x')",
                "INSERT INTO Z_2TAGS (Z_2BOOKS, Z_4TAGS, Z_FOK_2BOOKS) VALUES (1, 1, 2048), "
                    + "(2, 1, 3072)",
                "UPDATE Z_PRIMARYKEY SET Z_MAX = 3 WHERE Z_SUPER = 0",
            ] { try connection.execute(sql) }
        }
    }

    private func change(_ path: String, _ sql: String) throws {
        let connection = try SQLiteConnection(path: path, mode: .readWrite)
        try connection.registerTriggerFunctions()
        for index in ["Z_Author_UNIQUE_name"] where sql.contains("ZNAME = 'Ada'") {
            try connection.execute("DROP INDEX \(index)")
        }
        try connection.execute(sql)
    }
}
