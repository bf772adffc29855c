import Foundation
import MigrationPlanning
import Momtool
import SQLiteAccess
import StoreFormat
import StoreMigration
import TestSupport
import Testing

struct AdviceTests {
    private static func person(_ attributes: String) -> String {
        """
        <model><entity name="Person" representedClassName="Person">\(attributes)
        <relationship name="fans" optional="YES" toMany="YES" deletionRule="Nullify"
            destinationEntity="Person" inverseName="friends" inverseEntity="Person"/>
        <relationship name="friends" optional="YES" toMany="YES" deletionRule="Nullify"
            destinationEntity="Person" inverseName="fans" inverseEntity="Person"/></entity></model>
        """
    }

    private static func attribute(_ name: String) -> String {
        "<attribute name=\"\(name)\" optional=\"YES\" attributeType=\"String\"/>"
    }

    private func withPeople(_ body: (URL, Model, Store) throws -> Void) throws {
        try withFolder { folder in
            let model = folder.appending(path: "People.xcdatamodeld")
            try writeBundle(
                [
                    Self.person(Self.attribute("name")),
                    Self.person(Self.attribute("age") + Self.attribute("name")),
                ],
                at: model
            )
            let people = try Model(model.path)
            let path = folder.appending(path: "People.sqlite").path
            try body(folder, people, Store.create(path, of: people, version: "V1"))
        }
    }

    private func joinTables(of path: String) throws -> [String] {
        let sql = "SELECT name FROM sqlite_master WHERE name IN ('Z_1FANS', 'Z_1FRIENDS')"
        return try StoreFile(path: path).connection.rows(sql).compactMap(\.first?.text)
    }

    @Test(arguments: ["fans", "friends"], [false, true])
    func `the side that is named names the join table`(side: String, hasStages: Bool) throws {
        try withPeople { folder, model, store in
            let stages = folder.appending(path: "Stages.yml")
            try Data("stages:\n  - lightweight: [V1, V2]\n".utf8).write(to: stages)
            let migrator = try Migrator(model, stages: hasStages ? stages.path : nil)
            let output = folder.appending(path: "New.sqlite").path
            let told = try migrator.migrate(
                store,
                to: output,
                following: [.nameJoinTable("Person.\(side)")]
            )
            #expect(try joinTables(of: output) == ["Z_1\(side.uppercased())"])
            #expect(told.isEmpty)
        }
    }

    @Test func `a name that is of no such relationship is refused by every call`() throws {
        try withPeople { folder, model, store in
            let migrator = try Migrator(model)
            let advice = [Advice.nameJoinTable("Person.name")]
            let output = folder.appending(path: "New.sqlite").path
            let calls: [() throws -> Void] = [
                { _ = try migrator.migration(of: store, following: advice) },
                { _ = try migrator.losses(of: store, following: advice) },
                { try migrator.migrate(store, to: output, following: advice) },
            ]
            for call in calls {
                let error = #expect(throws: MomtoolError.self, performing: call)
                #expect(error?.kind == .usage)
                #expect(error?.diagnostics.first?.rule == "unknown-relationship")
            }
            #expect(!FileManager.default.fileExists(atPath: output))
        }
    }

    @Test func `what is not certain of a migration is told by it and by its run`() throws {
        try withPeople { folder, model, store in
            let migrator = try Migrator(model)
            let warning = try #require(migrator.migration(of: store).diagnostics.first)
            #expect(warning.rule == "guessed-join-table" && warning.severity == .warning)
            let sides: [Advice] = [.nameJoinTable("Person.fans"), .nameJoinTable("Person.friends")]
            #expect(Set(warning.advice) == Set(sides))
            #expect(!warning.message.contains("--"))
            let output = folder.appending(path: "New.sqlite").path
            let told = try migrator.migrate(store, to: output)
            #expect(told.map(\.message) == [warning.message])
            #expect(told.allSatisfy { $0.location?.path == output && $0.loss == nil })
            for side in sides {
                #expect(try migrator.migration(of: store, following: [side]).diagnostics.isEmpty)
            }
        }
    }

    @Test func `the advice of an error contains what was followed already`() throws {
        try withFolder { folder in
            let model = try Model(
                Corpus.package.appending(path: "Models/Library.xcdatamodeld").path
            )
            let rows = folder.appending(path: "Rows.json")
            try Data(#"{"Patron": [{"@id": "p1", "fullName": "Ada", "email": "a@b.c"}]}"#.utf8)
                .write(to: rows)
            let path = folder.appending(path: "New.sqlite").path
            let store = try Store.create(path, of: model, version: "V3", rows: .file(rows.path))
            let migrator = try Migrator(model, to: "V1")
            var advice: [Advice] = []
            var rounds = 0
            while rounds < 3 {
                do {
                    let old = folder.appending(path: "Old.sqlite").path
                    try migrator.migrate(store, to: old, following: advice)
                    break
                } catch let error as MomtoolError {
                    #expect(Set(error.advice).isSuperset(of: advice))
                    #expect(error.advice.count > advice.count)
                    advice = error.advice
                    rounds += 1
                }
            }
            #expect(advice.first == .allowBackward)
            #expect(rounds == 2)
        }
    }

    @Test func `an error that no advice helps against has none`() throws {
        try withPeople { folder, model, store in
            let output = folder.appending(path: "New.sqlite").path
            try Data().write(to: URL(filePath: output))
            let error = #expect(throws: MomtoolError.self) {
                try Migrator(model).migrate(store, to: output, following: [.allowAllLosses])
            }
            #expect(error?.kind == .cannotCreate)
            #expect(error?.advice == [])
        }
    }

    @Test func `each loss has its name`() throws {
        let library = Corpus.package.appending(path: "Models/Library.xcdatamodeld").path
        let fixture = Corpus.package.appending(path: "Fixtures/Library-V1.sqlite").path
        let (migrator, store) = try (Migrator(Model(library)), Store(fixture))
        let losses = try migrator.losses(of: store)
        #expect(!losses.isEmpty)
        #expect(losses.allSatisfy { $0.advice == $0.loss.map { [.allowLoss($0)] } })
        try withFolder { folder in
            let output = folder.appending(path: "New.sqlite").path
            let lost = try migrator.migrate(store, to: output, following: losses.flatMap(\.advice))
                .filter { $0.loss != nil }
            // Losses are reported as past, and need no further agreement.
            #expect(
                lost.map(\.message)
                    == losses.map {
                        $0.message.replacingOccurrences(of: " at stake", with: " lost")
                    }
            )
            #expect(lost.allSatisfy { $0.advice.isEmpty })
        }
    }

    @Test func `a store of no version is migrated from its own model with a warning`() throws {
        try withPeople { folder, model, store in
            let other = folder.appending(path: "Other.xcdatamodeld")
            let source = Self.person(Self.attribute("name") + Self.attribute("nick"))
            try writeBundle(["V9": source], at: other)
            let migrator = try Migrator(Model(other.path))
            #expect(try store.version(in: Model(other.path)) == nil)
            let rules = try migrator.migration(of: store).diagnostics.map(\.rule)
            #expect(rules.contains("unknown-store-version"))
            let output = folder.appending(path: "New.sqlite").path
            let told = try migrator.migrate(store, to: output)
            #expect(
                told.filter { $0.rule == "unknown-store-version" }.map(\.severity) == [.warning]
            )
            // A version of another named model is none of its own.
            let known = try Migrator(Model(other.path), older: [model]).migration(of: store)
            #expect(!known.diagnostics.contains { $0.rule == "unknown-store-version" })
        }
    }

    @Test func `what a migration lost is told as lost, and no longer as what would be`() throws {
        try withFolder { folder in
            let place = "Fixtures/Cases/to-many-becomes-to-one-with-links-to-lose"
            let source = Corpus.package.appending(path: place)
            let model = try Model(source.appending(path: "Model.xcdatamodeld").path)
            let store = try Store.create(
                folder.appending(path: "Old.sqlite").path,
                of: model,
                version: "V1",
                rows: .file(source.appending(path: "before.json").path)
            )
            let migrator = try Migrator(model, to: "V2")
            let messages = try (
                migrator.losses(of: store),
                migrator.migrate(
                    store,
                    to: folder.appending(path: "New.sqlite").path,
                    following: [.allowAllLosses]
                )
            )
            let would = try #require(messages.0.first?.message)
            #expect(messages.1.first?.message != would)
            #expect(messages.1.first?.rule == messages.0.first?.rule)
        }
    }

    @Test
    func `a model that has the version of a store is named beside the one with the new version`()
        throws
    {
        try withFolder { folder in
            let (old, new) = (
                Self.person(Self.attribute("name")), Self.person(Self.attribute("age"))
            )
            for (name, source) in [("Old", old), ("New", new)] {
                let place = folder.appending(path: "\(name).xcdatamodeld")
                try writeBundle([name: source], current: name, at: place)
            }
            let older = try Model(folder.appending(path: "Old.xcdatamodeld").path)
            let newer = try Model(folder.appending(path: "New.xcdatamodeld").path)
            let path = folder.appending(path: "Old.sqlite").path
            let store = try Store.create(path, of: older)
            let connection = try SQLiteConnection(path: path, mode: .readWrite)
            try connection.execute("DELETE FROM Z_MODELCACHE")
            let output = folder.appending(path: "New.sqlite").path
            let error = #expect(throws: MomtoolError.self) {
                try Migrator(newer).migrate(store, to: output, following: [.allowAllLosses])
            }
            let advice = try #require(error?.advice)
            #expect(advice == [.allowAllLosses, .nameOlderModel])
            #expect(advice.map(\.isComplete) == [true, false])
            #expect(error?.description.contains("older:") == true)
            let migrator = try Migrator(newer, older: [older])
            try migrator.migrate(store, to: output, following: [.allowAllLosses])
            #expect(try Store(output).version(in: newer)?.name == "New")
        }
    }

    @Test func `what a person has to name is not complete`() throws {
        try withPeople { folder, model, store in
            let connection = try SQLiteConnection(path: store.path, mode: .readWrite)
            try connection.execute("DELETE FROM Z_MODELCACHE")
            let output = folder.appending(path: "New.sqlite").path
            let calls: [(Advice, () throws -> Void)] = [
                (.nameModel, { _ = try store.verify() }),
                (.nameModel, { _ = try Rows(of: store).json() }),
                (.nameModel, { _ = try Doctor().repair(store.path, to: output) }),
                (.nameBothVersions, { _ = try model.diff(to: "V1") }),
            ]
            for (advice, call) in calls {
                let error = #expect(throws: MomtoolError.self, performing: call)
                #expect(error?.advice == [advice] && !advice.isComplete)
            }
            #expect(try store.verify(against: model).allSatisfy { $0.severity < .error })
            #expect(try !model.diff(from: "V1", to: "V2").changes.isEmpty)
        }
    }

    @Test func `the time that a stage needs is allowed`() throws {
        try withPeople { folder, model, store in
            let stages = folder.appending(path: "Stages.yml")
            try Data("stages:\n  - custom: {from: V1, to: V2}\n    label: Slow\n".utf8)
                .write(to: stages)
            let slow = StageHandlers(didMigrate: { store in
                Thread.sleep(forTimeInterval: 0.2)
                _ = try store.objects("Person")
            })
            let migrator = try Migrator(model, stages: stages.path, handlers: ["Slow": slow])
            let output = folder.appending(path: "New.sqlite").path
            let advice: [Advice] = [.allowAllLosses, .nameJoinTable("Person.fans")]
            let limit = Duration.milliseconds(20)
            let error = #expect(throws: MomtoolError.self) {
                try migrator.migrate(store, to: output, following: advice, timeout: limit)
            }
            let all = try #require(error?.advice)
            #expect(all == advice + [.allowTime])
            try migrator.migrate(store, to: output, following: all, timeout: limit)
        }
    }
}
