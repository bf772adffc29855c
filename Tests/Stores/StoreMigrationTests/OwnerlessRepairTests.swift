import Diagnostics
import Foundation
import ObjectModel
import SQLiteAccess
import StoreFormat
import StoreMigration
import TestSupport
import Testing

struct OwnerlessRepairTests {
    private static func to(
        _ destination: String,
        _ name: String,
        _ inverse: String?,
        isToMany: Bool = false,
        isOptional: Bool = true,
        _ rule: Relationship.DeleteRule = .nullify
    ) -> Relationship {
        Relationship(
            name: name,
            isOptional: isOptional,
            isToMany: isToMany,
            maxCount: isToMany ? nil : 1,
            deleteRule: rule,
            destinationEntity: destination,
            inverseName: inverse,
            inverseEntity: inverse == nil ? nil : destination
        )
    }

    /// Books own chapters, chapters own pages and a title page; readers use chapters and tags mark pages.
    private static let model = ManagedObjectModel([
        Entity(
            "Book",
            relationships: [to("Chapter", "chapters", "book", isToMany: true, .cascade)]
        ),
        Entity(
            "Chapter",
            relationships: [
                to("Book", "book", "chapters"),
                to("Page", "pages", "chapter", isToMany: true, .cascade),
                to("TitlePage", "titlePage", "chapter", .cascade),
                to("Reader", "readers", "current", isToMany: true),
                to("Language", "language", "chapters"),
            ]
        ),
        Entity(
            "Folder",
            relationships: [
                to("Folder", "folders", "parent", isToMany: true, .cascade),
                to("Folder", "parent", "folders"),
            ]
        ),
        Entity("Language", relationships: [to("Chapter", "chapters", "language", isToMany: true)]),
        Entity(
            "Page",
            relationships: [
                to("Chapter", "chapter", "pages"), to("Tag", "tags", "pages", isToMany: true),
                to("Reader", "bookmarks", "page", isToMany: true),
            ]
        ),
        Entity(
            "Reader",
            relationships: [to("Chapter", "current", "readers"), to("Page", "page", "bookmarks")]
        ),
        Entity("Tag", relationships: [to("Page", "pages", "tags", isToMany: true)]),
        Entity("TitlePage", relationships: [to("Chapter", "chapter", "titlePage")]),
    ])

    private static let layout = StoreLayout(model: model)

    private static func row(_ entity: String, _ key: Int, _ values: (String, String)...) -> String {
        let columns = ["Z_PK", "Z_ENT", "Z_OPT"] + values.map(\.0)
        let number = layout.number(of: entity) ?? -1
        let cells = ["\(key)", "\(number)", "1"] + values.map(\.1)
        return "INSERT INTO Z\(entity.uppercased()) (\(columns.joined(separator: ", "))) VALUES "
            + "(\(cells.joined(separator: ", ")))"
    }

    /// One chapter with a book; one whose book is gone, one that never had one, one that a reader still uses; each has
    /// a page.
    private func store(_ folder: URL, _ damage: String...) throws -> String {
        let path = folder.appending(path: "Store.sqlite").path
        try createStore(at: path, model: Self.model)
        let connection = try SQLiteConnection(path: path, mode: .readWrite)
        let join = try #require(Self.layout.joinTables.first)
        let (page, tag) =
            join.first.entity == "Page" ? (join.first, join.second) : (join.second, join.first)
        let statements =
            [
                Self.row("Book", 1), Self.row("Language", 1),
                Self.row("Chapter", 1, ("ZBOOK", "1"), ("ZLANGUAGE", "1")),
                Self.row("Chapter", 2, ("ZBOOK", "7"), ("ZLANGUAGE", "1")),
                Self.row("Chapter", 3, ("ZLANGUAGE", "1"), ("ZTITLEPAGE", "1")),
                Self.row("Chapter", 4), Self.row("TitlePage", 1, ("ZCHAPTER", "3")),
                Self.row("Reader", 1, ("ZCURRENT", "4"), ("ZPAGE", "3")), Self.row("Tag", 1),
                Self.row("Folder", 1), Self.row("Folder", 2, ("ZPARENT", "1")),
            ] + (1...4).map { Self.row("Page", $0, ("ZCHAPTER", "\($0)")) } + [
                "INSERT INTO \(join.name) (\(page.name), \(tag.name)) VALUES (3, 1), (1, 1)"
            ]
        for sql in statements + damage { try connection.execute(sql) }
        let maxima = ["Chapter": 4, "Page": 4, "Book": 7, "Folder": 2]
        for name in Self.model.entities.map(\.name) {
            try connection.execute(
                "UPDATE Z_PRIMARYKEY SET Z_MAX = \(maxima[name] ?? 1) WHERE Z_NAME = '\(name)'"
            )
        }
        return path
    }

    private func keys(_ path: String, _ table: String) throws -> [Int64] {
        try StoreFile(path: path).connection.rows("SELECT Z_PK FROM \(table) ORDER BY 1")
            .compactMap(\.first?.integer)
    }

    @Test func `verification counts rows without an owner as a note, and leaves trees alone`()
        throws
    {
        try withFolder { folder in
            let path = try store(folder)
            let findings = try verify(StoreFile(path: path), against: Self.model, notesOwnerless: 2)
            let notes = findings.filter { $0.rule.rawValue == "ownerless-row" }
            #expect(notes.map(\.entity) == ["Chapter"], "\(findings)")
            #expect(notes.first?.keys == [2, 3])
            #expect(notes.first?.severity == .note)
            // An optional owner may be absent: fewer are normal data.
            let few = try verify(StoreFile(path: path), against: Self.model, notesOwnerless: 3)
            #expect(few.filter { $0.rule.rawValue == "ownerless-row" }.isEmpty)
        }
    }

    @Test func `what nothing owns goes with all that it owned, and nothing else`() throws {
        try withFolder { folder in
            let path = try store(folder)
            let repair = try StoreRepair(
                of: path,
                against: Self.model,
                options: RepairOptions(ownerlessEntities: ["Chapter"])
            )
            #expect(repair.obstacles.isEmpty && repair.remaining.isEmpty, "\(repair.obstacles)")
            try repair.run(inPlace: path, backup: nil)
            #expect(try keys(path, "ZCHAPTER") == [1, 4])
            #expect(try keys(path, "ZPAGE") == [1, 4])
            #expect(try keys(path, "ZTITLEPAGE") == [])
            #expect(try keys(path, "ZFOLDER") == [1, 2])
            let connection = try StoreFile(path: path).connection
            #expect(try connection.value("SELECT ZPAGE FROM ZREADER") == .null)
            #expect(try connection.value("SELECT ZCURRENT FROM ZREADER") == .integer(4))
            let join = try #require(Self.layout.joinTables.first)
            #expect(try connection.value("SELECT count(*) FROM \(join.name)") == .integer(1))
            let left = try verify(StoreFile(path: path), against: Self.model)
            #expect(left.filter { $0.severity != .note }.isEmpty, "\(left)")
            let again = try StoreRepair(
                of: path,
                against: Self.model,
                options: RepairOptions(ownerlessEntities: ["Chapter"])
            )
            #expect(again.isEmpty)
        }
    }

    @Test func `without the name of the entity nothing is deleted`() throws {
        try withFolder { folder in
            let path = try store(folder)
            let repair = try StoreRepair(
                of: path,
                against: Self.model,
                options: RepairOptions(clearsLinks: true)
            )
            for step in repair.steps {
                #expect(!step.change.sql.hasPrefix("DELETE FROM \"ZCHAPTER\""), "\(step.purpose)")
            }
            #expect(repair.obstacles.isEmpty)
        }
    }

    @Test(arguments: ["Folder", "Book", "Language"])
    func `an entity whose objects have no owner is refused`(_ entity: String) throws {
        try withFolder { folder in
            let repair = try StoreRepair(
                of: StoreFile(path: store(folder, "UPDATE ZCHAPTER SET ZBOOK = 1")),
                against: Self.model,
                options: RepairOptions(ownerlessEntities: [entity])
            )
            #expect(repair.obstacles.map(\.problem).contains { $0.contains("have no owner") })
            #expect(repair.steps.isEmpty)
        }
    }

    @Test(arguments: ["NULL", "''"])
    func `a store without a UUID gets one`(_ none: String) throws {
        try withFolder { folder in
            let path = try store(
                folder,
                "UPDATE ZCHAPTER SET ZBOOK = 1",
                "UPDATE Z_METADATA SET Z_UUID = \(none)"
            )
            let findings = try verify(StoreFile(path: path), against: Self.model)
            #expect(findings.map(\.rule.rawValue).contains("missing-uuid"))
            let repair = try StoreRepair(of: path, against: Self.model)
            #expect(repair.obstacles.isEmpty && repair.remaining.isEmpty)
            #expect(repair.steps.contains { $0.lost?.contains("UUID") == true })
            try repair.run(inPlace: path, backup: nil)
            let uuid = try StoreFile(path: path).metadata().uuid
            #expect(UUID(uuidString: uuid) != nil)
            #expect(try StoreRepair(of: path, against: Self.model).isEmpty)
        }
    }

    @Test func `free pages and files that nothing points at are found and taken back`() throws {
        try withFolder { folder in
            let path = try store(
                folder,
                "UPDATE ZCHAPTER SET ZBOOK = 1",
                "CREATE TABLE filler (b BLOB)",
                "INSERT INTO filler VALUES (zeroblob(400000))",
                "DROP TABLE filler"
            )
            let files = externalDataFolder(of: path)
            try makeFolder(files)
            let name = UUID().uuidString
            try Data(count: 500).write(to: files.appending(path: name))
            try Data(count: 5).write(to: files.appending(path: "mine.txt"))
            let found = try StoreUpkeep(of: StoreFile(path: path), against: Self.model)
            #expect(found.surplusFiles == [name] && found.surplusBytes == 500)
            #expect(found.freeBytes > 300_000)
            let rows = try keys(path, "ZPAGE")
            try StoreUpkeep.run(
                at: path,
                against: Self.model,
                removingFiles: true,
                compacting: true
            )
            let left = try StoreUpkeep(of: StoreFile(path: path), against: Self.model)
            #expect(left.surplusFiles.isEmpty && left.freeBytes == 0)
            #expect(try FileManager.default.contentsOfDirectory(atPath: files.path) == ["mine.txt"])
            #expect(try keys(path, "ZPAGE") == rows)
        }
    }

    @Test func `a file that a value names in another case is in use`() throws {
        try withFolder { folder in
            let path = try store(folder)
            let files = externalDataFolder(of: path)
            try makeFolder(files)
            let name = UUID().uuidString
            try Data(count: 500).write(to: files.appending(path: name))
            do {
                let connection = try SQLiteConnection(path: path, mode: .readWrite)
                let value = SQLiteValue.blob(Data([2] + name.lowercased().utf8 + [0]))
                try connection.execute("CREATE TABLE values_elsewhere (b BLOB)")
                _ = try connection.rows("INSERT INTO values_elsewhere VALUES (?)", [value])
            }
            let found = try StoreUpkeep.run(
                at: path,
                against: Self.model,
                removingFiles: true,
                compacting: false
            )
            #expect(found.surplusFiles.isEmpty)
            #expect(try FileManager.default.contentsOfDirectory(atPath: files.path) == [name])
        }
    }

    @Test func `files stay that may belong to another store of the same name`() throws {
        try withFolder { folder in
            let path = try store(folder)
            try FileManager.default.copyItem(
                atPath: path,
                toPath: folder.appending(path: "Store.db").path
            )
            let files = externalDataFolder(of: path)
            try makeFolder(files)
            try Data(count: 500).write(to: files.appending(path: UUID().uuidString))
            let found = try StoreUpkeep.run(
                at: path,
                against: Self.model,
                removingFiles: true,
                compacting: false
            )
            #expect(found.sharingStores == ["Store.db"] && found.surplusFiles.isEmpty)
            #expect(try FileManager.default.contentsOfDirectory(atPath: files.path).count == 1)
        }
    }
}
