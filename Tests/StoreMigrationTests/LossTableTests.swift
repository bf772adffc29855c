import Diagnostics
import Foundation
import MappingInference
import MigrationPlanning
import ObjectModel
import SQLiteAccess
import StoreFormat
import StoreMigration
import TestSupport
import Testing

/// What is lost by each kind of change, counted by statements that know nothing of the engine.
@Suite(.timeLimit(.minutes(30)))
struct LossTableTests {
    /// A change that loses something, and how much by a count of its own.
    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var from: ManagedObjectModel
        var to: ManagedObjectModel
        var rows: [String]
        /// What is lost, by its name: a query over the old store.
        var lost: [String: String]

        init(
            _ title: String,
            rows: [String] = LossTableTests.library,
            _ lost: [String: String],
            from prepare: (inout ManagedObjectModel) -> Void = { _ in },
            _ edit: (inout ManagedObjectModel) -> Void
        ) {
            testDescription = title
            from = LossTableTests.model
            prepare(&from)
            to = from
            edit(&to)
            (self.rows, self.lost) = (rows, lost)
        }
    }

    static func text(_ name: String) -> Attribute { Attribute(name: name, type: .string) }

    static func link(
        _ name: String,
        _ destination: String,
        _ inverse: String,
        many: Bool = false
    ) -> Relationship {
        Relationship(
            name: name,
            isToMany: many,
            maxCount: many ? nil : 1,
            destinationEntity: destination,
            inverseName: inverse,
            inverseEntity: destination
        )
    }

    /// Books with authors (one to many), tags (many to many), a cover (one to one) and a kind of book.
    static let model = ManagedObjectModel(
        entities: [
            Entity(
                name: "Author",
                attributes: [text("name")],
                relationships: [link("books", "Book", "author", many: true)]
            ),
            Entity(
                name: "Book",
                attributes: [
                    text("title"), text("notes"), Attribute(name: "whole", type: .integer64),
                    Attribute(name: "real", type: .double),
                ],
                relationships: [
                    link("author", "Author", "books"), link("cover", "Cover", "book"),
                    link("tags", "Tag", "books", many: true),
                ]
            ),
            Entity(
                name: "Cover",
                attributes: [text("color")],
                relationships: [link("book", "Book", "cover")]
            ),
            Entity(name: "Novel", parentEntity: "Book", attributes: [text("genre")]),
            Entity(
                name: "Tag",
                attributes: [text("word")],
                relationships: [link("books", "Book", "tags", many: true)]
            ),
        ]
    )

    /// Authors 1…3, books 1…4 of which 3 and 4 are novels, covers 1…3, tags 1…3.
    static let library = [
        "INSERT INTO ZAUTHOR (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (1, 1, 1, 'a'), (2, 1, 1, NULL), (3, 1, 1, 'c')",
        """
        INSERT INTO ZBOOK (Z_PK, Z_ENT, Z_OPT, ZTITLE, ZNOTES, ZWHOLE, ZREAL, ZGENRE, ZAUTHOR, ZCOVER) VALUES \
        (1, 2, 1, 't', 'n', 9007199254740993, 0.5, NULL, 1, 1), (2, 2, 1, 't', NULL, 70000, 0.1, NULL, 1, 2), \
        (3, 3, 1, 'u', 'n', -5, 1e300, 'g', 2, NULL), (4, 3, 1, NULL, 'n', NULL, NULL, NULL, NULL, 3)
        """,
        "INSERT INTO ZCOVER (Z_PK, Z_ENT, Z_OPT, ZCOLOR, ZBOOK, Z2_BOOK) VALUES (1, 4, 1, 'r', 1, 2), (2, 4, 1, 'g', 2, 2), (3, 4, 1, NULL, 4, 3)",
        "INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT, ZWORD) VALUES (1, 5, 1, 'x'), (2, 5, 1, 'y'), (3, 5, 1, NULL)",
        "INSERT INTO Z_2TAGS (Z_2BOOKS, Z_5TAGS) VALUES (1, 1), (1, 2), (2, 1), (3, 3), (4, 1)",
        "UPDATE Z_PRIMARYKEY SET Z_MAX = 4 WHERE Z_SUPER = 0",
    ]

    static func edit(
        _ model: inout ManagedObjectModel,
        _ entity: String,
        _ body: (inout Entity) -> Void
    ) {
        guard let place = model.entities.firstIndex(where: { $0.name == entity }) else { return }
        body(&model.entities[place])
    }

    static func attribute(
        _ model: inout ManagedObjectModel,
        _ entity: String,
        _ name: String,
        _ body: (inout Attribute) -> Void
    ) {
        edit(&model, entity) { entity in
            for place in entity.attributes.indices where entity.attributes[place].name == name {
                body(&entity.attributes[place])
            }
        }
    }

    static func relationship(
        _ model: inout ManagedObjectModel,
        _ entity: String,
        _ name: String,
        _ body: (inout Relationship) -> Void
    ) {
        edit(&model, entity) { entity in
            for place in entity.relationships.indices where entity.relationships[place].name == name
            {
                body(&entity.relationships[place])
            }
        }
    }

    static func remove(_ names: [String], _ model: inout ManagedObjectModel) {
        for entity in model.entities.indices {
            model.entities[entity].attributes.removeAll { names.contains($0.name) }
            model.entities[entity].relationships.removeAll { names.contains($0.name) }
        }
    }

    static func drop(_ entity: String, _ model: inout ManagedObjectModel) {
        model.entities.removeAll { $0.name == entity }
        for place in model.entities.indices {
            model.entities[place].relationships.removeAll { $0.destinationEntity == entity }
        }
    }

    static func type(_ new: AttributeType, of name: String) -> (inout ManagedObjectModel) ->
        Void
    {
        { model in attribute(&model, "Book", name) { $0.type = new } }
    }

    static let tagged = "SELECT count(*) FROM Z_2TAGS"

    static let cases: [Case] = valueCases + rowCases + linkCases + hierarchyCases

    @Test func `there are forty kinds of change`() { #expect(Self.cases.count >= 40) }

    @Test(arguments: cases)
    func `what is lost is counted, named and agreed to`(_ example: Case) throws {
        try withFolder { folder in
            let path = folder.appending(path: "Old.sqlite").path
            try createStore(at: path, model: example.from) { connection, _ throws(StoreError) in
                for statement in example.rows { try connection.execute(statement) }
            }
            let before = try Data(contentsOf: URL(fileURLWithPath: path))
            let store = try StoreFile(path: path)
            let migration = try StoreMigration(
                of: store,
                from: ModelVersion(model: example.from),
                to: ModelVersion(model: example.to)
            )
            let findings = try migration.findings(in: store)
            var told: [String: Int] = [:]
            for finding in findings {
                #expect(finding.isLoss && !finding.examples.isEmpty, "\(finding)")
                let name = finding.names.first { example.lost[$0] != nil } ?? finding.name
                told[name, default: 0] += finding.count
            }
            var counted: [String: Int] = [:]
            for (name, query) in example.lost {
                counted[name] = Int(try store.connection.value(query)?.integer ?? -1)
            }
            #expect(told == counted)
            try run(migration, store, folder, example, findings)
            #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
        }
    }

    private func run(
        _ migration: StoreMigration,
        _ store: StoreFile,
        _ folder: URL,
        _ example: Case,
        _ findings: [RowFinding]
    ) throws {
        let new = folder.appending(path: "New.sqlite").path
        let names = findings.map(\.name)
        for missing in names.indices {
            // What is agreed to of an entity holds for its sub-entities too, and a link has two names.
            let agreed = names.enumerated().filter { place, name in
                place != missing && !LossAgreement.named([name]).covers(findings[missing].names)
            }
            .map(\.element)
            let options = MigrationRunOptions(acceptsLosses: .named(Set(agreed)))
            #expect(throws: StoreMigrationError.self) {
                try migration.run(from: store, toNewFile: new, options: options)
            }
        }
        let options = MigrationRunOptions(acceptsLosses: .named(Set(names)))
        #expect(try migration.run(from: store, toNewFile: new, options: options) == findings)
        let result = try StoreFile(path: new)
        let errors = try verify(result, against: example.to).filter {
            $0.severity == .error && $0.rule.rawValue != "destination-count"
        }
        #expect(errors.map(\.description) == [])
    }
}
