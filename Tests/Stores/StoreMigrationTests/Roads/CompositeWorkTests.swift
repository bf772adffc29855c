import Diagnostics
import Foundation
import ObjectModel
import SQLiteAccess
import StoreFormat
import StoreMigration
import TestSupport
import Testing

struct CompositeWorkTests {
    private static func model(_ further: Attribute...) -> ManagedObjectModel {
        let media = Attribute("media", .composite, compositeName: "Media")
        let size = Attribute("size", .composite, compositeName: "Size")
        return ManagedObjectModel(
            [Entity("Book", [attributeOf("title"), media] + further)],
            composites: [
                CompositeType("Media", ["pages:integer16", "status"].map(attributeOf) + [size]),
                CompositeType("Size", [attributeOf("unit")]),
            ]
        )
    }

    private static let rows = inserts(
        "Book",
        "ZTITLE, ZPAGES, ZSTATUS, ZUNIT",
        "'Ulysses', 7, 'READY', 'mm'",
        "'Emma', NULL, NULL, NULL"
    )

    private func books(after work: StageWork) throws -> [[SQLiteValue]] {
        try withStore(Self.model(), Self.rows) { store in
            var options = MigrationOptions.agreed
            options.allowsPrograms = true
            let work = CustomStageWork(didMigrate: work)
            try store.migration(to: Self.model(attributeOf("note")), by: work)
                .runInPlace(path: store.path, options: options)
            return try store.rows("SELECT ZTITLE, ZPAGES, ZSTATUS, ZUNIT FROM ZBOOK ORDER BY Z_PK")
        }
    }

    private func program(_ script: String) -> StageWork {
        .program(
            StageProgram(
                arguments: ["sh", "-c", script],
                entities: ["Book"],
                location: FileLocation(path: "Stages.yml", line: 4, column: 5)
            )
        )
    }

    /// Writes these lines when all objects were read.
    private func answer(_ lines: String...) -> StageWork {
        program("cat > /dev/null; printf '%s\\n' \(lines.map { "'\($0)'" }.joined(separator: " "))")
    }

    private let ulysses: [SQLiteValue] = [
        .text("Ulysses"), .integer(7), .text("READY"), .text("mm"),
    ]
    private let emma: [SQLiteValue] = [.text("Emma"), .null, .null, .null]

    @Test func `a program reads composites as objects, and may hand lines back as they are`() throws
    {
        try withFolder { folder in
            let file = folder.appending(path: "lines")
            #expect(try books(after: program("tee '\(file.path)'")) == [ulysses, emma])
            let lines = try fileText(file).split(separator: "\n")
            #expect(
                lines == [
                    #"{"@id":"Book/p1","media":{"pages":7,"size":{"unit":"mm"},"status":"READY"},"note":null,"title":"Ulysses"}"#,
                    #"{"@id":"Book/p2","media":{"pages":null,"size":{"unit":null},"status":null},"note":null,"title":"Emma"}"#,
                ]
            )
        }
    }

    @Test
    func
        `an object that a program writes is all of a composite, the name of an element that alone`()
        throws
    {
        let work = answer(
            #"{"@id": "Book/p1", "media": {"status": "GONE"}}"#,
            #"{"@id": "Book/p2", "media": {"pages": 3, "size": {"unit": "in"}}}"#,
            #"{"@id": "Book/p2", "media.status": "READY"}"#,
            #"{"@insert": "Book/new", "title": "Solaris", "media": {"pages": 9}}"#
        )
        #expect(
            try books(after: work) == [
                [.text("Ulysses"), .null, .text("GONE"), .null],
                [.text("Emma"), .integer(3), .text("READY"), .text("in")],
                [.text("Solaris"), .integer(9), .null, .null],
            ]
        )
        let emptied = answer(#"{"@id": "Book/p1", "media": null}"#)
        #expect(try books(after: emptied) == [[.text("Ulysses"), .null, .null, .null], emma])
    }

    @Test(arguments: [
        (#"{"state": "x"}"#, "'state' is no element of 'Book.media'"),
        (#""x""#, "Book.media takes an object with its elements"),
        (#"{"pages": 99999}"#, "Book.media.pages: '99999' is no Integer 16"),
        (#"{"size": {"height": 1}}"#, "'height' is no element of 'Book.media.size'"),
    ])
    func `a mistake in a composite is told`(_ media: String, _ said: String) throws {
        let work = answer(#"{"@id": "Book/p1", "media": \#(media)}"#)
        let error = #expect(throws: StoreMigrationError.self) { try books(after: work) }
        #expect(error?.description.contains(said) == true, "\(error?.description ?? "")")
    }

    private static let help =
        "'Book.media' is a composite, whose elements are the columns "
        + #""media.pages", "media.status", "media.size.unit""#

    @Test(arguments: [
        ("SELECT media FROM Book", 8), ("UPDATE Book SET title = media.status", 31),
        ("UPDATE Book SET media = NULL", 17), ("INSERT INTO Book (media) VALUES (1)", 1),
        ("SELECT b.media FROM Book AS b", 10),
    ])
    func `a script that names a composite is told its columns`(_ sql: String, _ column: Int) throws
    {
        let error = #expect(throws: StoreMigrationError.self) {
            try books(after: .script(sql, path: "did.sql"))
        }
        guard case .script(_, 1, let place, let reason) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(reason.hasSuffix(Self.help), "\(reason)")
        #expect(place == column, "\(reason)")
    }

    @Test func `scripts and Swift code name elements by their path`() throws {
        let changed: [[SQLiteValue]] = [
            [.text("READY"), .integer(7), .text("READY"), .text("in")], emma,
        ]
        let script =
            #"UPDATE Book SET "media.size.unit" = 'in', title = "media.status" WHERE "media.pages" = 7"#
        #expect(try books(after: .script(script, path: "did.sql")) == changed)
        let handler = StageWork.handler { store in
            try store.fetch("Book", where: "\"media.pages\" = 7") { book in
                let title = try book.value("media.status")
                let values = ["title": title, "media.size.unit": .text("in")]
                try store.update("Book", book.id, values)
            }
        }
        #expect(try books(after: handler) == changed)
        let missing = StageWork.handler { try $0.update("Book", 1, ["media": .null]) }
        let error = #expect(throws: StoreMigrationError.self) { try books(after: missing) }
        #expect(error?.description.contains(Self.help) == true, "\(error?.description ?? "")")
    }
}
