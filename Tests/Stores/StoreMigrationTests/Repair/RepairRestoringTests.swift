import Diagnostics
import Foundation
import ObjectModel
import SQLiteAccess
import StoreFormat
import StoreMigration
import TestSupport
import Testing

struct RepairRestoringTests {
    private static let model = modelOf(
        "Folder: keeper>Keeper.folder; Keeper: folder>Folder.keeper; Part: size:integer16",
        "Wheel/Part"
    )

    private static let rows = [
        "INSERT INTO ZFOLDER (Z_PK, Z_ENT, Z_OPT, ZKEEPER) VALUES (1, 1, 1, 1), (2, 1, 1, 2)",
        "INSERT INTO ZKEEPER (Z_PK, Z_ENT, Z_OPT, ZFOLDER) VALUES (1, 2, 1, 1), (2, 2, 1, 2)",
        "INSERT INTO ZPART (Z_PK, Z_ENT, Z_OPT, ZSIZE) VALUES (1, 3, 1, 5), (2, 4, 1, 6)",
        "INSERT INTO ATRANSACTION (Z_PK, Z_ENT, ZTIMESTAMP) VALUES (1, 16002, 700000000)",
        "INSERT INTO ACHANGE (Z_PK, Z_ENT, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID) VALUES (1, 16001, 0, 1, 1, 1)",
        "UPDATE Z_PRIMARYKEY SET Z_MAX = 2 WHERE Z_ENT < 4",
        "UPDATE Z_PRIMARYKEY SET Z_MAX = 1 WHERE Z_ENT IN (16001, 16002)",
    ]

    private func with(
        version: Int? = nil,
        _ damage: [String],
        _ body: (TestStore) throws -> Void
    ) throws {
        try withFolder { folder in
            let store = TestStore(folder: folder, model: Self.model)
            var options = StoreCreationOptions(keepsHistory: true)
            if let version { options.layout.frameworkVersion = version }
            try createStore(at: store.path, model: Self.model, options: options)
            try store.execute(Self.rows + damage)
            try body(store)
        }
    }

    private func faults(_ store: TestStore) throws -> [String] {
        try store.faults().map(\.rule.rawValue)
    }

    /// Makes the join table of authors and books anew, without its key.
    private static let unkeyed = [
        "CREATE TABLE old AS SELECT * FROM Z_1BOOKS", "DROP TABLE Z_1BOOKS",
        "CREATE TABLE Z_1BOOKS (Z_1AUTHORS INTEGER, Z_2BOOKS INTEGER)",
        "INSERT INTO Z_1BOOKS SELECT * FROM old",
    ]

    @Test func `links that are there twice go, and all others stay`() throws {
        try withLibraryStore { store in
            let before = try store.contents()
            let twice = ["INSERT INTO Z_1BOOKS SELECT * FROM old LIMIT 3", "DROP TABLE old"]
            try store.execute(Self.unkeyed + twice)
            #expect(try Set(faults(store)) == ["duplicate-link", "missing-primary-key"])
            #expect(try store.cure().steps.allSatisfy { $0.lost == nil })
            #expect(try store.contents() == before)
        }
    }

    @Test func `a join table gets its primary key back, with all that is on it`() throws {
        try withLibraryStore { store in
            let query = "SELECT sql FROM sqlite_master WHERE tbl_name = 'Z_1BOOKS' ORDER BY sql"
            let (before, schema) = (try store.contents(), try store.texts(query))
            let own = [
                "CREATE INDEX mine ON Z_1BOOKS (Z_2BOOKS)",
                "CREATE TRIGGER own AFTER DELETE ON Z_1BOOKS BEGIN SELECT 1; END",
            ]
            try store.execute(Self.unkeyed + ["DROP TABLE old"] + own)
            #expect(try faults(store) == ["missing-primary-key"])
            try store.cure()
            #expect(try store.contents() == before)
            let texts = try store.texts(query)
            #expect(texts.filter { !own.contains($0) } == schema)
            #expect(own.allSatisfy { texts.contains($0) })
        }
    }

    @Test func `a join table with columns of the app's own is not made anew`() throws {
        try withLibraryStore(
            "CREATE TABLE old AS SELECT *, 1 AS mine FROM Z_1BOOKS",
            "DROP TABLE Z_1BOOKS",
            "ALTER TABLE old RENAME TO Z_1BOOKS"
        ) { store in
            let asked = try store.asked()
            #expect(asked.count == 1 && asked[0].contains("additional columns: mine"), "\(asked)")
        }
    }

    @Test func `a lost join table is created where its loss is allowed`() throws {
        try withLibraryStore("DROP TABLE Z_1BOOKS") { store in
            let asked = try store.asked()
            #expect(asked.count == 1)
            #expect(asked[0].contains("'Author.books' between 6 of 'Author' and 11 of 'Book'"))
            #expect(asked[0].contains("empty with .createEmptyTables"))
            try store.cure(RepairOptions([.createEmptyTables]))
        }
        try withLibraryStore("DROP TABLE Z_1BOOKS", "DELETE FROM ZAUTHOR") { try $0.cure() }
    }

    @Test(arguments: [
        ("ACHANGE", "up to 1 row of persistent history"),
        ("ATRANSACTION", "up to 1 row of persistent history"), ("ATRANSACTIONSTRING", nil),
    ])
    func `lost tables of history are asked for`(_ table: String, _ lost: String?) throws {
        try with(["DROP TABLE \(table)"]) { store in
            #expect(try faults(store) == ["missing-table"])
            if let lost {
                let asked = try store.asked()
                let count = table == "ATRANSACTION" ? 2 : 1
                #expect(asked.count == count && asked[0].contains(lost), "\(asked)")
            }
            try store.cure(RepairOptions([.createEmptyTables], historyStart: 0))
        }
    }

    @Test(arguments: [
        (
            // The layout of a table of mirroring is not known.
            [
                "INSERT INTO Z_PRIMARYKEY VALUES (16004, 'NSCKRecordMetadata', 0, 5)",
                "CREATE TABLE ANSCKEVENT (Z_PK INTEGER PRIMARY KEY)",
            ], "up to 5 rows"
        ),
        (
            ["DROP INDEX ZPART_Z_ENT_INDEX", "ALTER TABLE ZPART DROP COLUMN Z_ENT"],
            "its 2 rows (Z_ENT)"
        ),
    ])
    func `what cannot be made up is asked for`(_ damage: [String], _ words: String) throws {
        try with(damage) { store in
            let asked = try store.asked()
            #expect(asked.count == 1 && asked[0].contains(words), "\(asked)")
        }
    }

    @Test func `a store without any table of history is sound`() throws {
        let tables = ["ACHANGE", "ATRANSACTION", "ATRANSACTIONSTRING"]
        try with(tables.map { "DROP TABLE \($0)" }) { store in
            let found = try store.findings()
            #expect(found.map(\.rule.rawValue) == Array(repeating: "missing-table", count: 3))
            #expect(found.allSatisfy { $0.severity == .note })
            #expect(try store.repair().isEmpty)
        }
    }

    @Test func `changes of an entity that the model does not have are a note`() throws {
        try with(["UPDATE ACHANGE SET ZENTITY = 77"]) { store in
            let found = try store.findings()
            #expect(found.map(\.severity) == [.note])
            #expect(found.first?.keys == [1])
        }
    }

    @Test(arguments: [
        ["UPDATE Z_PRIMARYKEY SET Z_ENT = 99 WHERE Z_NAME = 'Keeper'"],
        [
            "UPDATE Z_PRIMARYKEY SET Z_ENT = 99 WHERE Z_NAME = 'Keeper'",
            "UPDATE ZKEEPER SET Z_ENT = 99",
        ],
        ["INSERT INTO Z_PRIMARYKEY VALUES (99, 'Keeper', 0, 1)"],
        // It points at an object that another has.
        ["UPDATE ZKEEPER SET ZFOLDER = 2 WHERE Z_PK = 1"],
    ])
    func `the number of a name and a claimed link come back`(_ damage: [String]) throws {
        try with([]) { store in
            let before = try store.contents()
            try store.execute(damage)
            try store.cure()
            #expect(try store.contents() == before)
        }
    }

    @Test func `what points at an object that another has stays where no other claims it`() throws {
        let damage = [
            "UPDATE ZKEEPER SET ZFOLDER = 2 WHERE Z_PK = 1",
            "UPDATE ZFOLDER SET ZKEEPER = NULL WHERE Z_PK = 1",
        ]
        try with(damage) { store in
            let repair = try store.repair()
            #expect(repair.steps.isEmpty && !repair.remaining.isEmpty)
        }
    }

    @Test(arguments: [
        ("- 1", "- 2", false), ("AFTER DELETE", "BEFORE DELETE", false),
        ("; END", "; DELETE FROM ZBOOK; END", false), ("BEGIN", "BEGIN SELECT 1;", false),
        ("FOR EACH ROW", "for each  row", true), ("_PARAMETER_", "_OLD_", true),
    ])
    func `a trigger is Core Data's if it does the same, whatever its name`(
        _ text: String,
        _ other: String,
        _ isSame: Bool
    ) throws {
        var model = modelOf("Author: books>>Book.author", "Book: title author>Author.books")
        let derivation = Attribute.Derivation(expression: "books.@count")
        model.entities[0].attributes.append(Attribute("count", .integer64, derivation: derivation))
        let query = "SELECT sql FROM sqlite_master WHERE type = 'trigger'"
        try withStore(model) { store in
            let before = try store.texts(query)
            let sql = try #require(before.first { $0.contains("PARAMETER_DELETE") })
            let altered = sql.replacing(text, with: other)
            try store.execute("DROP TRIGGER Z_DA_ZBOOK_Author_count_PARAMETER_DELETE", altered)
            #expect(try faults(store) == (isSame ? [] : ["missing-trigger"]))
            try store.execute("DROP TRIGGER Z_DA_ZBOOK_Author_count_PARAMETER_INSERT")
            try store.cure()
            let after = before.map { isSame && $0 == sql ? altered : $0 }
            #expect(try store.texts(query).sorted() == after.sorted())
        }
    }

    @Test(arguments: [(637, true), (519, false)])
    func `a model cache comes back where the system has one`(
        _ version: Int,
        _ isRestored: Bool
    ) throws {
        try with(version: version, ["DROP TABLE Z_MODELCACHE"]) { store in
            #expect(try store.repair().steps.isEmpty != isRestored)
            guard isRestored else { return }
            try store.cure()
            #expect(try store.file().modelArchive()?.isEmpty == false)
        }
    }
}

struct OwnerlessRepairTests {
    /// Books own chapters, chapters own pages and a title page; readers use chapters and tags mark pages.
    private static let model: ManagedObjectModel = {
        var model = modelOf(
            "Book: chapters>>Chapter.book",
            "Chapter: book>Book.chapters pages>>Page.chapter titlePage>TitlePage.chapter readers>>Reader.current language>Language.chapters",
            "Folder: folders>>Folder.parent parent>Folder.folders",
            "Language: chapters>>Chapter.language",
            "Page: chapter>Chapter.pages tags>>Tag.pages bookmarks>>Reader.page",
            "Reader: current>Chapter.readers page>Page.bookmarks",
            "Tag: pages>>Page.tags",
            "TitlePage: chapter>Chapter.titlePage"
        )
        for (entity, link) in [(0, 0), (1, 1), (1, 2), (2, 0)] {
            model.entities[entity].relationships[link].deleteRule = .cascade
        }
        return model
    }()

    private static let layout = StoreLayout(model: model)

    /// One chapter with a book; one whose book is gone, one that never had one, one that a reader still uses; each has
    /// a page.
    private func withBooks<Result>(
        _ damage: String...,
        body: (TestStore) throws -> Result
    ) throws -> Result {
        let join = try #require(Self.layout.joinTables.first)
        let (page, tag) =
            join.first.entity == "Page" ? (join.first, join.second) : (join.second, join.first)
        var rows =
            ["Book", "Language", "Tag"].map { entity in
                "INSERT INTO Z\(entity.uppercased()) (Z_PK, Z_ENT, Z_OPT) VALUES (1, \(Self.layout.number(of: entity) ?? -1), 1)"
            }
        let chapters = "1, 1, NULL; 7, 1, NULL; NULL, 1, 1; NULL, NULL, NULL"
        rows += inserts("Chapter", "ZBOOK, ZLANGUAGE, ZTITLEPAGE", chapters)
        rows += inserts("TitlePage", "ZCHAPTER", "3") + inserts("Reader", "ZCURRENT, ZPAGE", "4, 3")
        rows += inserts("Folder", "ZPARENT", "NULL", "1")
        rows += inserts("Page", "ZCHAPTER", "1", "2", "3", "4")
        rows.append("INSERT INTO \(join.name) (\(page.name), \(tag.name)) VALUES (3, 1), (1, 1)")
        return try withStore(Self.model, rows) { store in
            try store.execute(damage + ["UPDATE Z_PRIMARYKEY SET Z_MAX = 7 WHERE Z_NAME = 'Book'"])
            return try body(store)
        }
    }

    private func keys(_ store: TestStore, _ table: String) throws -> [Int64] {
        try store.rows("SELECT Z_PK FROM \(table) ORDER BY 1").compactMap(\.first?.integer)
    }

    private static let owned = "UPDATE ZCHAPTER SET ZBOOK = 1"
    private static let chapters = RepairOptions([.dropOwnerless("Chapter")])

    @Test func `rows without an owner are a note, but not in trees`() throws {
        try withBooks { store in
            let findings = try verify(store.file(), against: Self.model, notesOwnerless: 2)
            let notes = findings.filter { $0.rule.rawValue == "ownerless-row" }
            #expect(notes.map(\.entity) == ["Chapter"], "\(findings)")
            #expect(notes.first?.keys == [2, 3])
            #expect(notes.first?.severity == .note)
            // An optional owner may be absent: fewer are normal data.
            let few = try verify(store.file(), against: Self.model, notesOwnerless: 3)
            #expect(few.filter { $0.rule.rawValue == "ownerless-row" }.isEmpty)
        }
    }

    @Test func `what nothing owns goes with all that it owned, and nothing else`() throws {
        try withBooks { store in
            try store.cure(Self.chapters)
            #expect(try keys(store, "ZCHAPTER") == [1, 4])
            #expect(try keys(store, "ZPAGE") == [1, 4])
            #expect(try keys(store, "ZTITLEPAGE") == [])
            #expect(try keys(store, "ZFOLDER") == [1, 2])
            #expect(try store.texts("SELECT ZPAGE, ZCURRENT FROM ZREADER") == ["-|4"])
            let join = try #require(Self.layout.joinTables.first)
            #expect(try store.value("SELECT count(*) FROM \(join.name)") == .integer(1))
            #expect(try store.repair(Self.chapters).isEmpty)
        }
    }

    @Test func `without the name of the entity nothing is deleted`() throws {
        try withBooks { store in
            let repair = try store.repair(RepairOptions([.clearLinks]))
            for step in repair.steps {
                #expect(!step.change.sql.hasPrefix("DELETE FROM \"ZCHAPTER\""), "\(step.purpose)")
            }
            #expect(repair.obstacles.isEmpty)
        }
    }

    @Test(arguments: ["Folder", "Book", "Language"])
    func `an entity whose objects have no owner is refused`(_ entity: String) throws {
        try withBooks(Self.owned) { store in
            let repair = try store.repair(RepairOptions([.dropOwnerless(entity)]))
            #expect(repair.obstacles.contains { $0.problem.contains("'\(entity)'") })
            #expect(repair.steps.isEmpty)
        }
    }

    @Test(arguments: ["NULL", "''"])
    func `a store without a UUID gets one`(_ none: String) throws {
        try withBooks(Self.owned, "UPDATE Z_METADATA SET Z_UUID = \(none)") { store in
            #expect(try store.findings().map(\.rule.rawValue).contains("missing-uuid"))
            let repair = try store.cure()
            #expect(repair.steps.contains { $0.lost?.contains("UUID") == true })
            #expect(try UUID(uuidString: store.file().metadata().uuid) != nil)
        }
    }

    /// Puts a file beside the values of a store; returns the folder of these.
    private func addFile(_ name: String, to store: TestStore) throws -> URL {
        let files = externalDataFolder(of: store.path)
        try makeFolder(files)
        try Data(count: 500).write(to: files.appending(path: name))
        return files
    }

    @Test func `free pages and files that nothing points at are found and taken back`() throws {
        try withBooks(
            Self.owned,
            "CREATE TABLE filler (b BLOB)",
            "INSERT INTO filler VALUES (zeroblob(400000))",
            "DROP TABLE filler"
        ) { store in
            let name = UUID().uuidString
            let files = try addFile(name, to: store)
            try Data(count: 5).write(to: files.appending(path: "mine.txt"))
            let found = try StoreUpkeep(of: store.file(), against: Self.model)
            #expect(found.surplusFiles == [name] && found.surplusBytes == 500)
            #expect(found.freeBytes > 300_000)
            let rows = try keys(store, "ZPAGE")
            try store.tidy(compacting: true)
            let left = try StoreUpkeep(of: store.file(), against: Self.model)
            #expect(left.surplusFiles.isEmpty && left.freeBytes == 0)
            #expect(try FileManager.default.contentsOfDirectory(atPath: files.path) == ["mine.txt"])
            #expect(try keys(store, "ZPAGE") == rows)
        }
    }

    @Test func `a file that a value names in another case is in use`() throws {
        try withBooks("CREATE TABLE values_elsewhere (b BLOB)") { store in
            let name = UUID().uuidString
            let files = try addFile(name, to: store)
            let value = SQLiteValue.blob(Data([2] + name.lowercased().utf8 + [0]))
            try store.execute(["INSERT INTO values_elsewhere VALUES (?)"], [value])
            #expect(try store.tidy().surplusFiles.isEmpty)
            #expect(try FileManager.default.contentsOfDirectory(atPath: files.path) == [name])
        }
    }

    @Test func `files stay that may belong to another store of the same name`() throws {
        try withBooks { store in
            let other = store.place("Store.db")
            try FileManager.default.copyItem(atPath: store.path, toPath: other)
            let files = try addFile(UUID().uuidString, to: store)
            let found = try store.tidy()
            #expect(found.sharingStores == ["Store.db"] && found.surplusFiles.isEmpty)
            #expect(try FileManager.default.contentsOfDirectory(atPath: files.path).count == 1)
        }
    }
}
