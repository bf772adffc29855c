import Diagnostics
import Foundation
import ModelHashing
import ModelLoading
import Momtool
import ObjectModel
import StoreFormat
import Testing
import TestSupport

struct FrontDoorTests {
    private static let library = Corpus.package.appending(path: "Models/Library.xcdatamodeld").path
    private static let fixture = Corpus.package.appending(path: "Fixtures/Library-V1.sqlite").path

    @Test func `README shows the example that is compiled here`() throws {
        let readme = try String(
            contentsOf: Corpus.package.appending(path: "README.md"),
            encoding: .utf8
        )
        let section = try #require(readme.split(separator: "### As a library").last)
        let shown = try #require(section.split(separator: "```swift\n").dropFirst().first)
            .split(separator: "\n```").first.map(String.init)
        let source = try String(
            contentsOf: Corpus.package
                .appending(path: "Tests/Library/MomtoolTests/ReadmeExample.swift"),
            encoding: .utf8
        )
        let body =
            try #require(source.split(separator: "// Example\n").last)
            .split(separator: "    // End").first ?? ""
        let lines = body.split(separator: "\n").map { $0.dropFirst(4) }.joined(separator: "\n")
        #expect(shown == "import Momtool\n\n" + lines)
    }

    @Test func `README's example migrates a store`() async {
        await #expect(processExitsWith: .success) {
            try withFolder { folder in
                let files = FileManager.default
                try files.copyItem(
                    atPath: FrontDoorTests.library,
                    toPath: folder.appending(path: "Shop.xcdatamodeld").path
                )
                try files.copyItem(
                    atPath: FrontDoorTests.fixture,
                    toPath: folder.appending(path: "Shop.sqlite").path
                )
                precondition(files.changeCurrentDirectoryPath(folder.path))
                try readmeExample()
                let migrated = try StoreFile(path: "Migrated.sqlite").metadata().hashes
                let model = try ModelPlace("Shop.xcdatamodeld").read().value
                precondition(model.currentVersion?.hashes == migrated)
                _ = files.changeCurrentDirectoryPath("/")
            }
        }
    }

    @Test func `a migration hashes no model twice, and no more of the others than is needed`() async
    {
        await #expect(processExitsWith: .success) {
            try withFolder { folder in
                let model = try ModelPlace(FrontDoorTests.library).read().value
                let store = try StoreFile(path: FrontDoorTests.fixture)
                let migration = try Migrator(models: [model]).migration(of: store)
                let output = folder.appending(path: "New.sqlite").path
                try migration.run(
                    from: store,
                    to: MigrationTarget(store: store.path, output: output),
                    options: MigrationOptions(acceptsLosses: .all)
                )
                precondition(HashingCounts.models == 2)
            }
        }
    }

    @Test func `a path without a model says so`() throws {
        try withFolder { folder in
            let error = #expect(throws: MomtoolError.self) {
                _ = try ModelPlace(folder.path).read()
            }
            #expect(error?.kind == .noInput)
            #expect(error?.description.contains("the folder holds no model") == true)
        }
    }

    @Test(arguments: [
        (CocoaError.Code.fileReadNoSuchFile, MomtoolError.Kind.noInput),
        (.fileReadNoPermission, .noInput), (.fileWriteNoPermission, .cannotCreate),
        (.fileWriteOutOfSpace, .inputOutput), (.fileReadCorruptFile, .badData),
    ])
    func `errors of the system have a kind and name their file`(
        code: CocoaError.Code,
        kind: MomtoolError.Kind
    ) {
        let error = MomtoolError(CocoaError(code, userInfo: [NSFilePathErrorKey: "/a/b"]))
        #expect(error.kind == kind)
        #expect(error.lines.count == 1)
        #expect(error.description.hasPrefix("/a/b: error: "))
    }
}
