import Diagnostics
import Foundation
import ModelLoading
import ObjectModel
import SQLiteAccess
import TestSupport
import Testing

@testable import StoreFormat

/// Stores that are laid out like another.
struct ExampleLayoutTests {
    private static let person = ManagedObjectModel(entities: [
        Entity(
            name: "Person",
            attributes: [
                Attribute(name: "age", type: .integer16, isOptional: true),
                Attribute(name: "name", type: .string, isOptional: true),
            ]
        )
    ])

    /// Makes a store, changes it, makes one like it, and gives the schemas of both.
    private func schemas(
        _ changes: [String],
        _ model: ManagedObjectModel = person
    ) throws -> (old: [SchemaObject], new: [SchemaObject]) {
        try withFolder { folder in
            let (old, new) = (
                folder.appending(path: "Old.sqlite").path, folder.appending(path: "New.sqlite").path
            )
            try createStore(at: old, model: model)
            let connection = try SQLiteConnection(path: old, mode: .readWrite)
            for sql in changes { try connection.execute(sql) }
            let store = try StoreFile(path: old)
            var options = StoreCreationOptions()
            options.example = try StoreExample(of: store, model: model)
            try createStore(at: new, model: model, options: options)
            return (try store.schema(), try StoreFile(path: new).schema())
        }
    }

    @Test func `indexes, columns and triggers that no rule predicts are taken over`() throws {
        let (old, new) = try schemas([
            "CREATE INDEX ZPERSON_ZNAME_INDEX ON ZPERSON (ZNAME)",
            "CREATE INDEX Z_Person_part ON ZPERSON (ZAGE COLLATE BINARY ASC) WHERE  ZAGE > 3",
            "ALTER TABLE ZPERSON ADD COLUMN ZOLD VARCHAR",
            "CREATE TRIGGER ZT_COUNT AFTER INSERT ON ZPERSON FOR EACH ROW BEGIN "
                + "UPDATE ZPERSON SET ZAGE = 1 WHERE Z_PK = NEW.Z_PK; END",
        ])
        #expect(Set(new) == Set(old))
        #expect(new.contains { $0.name == "ZT_COUNT" })
        #expect(new.contains { $0.name == "ZPERSON" && $0.sql.hasSuffix(", ZOLD VARCHAR)") })
    }

    @Test func `what is the app's own and what is no part of a layout stays behind`() throws {
        let (_, new) = try schemas([
            "CREATE TABLE OWN (A INTEGER)", "CREATE VIEW V AS SELECT * FROM ZPERSON",
            "CREATE TRIGGER own AFTER INSERT ON ZPERSON BEGIN DELETE FROM ZPERSON; END",
            "CREATE TABLE ANSCKEVENT (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER)",
        ])
        #expect(Set(["OWN", "V", "own", "ANSCKEVENT"]).isDisjoint(with: new.map(\.name)))
    }

    @Test func `a table that lacks a column of the model is made by the layout`() throws {
        let text = "CREATE TABLE ZPERSON ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER )"
        let (old, new) = try schemas([
            "PRAGMA writable_schema = ON",
            "UPDATE sqlite_master SET sql = '\(text)' WHERE name = 'ZPERSON'",
            "PRAGMA writable_schema = OFF",
        ])
        #expect(old.first { $0.name == "ZPERSON" }?.sql == text)
        let table = try #require(new.first { $0.name == "ZPERSON" })
        let predicted = try #require(StoreLayout(model: Self.person).tables.first)
        #expect(table.sql == predicted.createSQL)
    }
}

/// The stores of the corpus, made anew.
@Suite(.enabled(if: Corpus.isPresent, "the corpus is not there"))
struct ExampleCorpusTests {
    /// The objects of a store that another one has too, and those that it has not.
    private struct Counts {
        var (exact, differing, missing, surplus) = (0, 0, 0, 0)

        init() {}

        init(_ wanted: [String: String], _ made: [String: String]) {
            for (name, sql) in wanted {
                guard let own = made[name] else {
                    missing += 1
                    continue
                }
                if own == sql { exact += 1 } else { differing += 1 }
            }
            surplus = made.keys.count { wanted[$0] == nil }
        }

        static func += (left: inout Counts, right: Counts) {
            left.exact += right.exact
            left.differing += right.differing
            left.missing += right.missing
            left.surplus += right.surplus
        }

        var text: String {
            "\(exact) exact, \(differing) differing, \(missing) missing, \(surplus) surplus"
        }
    }

    /// What a store has by name: objects by their statements, entities by their numbers.
    private static func contents(_ store: StoreFile) throws -> [String: String] {
        var contents: [String: String] = [:]
        for object in try store.schema() {
            contents["\(object.kind.rawValue) \(object.name)"] = object.sql
        }
        for row in try store.primaryKeys() {
            contents["row \(row.number)"] = "\(row.name) \(row.superNumber)"
        }
        return contents
    }

    @Test func `a store like one of the corpus has the same objects`() throws {
        var (before, after) = (Counts(), Counts())
        var lines: [String] = []
        for path in CorpusStores.paths {
            let store = try StoreFile(path: Corpus.path(path))
            guard let model = try CorpusStores.model(of: store) else { continue }
            let wanted = try Self.contents(store).filter { !$0.key.contains("ANSCK") }
            let example = try StoreExample(of: store, model: model)
            let (predicted, made) = try withFolder { folder in
                var options = StoreCreationOptions(keepsHistory: example.keepsHistory)
                let plain = folder.appending(path: "Plain.sqlite").path
                try createStore(at: plain, model: model, options: options)
                options.example = example
                let like = folder.appending(path: "Like.sqlite").path
                try createStore(at: like, model: model, options: options)
                return (
                    try Self.contents(StoreFile(path: plain)),
                    try Self.contents(StoreFile(path: like))
                )
            }
            let counts = (Counts(wanted, predicted), Counts(wanted, made))
            before += counts.0
            after += counts.1
            lines.append("\(path): before \(counts.0.text); like it \(counts.1.text)")
            for (name, sql) in wanted.sorted(by: { $0.key < $1.key }) where made[name] != sql {
                lines.append("  \(made[name] == nil ? "missing" : "differing") \(name): \(sql)")
            }
        }
        print(lines.joined(separator: "\n"))
        print("all: before \(before.text); like them \(after.text)")
        #expect(after.exact > before.exact)
        #expect(after.surplus == 0)
        #expect(after.missing + after.differing <= 10)
    }
}
