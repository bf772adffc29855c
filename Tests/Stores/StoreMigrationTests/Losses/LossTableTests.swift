import Diagnostics
import Foundation
import LossCases
import MappingInference
import MigrationPlanning
import ObjectModel
import SQLiteAccess
import StoreFormat
import StoreMigration
import TestSupport
import Testing

@testable import StoreMigration

struct LossTableTests {
    @Test func `there are forty kinds of change`() { #expect(LossCase.all.count >= 40) }

    @Test(arguments: LossCase.all.filter(\.against.isEmpty))
    func `what is lost is counted, named and agreed to`(_ example: LossCase) throws {
        try withFolder { folder in
            let path = folder.appending(path: "Old.sqlite").path
            try createStore(at: path, model: example.from) { connection, _ throws(StoreError) in
                for statement in example.rows { try connection.execute(statement) }
            }
            let before = try Data(contentsOf: URL(fileURLWithPath: path))
            let store = try StoreFile(path: path)
            let migration = try Migration(of: store, from: example.from, to: example.to)
            let findings = try migration.findings(in: store)
            var told: [String: Int] = [:]
            for finding in findings {
                #expect(
                    finding.isLoss && !finding.examples.isEmpty
                        || finding.risk.unit == .schemaObjects,
                    "\(finding)"
                )
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
        _ migration: Migration,
        _ store: StoreFile,
        _ folder: URL,
        _ example: LossCase,
        _ findings: [RowFinding]
    ) throws {
        let new = folder.appending(path: "New.sqlite").path
        let names = findings.map(\.name)
        for missing in names.indices {
            // An agreement for an entity holds for its sub-entities too, and a link has two names.
            let agreed = names.enumerated().filter { place, name in
                place != missing && !LossAgreement.named([name]).covers(findings[missing].names)
            }
            .map(\.element)
            let options = MigrationOptions(acceptsLosses: .named(Set(agreed)))
            #expect(throws: StoreMigrationError.self) {
                try migration.run(from: store, toNewFile: new, options: options)
            }
        }
        let options = MigrationOptions(acceptsLosses: .named(Set(names)))
        #expect(try migration.run(from: store, toNewFile: new, options: options) == findings)
        let result = try StoreFile(path: new)
        let errors = try verify(result, against: example.to).filter {
            $0.severity == .error && $0.rule.rawValue != "destination-count"
        }
        #expect(errors.map(\.description) == [])
    }
}

struct RowEvidenceTests {
    @Test(arguments: LossCase.all.filter { !$0.against.isEmpty })
    func `what the rows stand against is counted, and a guess is never Apple's word`(
        _ example: LossCase
    ) throws {
        try withFolder { folder in
            let path = folder.appending(path: "Old.sqlite").path
            try createStore(at: path, model: example.from) { connection, _ throws(StoreError) in
                for statement in example.rows { try connection.execute(statement) }
            }
            let store = try StoreFile(path: path)
            let migration = try Migration(of: store, from: example.from, to: example.to)
            let fatal = try migration.findings(in: store).filter { !$0.isLoss }
            #expect(Set(fatal.map(\.name)) == Set(example.against.keys))
            for finding in fatal {
                let isGuess = finding.risk.evidence.isGuess
                #expect(finding.description.contains("momtool cannot tell") == isGuess)
                #expect(finding.description.contains("134110") == !isGuess, "\(finding)")
            }
            let new = folder.appending(path: "New.sqlite").path
            #expect(throws: StoreMigrationError.self) {
                try migration.run(from: store, toNewFile: new, options: .agreed)
            }
            #expect(!FileManager.default.fileExists(atPath: new))
        }
    }
}

struct SaveRejectionTests {
    private static func model(
        _ validation: Attribute.Validation,
        _ type: AttributeType = .integer16,
        fallback: AttributeValue? = nil,
        leastBooks: Int? = nil
    ) -> ManagedObjectModel {
        ManagedObjectModel([
            Entity(
                "Author",
                [
                    Attribute(name: "age", type: type, validation: validation),
                    Attribute(
                        name: "rank",
                        type: .integer16,
                        isOptional: fallback == nil,
                        defaultValue: fallback,
                        validation: fallback == nil ? .init() : validation
                    ),
                ],
                relationships: [
                    Relationship(
                        name: "books",
                        isOptional: leastBooks == nil,
                        isToMany: true,
                        minCount: leastBooks,
                        destinationEntity: "Book",
                        inverseName: "author"
                    )
                ]
            ),
            Entity("Guest", parentEntity: "Author"),
            Entity(
                "Book",
                relationships: [
                    Relationship(
                        name: "author",
                        maxCount: 1,
                        destinationEntity: "Author",
                        inverseName: "books"
                    )
                ]
            ),
        ])
    }

    private static let old = model(.init())

    private func rejections(
        by new: ManagedObjectModel
    ) throws -> (foretold: [Diagnostic], found: [Diagnostic]) {
        try withFolder { folder in
            let path = folder.appending(path: "old.sqlite").path
            try createStore(at: path, model: Self.old) { connection, _ throws(StoreError) in
                for sql in [
                    "INSERT INTO ZAUTHOR (Z_PK, Z_ENT, Z_OPT, ZAGE, ZRANK) VALUES (1, 1, 1, 5, 9), "
                        + "(2, 1, 1, 50, NULL), (3, 2, 1, 500, 1), (4, 2, 1, NULL, 2)",
                    "INSERT INTO ZBOOK (Z_PK, Z_ENT, Z_OPT, ZAUTHOR) VALUES (1, 3, 1, 1), "
                        + "(2, 3, 1, 1), (3, 3, 1, 3)",
                    "UPDATE Z_PRIMARYKEY SET Z_MAX = 4",
                ] { try connection.execute(sql) }
            }
            let store = try StoreFile(path: path)
            let migration = try Migration(
                of: store,
                from: ModelVersion(name: "1", model: Self.old),
                to: ModelVersion(name: "2", model: new)
            )
            func sorted(_ findings: [Diagnostic]) -> [Diagnostic] {
                findings.sorted { ($0.property ?? "") < ($1.property ?? "") }
            }
            let foretold = sorted(try migration.rejections(in: store))
            let result = folder.appending(path: "new.sqlite").path
            _ = try migration.run(from: store, toNewFile: result)
            return (foretold, sorted(try validate(StoreFile(path: result), against: new)))
        }
    }

    @Test func `values are judged as they will be, converted and filled`() throws {
        let limits = Attribute.Validation(minimum: .integer(2), maximum: .integer(100))
        let (foretold, found) = try rejections(by: Self.model(limits, fallback: .integer(1)))
        #expect(foretold == found)
        #expect(foretold.map(\.keys) == [[3], [2, 3]], "\(foretold)")
        let numbers = Attribute.Validation(minimum: .double(5.5))
        let (told, seen) = try rejections(by: Self.model(numbers, .double))
        #expect(told == seen)
        #expect(told.map(\.keys) == [[1]], "\(told)")
    }

    @Test func `objects with too few links are counted`() throws {
        let (foretold, _) = try rejections(by: Self.model(.init(), leastBooks: 2))
        #expect(foretold.map(\.property) == ["books"])
        #expect(foretold.map(\.keys) == [[2, 3, 4]])
    }
}
