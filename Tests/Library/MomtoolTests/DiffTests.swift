import Foundation
import MappingInference
import ModelDiffing
import Momtool
import TestSupport
import Testing

struct DiffTests {
    private static let old = """
        <model>
        <entity name="Item" isAbstract="YES"/>
        <entity name="Book">
            <attribute name="title" attributeType="String"/>
            <attribute name="pages" optional="YES" attributeType="Integer 16"/>
            <attribute name="notes" optional="YES" attributeType="String"/>
            <relationship name="author" optional="YES" maxCount="1" destinationEntity="Person" \
        inverseName="books" inverseEntity="Person"/>
        </entity>
        <entity name="Person">
            <relationship name="books" optional="YES" toMany="YES" destinationEntity="Book" \
        inverseName="author" inverseEntity="Book"/>
        </entity>
        <entity name="Notice"><attribute name="text" optional="YES" attributeType="String"/></entity>
        </model>
        """
    private static let new = """
        <model>
        <entity name="Item" isAbstract="YES"/>
        <entity name="Book" parentEntity="Item">
            <attribute name="name" elementID="title" attributeType="String"/>
            <attribute name="pages" attributeType="Integer 32" defaultValueString="1"/>
            <relationship name="author" optional="YES" maxCount="1" deletionRule="Cascade" \
        destinationEntity="Person" inverseName="books" inverseEntity="Person"/>
        </entity>
        <entity name="Person">
            <attribute name="born" attributeType="Date" usesScalarValueType="NO"/>
            <relationship name="books" optional="YES" toMany="YES" destinationEntity="Book" \
        inverseName="author" inverseEntity="Book"/>
            <uniquenessConstraints>
                <uniquenessConstraint><constraint value="born"/></uniquenessConstraint>
            </uniquenessConstraints>
        </entity>
        </model>
        """

    private func withDiff(_ body: (Diff) throws -> Void) throws {
        try withFolder { folder in
            let path = folder.appending(path: "Shop.xcdatamodeld")
            try writeBundle([Self.old, Self.new], at: path)
            try body(Model(path.path).diff(from: "V1", to: "V2"))
        }
    }

    @Test func `changes are of every verdict`() throws {
        let path = Corpus.package.appending(path: "Fixtures/Rulings.xcdatamodeld").path
        let changes = try Model(path).diff(from: "V1", to: "V2").changes
        let verdicts = Set(Diff.Verdict.allCases).subtracting([.unknown])
        #expect(Set(changes.map(\.verdict)) == verdicts)
    }

    @Test func `each change has its element, its kind and the values of both sides`() throws {
        try withDiff { diff in
            func change(_ element: String, _ kind: Diff.Change.Kind) -> Diff.Change? {
                diff.changes.first { $0.element == element && $0.kind == kind }
            }
            let renamed = try #require(change("Book.name", .renamed(from: "title", to: "name")))
            #expect(renamed.entity == "Book")
            #expect(renamed.verdict == .migrates)
            #expect(renamed.oldLocation?.line == 4 && renamed.newLocation?.line == 4)
            let removed = try #require(change("Book.notes", .removed))
            #expect(removed.verdict == .loses && removed.rule == "attribute-removed")
            #expect(removed.oldLocation?.line == 6 && removed.newLocation?.line == 3)
            #expect(change("Book.pages", .type(from: .integer16, to: .integer32)) != nil)
            #expect(change("Book.pages", .isOptional(false)) != nil)
            #expect(change("Book.pages", .defaultValue(from: nil, to: .integer(1))) != nil)
            #expect(change("Book", .parent(from: nil, to: "Item")) != nil)
            #expect(change("Book.author", .deleteRule(from: .nullify, to: .cascade)) != nil)
            #expect(
                change("Person", .setting("uniqueness constraint", from: nil, to: "born")) != nil
            )
            #expect(change("Person.born", .added)?.rule == "mandatory-attribute-added")
            let entity = try #require(change("Notice", .removed))
            #expect(entity.rule == "entity-removed")
            #expect(entity.oldLocation != nil && entity.newLocation == nil)
        }
    }

    @Test func `a difference and its changes are printed on a line each`() throws {
        try withDiff { diff in
            #expect(diff.description.hasPrefix("V1 → V2: "))
            #expect(diff.description.hasSuffix("drops Book.notes, Notice"), "\(diff)")
            let lines = diff.changes.map(\.description)
            #expect(lines.contains("Book.name: renamed: title → name [migrates]"), "\(lines)")
            #expect(lines.allSatisfy { !$0.contains("\n") })
        }
    }

    @Test func `what rows may stand against is no loss`() throws {
        try withDiff { diff in
            #expect(Set(diff.losses) == ["Book.notes", "Notice"])
        }
    }

    private static let pairs: [(ModelVersion, ModelVersion)] = {
        let files = FileManager.default
        let folders = ["Models", "Fixtures/Cases", "Fixtures/Questions"]
        let paths = folders.flatMap { folder -> [String] in
            let root = Corpus.package.appending(path: folder).path
            let found = files.enumerator(atPath: root)?.compactMap { $0 as? String } ?? []
            return found.filter { $0.hasSuffix(".xcdatamodeld") }.map { "\(root)/\($0)" }
        }
        return paths.sorted().flatMap { path -> [(ModelVersion, ModelVersion)] in
            let versions = (try? Model(path).versions) ?? []
            return versions.flatMap { old in versions.map { (old, $0) } }
        }
    }()

    @Test func `the losses of a step agree to each loss of that step, and to nothing else`() {
        var (losses, requirements) = (0, 0)
        for (old, new) in Self.pairs {
            let names = Diff(from: old, to: new).losses
            let all = LossAgreement.named(Set(names))
            let mapping = inferMapping(from: old, to: new)
            let risks = old.hashes == new.hashes ? [] : mapping.risks
            let told = stepLosses(ModelMatching(from: old, to: new), mapping)
            for risk in risks where risk.isFatal {
                requirements += 1
                #expect(!all.covers(risk.names), "\(old.path) \(new.name): \(risk)")
            }
            for name in names {
                losses += 1
                // Without the name something is lost that nobody agreed to.
                let rest = LossAgreement.named(Set(names).subtracting([name]))
                let open = told.filter { !$0.risk.isFatal && !rest.covers($0.names) }
                #expect(!open.isEmpty, "\(old.path) \(new.name): \(name)")
            }
            for loss in told where !loss.risk.isFatal && old.hashes != new.hashes {
                #expect(all.covers(loss.names), "\(old.path) \(new.name): \(loss.name)")
            }
        }
        #expect(losses > 50 && requirements > 20, "\(losses) losses, \(requirements) requirements")
    }
}
