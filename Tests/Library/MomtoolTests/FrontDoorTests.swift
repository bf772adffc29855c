import Diagnostics
import Foundation
import MigrationTesting
import ModelHashing
import ModelLoading
import Momtool
import ObjectModel
import SQLiteAccess
import StoreFormat
import StoreMigration
import TestSupport
import Testing

struct FrontDoorTests {
    private static let library = Corpus.package.appending(path: "Models/Library.xcdatamodeld").path
    private static let fixture = Corpus.package.appending(path: "Fixtures/Library-V1.sqlite").path

    @Test func `README shows the example that is compiled here`() throws {
        let readme = try fileText(Corpus.package.appending(path: "README.md"))
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
        }
    }

    @Test(arguments: [
        (CocoaError.Code.fileReadNoSuchFile, MomtoolError.Kind.noInput),
        (.fileNoSuchFile, .noInput), (.fileReadNoPermission, .noInput),
        (.fileReadCorruptFile, .badData), (.fileReadInapplicableStringEncoding, .badData),
        (.fileReadTooLarge, .badData), (.propertyListReadCorrupt, .badData),
        (.formatting, .badData), (.fileWriteFileExists, .cannotCreate),
        (.fileWriteNoPermission, .cannotCreate), (.fileWriteVolumeReadOnly, .cannotCreate),
        (.fileWriteInvalidFileName, .cannotCreate), (.fileWriteOutOfSpace, .inputOutput),
        (.fileReadUnknown, .inputOutput),
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

    private static let faults: [(StoreError, MomtoolError.Kind)] = [
        (.noSuchFile(path: "/a"), .noInput), (.inaccessible(path: "/a", reason: ""), .inputOutput),
        (.notADatabase(path: "/a", mayBeEncrypted: false), .badData),
        (.truncated(path: "/a", expected: 2, actual: 1), .badData),
        (.notAStore(path: "/a", missing: "Z_METADATA"), .badData), (.inUse(path: "/a"), .refused),
        (.readOnly(path: "/a", reason: ""), .refused),
        (.cannotCreate(path: "/a", reason: ""), .cannotCreate),
        (.damagedMetadata(path: "/a", reason: ""), .badData),
        (.damagedModelCache(path: "/a", reason: ""), .badData),
        (.alreadyExists(path: "/a"), .cannotCreate), (.incomplete([]), .badData),
    ]

    @Test(arguments: faults)
    func `errors of stores have a kind`(fault: StoreError, kind: MomtoolError.Kind) {
        #expect(MomtoolError(fault).kind == kind)
    }

    /// The codes of SQLite, of which extended ones have more in their upper bytes.
    @Test(arguments: [
        (Int32(1), MomtoolError.Kind.failed), (5, .failed), (8, .inputOutput), (10, .inputOutput),
        (266, .inputOutput), (11, .badData), (267, .badData), (13, .inputOutput),
        (14, .inputOutput), (19, .failed), (26, .badData),
    ])
    func `errors of SQLite have a kind`(code: Int32, kind: MomtoolError.Kind) {
        let fault = StoreError.sqlite(path: "/a", code: code, message: "m", sql: nil)
        #expect(MomtoolError(fault).kind == kind)
    }
}

struct CompleteProgramTests {
    private static var bundles: [String] {
        let cases = Corpus.package.appending(path: "Fixtures/Cases")
        let names = (try? FileManager.default.contentsOfDirectory(atPath: cases.path)) ?? []
        let models = names.map { cases.appending(path: $0 + "/Model.xcdatamodeld").path }
        return models.filter(FileManager.default.fileExists).sorted() + [
            Corpus.package.appending(path: "Models/Library.xcdatamodeld").path
        ]
    }

    /// The statements that change a database, without those on its version and compiled model.
    private static func writes(_ statements: [String]) -> [String] {
        let words = ["INSERT", "UPDATE", "DELETE", "CREATE", "DROP", "ALTER", "REPLACE"]
        return statements.map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }.filter { sql in
            words.contains { sql.uppercased().hasPrefix($0) }
                && !["Z_METADATA", "Z_MODELCACHE"].contains(where: sql.contains)
        }
    }

    @Test func `a migration writes what its plan prints, and nothing else`() async {
        await #expect(processExitsWith: .success) {
            var (count, statements) = (0, 0)
            for path in CompleteProgramTests.bundles {
                let bundle = readModelBundle(at: path).value
                for (index, source) in bundle.versions.enumerated() {
                    for target in bundle.versions[(index + 1)...] {
                        try withFolder { folder in
                            let store = folder.appending(path: "Store.sqlite").path
                            try makeSampleStore(at: store, model: source.model, rows: 4, seed: 1)
                            guard
                                let migration = try? Migrator(models: [bundle], to: target.name)
                                    .migration(of: StoreFile(path: store))
                            else { return }
                            let options = MigrationOptions(acceptsLosses: .all)
                            var findings: [RowFinding]?
                            let traced = StatementTrace.statements {
                                findings = try? migration.runInPlace(path: store, options: options)
                            }
                            guard let findings else { return }
                            let planned = migration.steps(after: findings).flatMap { step in
                                (step.program?.steps ?? []).map(\.sql)
                            }
                            let title = "\(path): \(source.name) → \(target.name)"
                            #expect(
                                CompleteProgramTests.writes(traced)
                                    == CompleteProgramTests.writes(planned),
                                "\(title)"
                            )
                            count += 1
                            statements += CompleteProgramTests.writes(traced).count
                        }
                    }
                }
            }
            #expect(count >= 40 && statements >= 400, "\(count), \(statements)")
        }
    }
}
