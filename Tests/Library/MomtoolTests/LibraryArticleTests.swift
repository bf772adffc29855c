import Foundation
import Momtool
import MomtoolTesting
import TestSupport
import Testing

/// The examples of the article "Using the library", each word for word between the lines that mark it.
private enum Examples {
    static func hash() throws {
        // Example
        let model = try Model("Shop.xcdatamodeld")
        for version in model.versions { print(version.name, try version.versionChecksum) }
        // End
    }

    static func read(_ model: Model) throws {
        // Example
        for entity in try model.version().model.entities {
            for attribute in entity.attributes { print(attribute.name, attribute.type) }
        }
        // End
    }

    static func plan() throws -> (Migrator, Store) {
        // Example
        let migrator = try Migrator(Model("Shop.xcdatamodeld"))
        let store = try Store("Shop.sqlite")
        for step in try migrator.migration(of: store).steps { print(step.title, step.statements) }
        for loss in try migrator.losses(of: store) { print(loss.message, loss.advice) }
        // End
        return (migrator, store)
    }

    static func migrate(
        _ migrator: Migrator,
        _ store: Store,
        _ advice: [Advice]
    ) -> Task<[Diagnostic], any Error> {
        // Example
        let task = Task {
            try await inBackground {
                try migrator.migrate(store, to: "New.sqlite", following: advice) { progress in
                    print(progress.title, progress.done)
                }
            }
        }
        // End
        return task
    }

    static func wait(for task: Task<[Diagnostic], any Error>) async throws {
        // Example
        do {
            print(try await task.value)
        } catch let error as MomtoolError where error.kind == .cancelled {
            print("nothing was done")
        }
        // End
    }

    static func lint() throws {
        // Example
        for finding in try Linter().findings(in: "Shop.xcdatamodeld") { print(finding) }
        // End
    }

    static func agree(_ migrator: Migrator, _ store: Store) throws {
        // Example
        do {
            try migrator.migrate(store, to: "Agreed.sqlite")
        } catch {
            guard error.advice.allSatisfy(\.isComplete) else { throw error }
            try migrator.migrate(store, to: "Agreed.sqlite", following: error.advice)
        }
        // End
    }

    static func compare(_ model: Model) throws {
        // Example
        let diff = try model.diff(from: "V1", to: "V2")
        for change in diff.changes { print(change.element, change.kind, change.verdict) }
        print(diff.losses.map { Advice.allowLoss($0) })
        try Lock(of: model).update(unshipped: ["V6"])
        try Compiler().compile(model, to: "Shop.momd")
        // End
    }

    static func compareWithLock(_ model: Model) throws {
        // Example
        let findings = try Lock(of: model).findings()
        for finding in findings where finding.severity == .error { print(finding) }
        // End
    }

    static func read(_ model: Model, _ store: Store) throws {
        // Example
        let books = Rows(of: store, model: model, entities: ["Book"], where: "pages > 100")
        for row in try books.all() {
            let title = try row.value("title", as: String.self)
            print(row.id, title ?? "untitled", try row.references("authors"))
        }
        // End
    }

    static func look(_ model: Model, _ store: Store) throws {
        // Example
        for finding in try store.verify(against: model) { print(finding) }
        try Rows(of: store, model: model, entities: ["Book"]).write(to: "Books.json")
        try Store.create("Empty.sqlite", of: model, version: "V1")
        let rows = #"{"Book": [{"title": "Notes"}]}"#
        try Store.create("Filled.sqlite", of: model, rows: .json(rows))
        // End
    }

    static func cure(_ model: Model) throws {
        // Example
        let found = try Doctor(model).examine("Shop.sqlite")
        for remedy in found.remedies { print(remedy) }
        if let advice = found.remedies.lazy.compactMap(\.repair).first {
            print(try Doctor(model).repair("Shop.sqlite", to: "Repaired.sqlite", following: advice))
        }
        // End
    }

    static func edit() throws {
        // Example
        var editor = try ModelEditor("Shop.xcdatamodeld")
        try editor.startVersion()
        try editor.apply([.rename("Patron.fullName", to: "name"), .setType("Book.pages", .double)])
        try editor.write()
        // End
    }

    static func handlers() -> StageHandlers {
        // Example
        let shout = StageHandlers(didMigrate: { store in
            for book in try store.objects("Book") {
                let title = try book.value("title").text ?? ""
                try store.update("Book", book.id, ["title": .text(title.uppercased())])
            }
        })
        // End
        return shout
    }

    static func plan(with shout: StageHandlers) throws -> Migrator {
        // Example
        let sources = try Model("Sources/Shop")
        let migrator = try Migrator(sources, handlers: ["SchemaV1 → SchemaV2": shout])
        // End
        return migrator
    }
}

struct LibraryExampleTests {
    // Example
    @Test func `members become patrons`() throws {
        let old = #"{"Member": [{"@id": "p1", "name": "Ada"}]}"#
        let new = #"{"Patron": [{"@id": "p1", "fullName": "Ada"}]}"#
        try expectMigration(of: "Models/Library.xcdatamodeld", from: "V1", rows: old, contains: new)
    }
    // End
}

struct LibraryArticleTests {
    @Test func `the article shows the examples that are compiled here`() throws {
        let shown = try guideBlocks("UsingTheLibrary.md", "swift")
        let source = try String(contentsOfFile: #filePath, encoding: .utf8)
        let examples = source.components(separatedBy: "// Example\n").dropFirst().map { part in
            let lines = (part.components(separatedBy: "// End").first ?? "")
                .components(separatedBy: "\n").dropLast()
            let indent = lines.map { $0.prefix { $0 == " " }.count }.min() ?? 0
            return lines.map { String($0.dropFirst(indent)) }
        }
        #expect(shown == examples.map { $0.joined(separator: "\n") + "\n" })
        let isEnd = { (line: String) in ["}", "})"].contains(line.trimmingPrefix { $0 == " " }) }
        #expect(examples.allSatisfy { $0.count { !isEnd($0) } <= 5 })
    }

    @Test func `the examples of the article run`() async {
        await #expect(processExitsWith: .success) {
            try await withShop {
                try Examples.hash()
                try Examples.lint()
                let (migrator, store) = try Examples.plan()
                let losses = try await inBackground { try migrator.losses(of: store) }
                let advice = losses.flatMap(\.advice)
                precondition(advice.contains(.allowLoss("Book.notes")))
                precondition(losses.allSatisfy { ($0.rows?.count ?? 0) > 0 })
                precondition(losses.allSatisfy { !$0.message.contains("--") })
                let lost = try await Examples.migrate(migrator, store, advice).value
                precondition(lost.count == losses.count)
                let model = try Model("Shop.xcdatamodeld")
                let migrated = try Store("New.sqlite")
                let checksum = try model.currentVersion?.versionChecksum
                precondition(migrated.versionChecksum == checksum)
                try Examples.agree(migrator, store)
                let agreed = try Rows(of: Store("Agreed.sqlite"), model: model).json()
                let rows = try Rows(of: migrated, model: model).json()
                precondition(rows == agreed)
                try Examples.read(model)
                try Examples.read(model, store)
                try Examples.look(model, store)
                try Examples.cure(model)
                precondition(FileManager.default.fileExists(atPath: "Books.json"))
                let written = try Store("Empty.sqlite").version(in: model)
                precondition(written?.name == "V1")
                try Examples.compare(model)
                try Examples.compareWithLock(model)
                let locked = try Lock(of: model).versionNames
                precondition(locked == ["V1", "V2", "V3", "V4", "V5"])
                let compiled = try Model("Shop.momd")
                precondition(compiled.versions.count == model.versions.count)
                try Examples.edit()
                let edited = try Model("Shop.xcdatamodeld").version().model
                let patron = edited.entities.first { $0.name == "Patron" }
                precondition(patron?.attributes.contains { $0.name == "name" } == true)
            }
        }
    }

    @Test func `a cancelled migration leaves nothing, and says that it was cancelled`() async {
        await #expect(processExitsWith: .success) {
            try await withShop {
                let (migrator, store) = try Examples.plan()
                let task = Examples.migrate(migrator, store, [.allowAllLosses])
                task.cancel()
                try await Examples.wait(for: task)
                do {
                    _ = try await task.value
                    preconditionFailure("the migration was cancelled")
                } catch let error as MomtoolError {
                    precondition(error.kind == .cancelled)
                    precondition(error.diagnostics.first?.rule == "interrupted")
                    precondition(!"\(error)".contains("stage"))
                }
                precondition(!FileManager.default.fileExists(atPath: "New.sqlite"))
            }
        }
    }

    @Test func `a refusal carries its diagnostics, advice and cause`() async {
        await #expect(processExitsWith: .success) {
            try await withShop {
                let (migrator, store) = try Examples.plan()
                do throws(MomtoolError) {
                    try migrator.migrate(store, to: "New.sqlite")
                    preconditionFailure("nothing was named")
                } catch {
                    precondition(error.kind == .refused)
                    precondition(
                        error.diagnostics.allSatisfy { $0.location?.path == "Shop.sqlite" }
                    )
                    precondition(error.advice.contains(.allowLoss("Notice")))
                    precondition(!"\(error)".contains("--"))
                    precondition("\(error)".contains(".allowLoss(\"Book.notes\")"))
                    precondition(error.cause != nil)
                }
            }
        }
    }

    @Test func `Swift code of a stage runs in the migration`() async {
        await #expect(processExitsWith: .success) {
            try await withShop {
                let stages = "stages:\n  - custom: {from: V1, to: V2}\n    label: Shout\n"
                try Data(stages.utf8).write(to: URL(filePath: "Stages.yml"))
                let model = try Model("Shop.xcdatamodeld")
                let migrator = try Migrator(
                    model,
                    to: "V2",
                    stages: "Stages.yml",
                    handlers: ["Shout": Examples.handlers()]
                )
                let store = try Store("Shop.sqlite")
                try migrator.migrate(store, to: "New.sqlite", following: [.allowAllLosses])
                let rows = try Rows(of: Store("New.sqlite"), model: model, entities: ["Book"])
                    .json()
                let titles = rows.matches(of: /"title": "([^"]*)"/).map { String($0.1) }
                precondition(!titles.isEmpty && titles.allSatisfy { $0 == $0.uppercased() })
            }
        }
    }
}

private struct OwnError: Error, Equatable {
    var number: Int
}

extension LibraryArticleTests {
    @Test func `a stage whose code is forgotten is warned of`() async {
        await #expect(processExitsWith: .success) {
            try await withShop {
                let stages = "stages:\n  - custom: {from: V1, to: V2}\n    label: Shout\n"
                try Data(stages.utf8).write(to: URL(filePath: "Stages.yml"))
                let (model, store) = (try Model("Shop.xcdatamodeld"), try Store("Shop.sqlite"))
                let bare = try Migrator(model, to: "V2", stages: "Stages.yml")
                let warnings = try bare.migration(of: store).diagnostics
                precondition(warnings.contains { $0.rule == "needless-custom-stage" })
                let whole = try Migrator(
                    model,
                    to: "V2",
                    stages: "Stages.yml",
                    handlers: ["Shout": Examples.handlers()]
                )
                let rest = try whole.migration(of: store).diagnostics
                precondition(rest.allSatisfy { $0.rule != "needless-custom-stage" })
                precondition(rest.count == warnings.count - 1)
            }
        }
    }

    @Test func `what the code of a stage throws is the cause of the error`() async {
        await #expect(processExitsWith: .success) {
            try await withShop {
                let stages = "stages:\n  - custom: {from: V1, to: V2}\n    label: Shout\n"
                try Data(stages.utf8).write(to: URL(filePath: "Stages.yml"))
                let migrator = try Migrator(
                    Model("Shop.xcdatamodeld"),
                    to: "V2",
                    stages: "Stages.yml",
                    handlers: [
                        "Shout": StageHandlers(willMigrate: { _ in throw OwnError(number: 7) })
                    ]
                )
                do throws(MomtoolError) {
                    try migrator.migrate(Store("Shop.sqlite"), to: "New.sqlite")
                    preconditionFailure("the code threw")
                } catch {
                    precondition(error.kind == .failed)
                    precondition(error.cause as? OwnError == OwnError(number: 7))
                    precondition("\(error)".contains("Shout"))
                }
            }
        }
    }
}

private func withShop(_ body: () async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    let (files, package) = (FileManager.default, Corpus.package)
    try files.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? files.removeItem(at: folder) }
    for (source, name) in [
        ("Models/Library.xcdatamodeld", "Shop.xcdatamodeld"),
        ("Fixtures/Library-V1.sqlite", "Shop.sqlite"),
    ] {
        try files.copyItem(at: package.appending(path: source), to: folder.appending(path: name))
    }
    precondition(files.changeCurrentDirectoryPath(folder.path))
    defer { _ = files.changeCurrentDirectoryPath("/") }
    try await body()
}
