import Diagnostics
import Foundation
import ObjectModel
import SQLiteAccess
import StoreFormat
import StoreMigration
import TestSupport
import Testing

struct OwnerlessRepairTests {
    /// Books own chapters, chapters own pages and a title page; readers use chapters and tags mark pages.
    private static let model: ManagedObjectModel = {
        var model = modelOf(
            "Book: chapters>>Chapter.book",
            "Chapter: book>Book.chapters pages>>Page.chapter titlePage>TitlePage.chapter "
                + "readers>>Reader.current language>Language.chapters",
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
        let chapters = ["1, 1, NULL", "7, 1, NULL", "NULL, 1, 1", "NULL, NULL, NULL"]
        var rows =
            ["Book", "Language", "Tag"].map { entity in
                "INSERT INTO Z\(entity.uppercased()) (Z_PK, Z_ENT, Z_OPT) "
                    + "VALUES (1, \(Self.layout.number(of: entity) ?? -1), 1)"
            }
            + inserts(
                "Chapter",
                "ZBOOK, ZLANGUAGE, ZTITLEPAGE",
                chapters[0],
                chapters[1],
                chapters[2],
                chapters[3]
            )
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
    private static let chapters = RepairOptions(ownerlessEntities: ["Chapter"])

    @Test func `verification counts rows without an owner as a note, and leaves trees alone`()
        throws
    {
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
            let repair = try store.repair(RepairOptions(clearsLinks: true))
            for step in repair.steps {
                #expect(!step.change.sql.hasPrefix("DELETE FROM \"ZCHAPTER\""), "\(step.purpose)")
            }
            #expect(repair.obstacles.isEmpty)
        }
    }

    @Test(arguments: ["Folder", "Book", "Language"])
    func `an entity whose objects have no owner is refused`(_ entity: String) throws {
        try withBooks(Self.owned) { store in
            let repair = try store.repair(RepairOptions(ownerlessEntities: [entity]))
            #expect(repair.obstacles.map(\.problem).contains { $0.contains("have no owner") })
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

    private func tidied(_ store: TestStore, compacting: Bool = false) throws -> StoreUpkeep {
        let (path, model) = (store.path, Self.model)
        return try .run(at: path, against: model, removingFiles: true, compacting: compacting)
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
            _ = try tidied(store, compacting: true)
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
            #expect(try tidied(store).surplusFiles.isEmpty)
            #expect(try FileManager.default.contentsOfDirectory(atPath: files.path) == [name])
        }
    }

    @Test func `files stay that may belong to another store of the same name`() throws {
        try withBooks { store in
            let other = store.place("Store.db")
            try FileManager.default.copyItem(atPath: store.path, toPath: other)
            let files = try addFile(UUID().uuidString, to: store)
            let found = try tidied(store)
            #expect(found.sharingStores == ["Store.db"] && found.surplusFiles.isEmpty)
            #expect(try FileManager.default.contentsOfDirectory(atPath: files.path).count == 1)
        }
    }
}
