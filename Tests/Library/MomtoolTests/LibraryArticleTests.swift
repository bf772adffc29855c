import Foundation
import Momtool
import StoreFormat
import TestSupport
import Testing

/// The examples of the article "Using the library", each word for word between the lines that mark it.
private enum Examples {
    static func versions() throws {
        // Example
        let model = try ModelPlace("Shop.xcdatamodeld").read().value
        for version in model.versions { print(version.name, version.hashes.checksum) }
        // End
    }

    static func plan() throws -> Migration {
        // Example
        let model = try ModelPlace("Shop.xcdatamodeld").read().value
        let store = try StoreFile(path: "Shop.sqlite")
        let migration = try Migrator(models: [model]).migration(of: store)
        for step in migration.steps { print(step.title) }
        for finding in try migration.findings(in: store) { print(finding) }
        // End
        return migration
    }
}

// Example
func migrate(_ store: StoreFile, by migration: Migration, until: MigrationCancellation) throws {
    let options = MigrationOptions(
        acceptsLosses: ["Notice", "Book.notes", "Member.notices"],
        cancellation: until,
        progress: { progress in print(progress.title, progress.rows) }
    )
    let target = MigrationTarget(store: store.path, output: "Migrated.sqlite")
    try migration.run(from: store, to: target, options: options)
}
// End

// Example
func renameLabel(in model: String) throws -> [String] {
    var editor = try ModelEditor(model)
    try editor.startVersion()
    try editor.apply([
        .rename(.attribute("label", of: "Stop"), to: "caption"),
        .add(.attribute("rating", of: "Stop"), [.type(.double), .defaultValue("0")]),
        .add(.entity("Tag"), []),
        .add(
            .relationship("tags", of: "Stop"),
            [.destination("Tag"), .toMany(true), .inverse("stop")]
        ),
    ])
    try editor.write()
    return editor.version.model.entities.map(\.name)
}
// End

struct LibraryArticleTests {
    @Test func `the article shows the examples that are compiled here`() throws {
        let shown = try guideBlocks("UsingTheLibrary.md", "swift")
        let source = try String(contentsOfFile: #filePath, encoding: .utf8)
        let examples = source.components(separatedBy: "// Example\n").dropFirst().map { part in
            let lines = (part.components(separatedBy: "// End").first ?? "")
                .components(separatedBy: "\n").dropLast()
            let indent = lines.map { $0.prefix { $0 == " " }.count }.min() ?? 0
            return lines.map { $0.dropFirst(indent) }.joined(separator: "\n")
        }
        // The last part is this test, which names the marks.
        #expect(shown == examples.prefix(4).map { "import Momtool\n\n\($0)\n" })
    }

    @Test func `the example of the article edits a model, and what cannot be changes nothing`()
        throws
    {
        try withFolder { folder in
            let source = """
                <model><entity name="Stop" representedClassName="Stop">
                <attribute name="label" optional="YES" attributeType="String"/></entity></model>
                """
            let model = folder.appending(path: "Shop.xcdatamodeld")
            try writeBundle(["Shop": source], current: "Shop", at: model)
            #expect(try renameLabel(in: model.path) == ["Stop", "Tag"])
            let read = try ModelPlace(model.path).read().value
            #expect(read.currentVersion?.name == "Shop 2")
            let stop = try #require(read.currentVersion?.model.entities.first)
            #expect(stop.attributes.map(\.renamingIdentifier) == ["label", nil])
            let file = model.appending(path: "Shop.xcdatamodel/contents")
            #expect(try String(contentsOf: file, encoding: .utf8) == source)
            var editor = try ModelEditor(model.path + "#Shop")
            let wrong: [ModelEdit] = [
                .remove(.attribute("none", of: "Stop")), .add(.entity("Stop"), []),
                .set(
                    .attribute("label", of: "Stop"),
                    [.type(.double), ElementSetting("a b", "c")]
                ),
            ]
            for edit in wrong {
                #expect(throws: MomtoolError.self) {
                    try editor.apply([.add(.entity("Tag"), []), edit])
                }
            }
            #expect(editor.contents == Array(source.utf8))
            try editor.apply([.set(.entity("Stop"), [.hashModifier("2")])])
            try Data("changed".utf8).write(to: file)
            #expect(throws: MomtoolError.self) { try editor.write() }
        }
    }

    @Test func `the examples of the article run, and stop when they are told to`() async {
        await #expect(processExitsWith: .success) {
            try withFolder { folder in
                let files = FileManager.default
                let package = Corpus.package
                try files.copyItem(
                    at: package.appending(path: "Models/Library.xcdatamodeld"),
                    to: folder.appending(path: "Shop.xcdatamodeld")
                )
                try files.copyItem(
                    at: package.appending(path: "Fixtures/Library-V1.sqlite"),
                    to: folder.appending(path: "Shop.sqlite")
                )
                precondition(files.changeCurrentDirectoryPath(folder.path))
                try Examples.versions()
                let migration = try Examples.plan()
                let store = try StoreFile(path: "Shop.sqlite")
                let stopped = MigrationCancellation()
                stopped.cancel()
                do {
                    try migrate(store, by: migration, until: stopped)
                    preconditionFailure("the migration was stopped before it began")
                } catch {
                    precondition(!files.fileExists(atPath: "Migrated.sqlite"))
                }
                try migrate(store, by: migration, until: MigrationCancellation())
                let migrated = try StoreFile(path: "Migrated.sqlite").metadata().hashes
                let model = try ModelPlace("Shop.xcdatamodeld").read().value
                precondition(model.currentVersion?.hashes == migrated)
                _ = files.changeCurrentDirectoryPath("/")
            }
        }
    }
}
