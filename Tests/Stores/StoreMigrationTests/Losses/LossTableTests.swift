import Diagnostics
import Foundation
import LossCases
import MappingInference
import MigrationPlanning
import MigrationTesting
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
        try withStore(example.from, example.rows) { store in
            let before = try store.bytes()
            let migration = try store.migration(to: example.to)
            let findings = try migration.findings(in: store.file())
            var told: [String: Int] = [:]
            for finding in findings {
                let isWhole = finding.isLoss && !finding.examples.isEmpty
                #expect(isWhole || finding.risk.unit == .schemaObjects, "\(finding)")
                let name = finding.names.first { example.lost[$0] != nil } ?? finding.name
                told[name, default: 0] += finding.count
            }
            let counted = try example.lost.mapValues { try Int(store.value($0)?.integer ?? -1) }
            #expect(told == counted)
            try run(migration, store, example, findings)
            #expect(try store.bytes() == before)
        }
    }

    private func run(
        _ migration: Migration,
        _ store: TestStore,
        _ example: LossCase,
        _ findings: [RowFinding]
    ) throws {
        let names = findings.map(\.name)
        func result(_ agreed: [String]) throws -> [RowFinding] {
            let options = MigrationOptions(acceptsLosses: .named(Set(agreed)))
            let new = store.place("New.sqlite")
            return try migration.run(from: store.file(), toNewFile: new, options: options)
        }
        for missing in names.indices {
            // An agreement for an entity holds for its sub-entities too, and a link has two names.
            let agreed = names.enumerated().filter { place, name in
                place != missing && !LossAgreement.named([name]).covers(findings[missing].names)
            }
            .map(\.element)
            #expect(throws: StoreMigrationError.self) { try result(agreed) }
        }
        #expect(try result(names) == findings)
        let new = try StoreFile(path: store.place("New.sqlite"))
        let errors = try verify(new, against: example.to).filter {
            $0.severity == .error && $0.rule.rawValue != "destination-count"
        }
        #expect(errors.map(\.description) == [])
    }

    /// With few entities in a table each row is compared with their numbers, with many the rows are sorted by them.
    @Test(arguments: [3, 40])
    func `values that are lost are counted for each entity of a table`(children: Int) throws {
        let new = ManagedObjectModel(
            [Entity("Thing")] + (1...children).map { Entity("Child\($0)", parentEntity: "Thing") }
        )
        var old = new
        old.entities[0].attributes = ["text", "number:integer32"].map(attributeOf)
        try withFolder { folder in
            let store = TestStore(folder: folder, model: old)
            try makeSampleStore(at: store.path, model: old, rows: 5)
            try store.execute(
                "UPDATE ZTHING SET ZTEXT = NULL WHERE Z_PK % 3 = 0",
                "UPDATE ZTHING SET ZNUMBER = NULL WHERE Z_ENT % 2 = 0"
            )
            let counted = try store.rows(
                "SELECT n.Z_NAME, count(s.ZTEXT), count(s.ZNUMBER) FROM ZTHING AS s "
                    + "JOIN Z_PRIMARYKEY AS n USING (Z_ENT) GROUP BY n.Z_NAME"
            )
            var expected: [String: [Int]] = [:]
            for row in counted {
                for (name, count) in zip(["text", "number"], row.dropFirst())
                where count != .integer(0) {
                    let entity = try #require(row[0].text)
                    expected["\(entity).\(name)"] = [Int(count.integer ?? -1)]
                }
            }
            #expect(expected.count > children)
            let findings = try store.migration(to: new).findings(in: store.file())
            let found = Dictionary(grouping: findings, by: \.name).mapValues { $0.map(\.count) }
            #expect(found == expected)
        }
    }
}

struct RowEvidenceTests {
    @Test(arguments: LossCase.all.filter { !$0.against.isEmpty })
    func `what the rows stand against is counted, and a guess is never Apple's word`(
        _ example: LossCase
    ) throws {
        try withStore(example.from, example.rows) { store in
            let before = try store.bytes()
            let migration = try store.migration(to: example.to)
            let findings = try migration.findings(in: store.file())
            #expect(findings.allSatisfy { $0.count > 0 && !$0.examples.isEmpty })
            let fatal = findings.filter { !$0.isLoss }
            #expect(Set(fatal.map(\.name)) == Set(example.against.keys))
            for finding in fatal {
                let isGuess = finding.risk.evidence.isGuess
                #expect(finding.description.contains("momtool cannot tell") == isGuess)
                #expect(finding.description.contains("134110") == !isGuess, "\(finding)")
            }
            #expect(throws: StoreMigrationError.rows(findings)) {
                try migration.runInPlace(path: store.path)
            }
            #expect(throws: StoreMigrationError.rows(findings)) {
                try store.result(of: migration, MigrationOptions())
            }
            #expect(throws: StoreMigrationError.self) { try store.result(of: migration) }
            #expect(!FileManager.default.fileExists(atPath: store.place("New.sqlite")))
            #expect(try store.bytes() == before)
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
        var model = modelOf(
            "Author: books>>Book.author",
            "Guest/Author",
            "Book: author>Author.books"
        )
        model.entities[0].attributes = [
            Attribute(name: "age", type: type, validation: validation),
            Attribute(
                name: "rank",
                type: .integer16,
                isOptional: fallback == nil,
                defaultValue: fallback,
                validation: fallback == nil ? .init() : validation
            ),
        ]
        model.entities[0].relationships[0].isOptional = leastBooks == nil
        model.entities[0].relationships[0].minCount = leastBooks
        return model
    }

    private static let old = model(.init())

    private static let rows =
        [
            "INSERT INTO ZAUTHOR (Z_PK, Z_ENT, Z_OPT, ZAGE, ZRANK) VALUES (1, 1, 1, 5, 9), "
                + "(2, 1, 1, 50, NULL), (3, 2, 1, 500, 1), (4, 2, 1, NULL, 2)"
        ] + inserts("Book", "ZAUTHOR", "1", "1", "3")

    private func rejections(
        by new: ManagedObjectModel
    ) throws -> (foretold: [Diagnostic], found: [Diagnostic]) {
        try withStore(Self.old, Self.rows) { store in
            let migration = try store.migration(to: new)
            func sorted(_ findings: [Diagnostic]) -> [Diagnostic] {
                findings.sorted { ($0.property ?? "") < ($1.property ?? "") }
            }
            let foretold = sorted(try migration.rejections(in: store.file()))
            let result = try store.result(of: migration, MigrationOptions())
            return (foretold, sorted(try validate(result, against: new)))
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
