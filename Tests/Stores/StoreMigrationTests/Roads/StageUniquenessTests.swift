import Diagnostics
import Foundation
import MigrationPlanning
import ObjectModel
import SettingsFiles
import SQLiteAccess
import StoreFormat
import StoreMigration
import Testing
import TestSupport

struct StageUniquenessTests {
    private static func model(_ further: String...) -> ManagedObjectModel {
        var book = Entity(
            name: "Book",
            attributes: (["isbn", "title"] + further).map(StageModels.text)
        )
        book.uniquenessConstraints = [UniquenessConstraint(properties: ["isbn"])]
        return ManagedObjectModel(entities: [book])
    }

    private static let works: [(work: CustomStageWork, words: [String])] = [
        (
            CustomStageWork(didMigrate: .script("UPDATE Book SET isbn = 'a';", path: "did.sql")),
            ["'Book.isbn' must be unique, and another object has the same"]
        ),
        (
            CustomStageWork(
                didMigrate: .handler { try $0.update("Book", 2, ["isbn": .text("one")]) }
            ),
            ["'Book.isbn' must be unique, and another object has the same: object 1"]
        ),
        (
            CustomStageWork(
                didMigrate: .handler { try $0.insert("Book", ["isbn": .text("two")]) }
            ),
            ["'Book.isbn' must be unique, and another object has the same: object 2"]
        ),
        (
            CustomStageWork(
                map: readStageMap(
                    "{entities: [{from: Book, to: Book, set: {isbn: $source.title}}], copyRest: true}",
                    path: "map.yml"
                ).value
            ),
            ["isbn"]
        ),
    ]

    @Test(arguments: works.indices)
    func `a value that must be unique is told by its property`(index: Int) throws {
        let (old, new) = (Self.model(), Self.model("note"))
        try withFolder { folder in
            let path = folder.appending(path: "Store.sqlite").path
            try createStore(at: path, model: old) { connection, layout throws(StoreError) in
                for (key, isbn) in ["one", "two"].enumerated() {
                    try connection.execute(
                        "INSERT INTO ZBOOK (Z_PK, Z_ENT, Z_OPT, ZISBN, ZTITLE) "
                            + "VALUES (\(key + 1), 1, 1, '\(isbn)', 'Same')"
                    )
                }
                try connection.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = 2 WHERE Z_ENT = 1")
            }
            do {
                try StageModels.migrate(path, from: old, to: new, by: Self.works[index].work)
                Issue.record("it went well")
            } catch {
                let text = "\(error)"
                for words in Self.works[index].words { #expect(text.contains(words), "\(text)") }
                #expect(!text.contains("UNIQUE constraint") && !text.contains("ZBOOK"), "\(text)")
            }
        }
    }
}
