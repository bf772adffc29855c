import CorpusStores
import Diagnostics
import Foundation
import MappingInference
import MigrationPlanning
import ModelHashing
import ModelLoading
import ObjectModel
import SQLiteAccess
import StoreFormat
import StoreMigration
import TestSupport
import Testing

@Suite(.enabled(if: Corpus.isPresent, "the corpus is not there"))
struct CorpusMigrationTests {
    /// The folder of stores with the bundles of the versions to migrate to, in order, both in a repository.
    static let families: [(repository: String, stores: String, bundles: [String])] = [
        (
            "duckduckgo+BrowserServicesKit/", "Tests/BookmarksTests",
            ["Sources/Bookmarks/BookmarksModel"]
        ),
        ("duckduckgo+BrowserServicesKit/", "Tests/DDGSyncTests", ["Sources/DDGSync/SyncMetadata"]),
        ("alemar11+CoreDataPlus/Tests/Resources/SampleModel/", "", ["SampleModel"]),
        ("alemar11+CoreDataPlus/Tests/Resources/SampleModel3/", "", ["SampleModel3"]),
        ("objcio+core-data/Migrations/", "MigrationsTests", ["Migrations/Moody"]),
        (
            "richardpiazza+XcodeServer/", "Tests",
            ["1_0_0", "1_1_0", "2_0_0"].map {
                "Sources/XcodeServerModel_\($0)/Resources/XcodeServer"
            }
        ),
        (
            "apptentive+apptentive-ios/Apptentive/", "ApptentiveTests/data",
            ["Apptentive/Model/ATDataModel"]
        ),
        (
            "richardpiazza+TranslationCatalog/", "Tests",
            ["1", "2", "3"].map {
                "Sources/TranslationCatalogCoreData/Resources/CatalogModel_\($0)"
            }
        ),
        ("kasianov-mikhail+scout/", "history", ["Sources/Scout/Persistence/ScoutModel"]),
    ]

    @Test(arguments: families.indices)
    func `stores migrate to each later inferable version, and lose nothing`(index: Int) throws {
        let (repository, stores, bundles) = Self.families[index]
        let versions = bundles.flatMap { bundle in
            readModelBundle(at: Corpus.path("\(repository)\(bundle).xcdatamodeld")).value.versions
        }
        let paths = Corpus.paths { path in
            path.hasPrefix(repository + stores)
                && [".sqlite", ".moody"].contains { path.hasSuffix($0) }
        }
        #expect(!paths.isEmpty)
        for path in paths { try migrate(path, through: versions) }
    }

    private func migrate(_ path: String, through versions: [ModelVersion]) throws {
        // This one was damaged on purpose: its table lacks a column of its model.
        guard !path.contains("v2CorruptDatabase") else { return }
        let store = try StoreFile(path: Corpus.path(path))
        let hashes = try store.metadata().hashes
        guard let start = versions.firstIndex(where: { versionHashes(of: $0.model) == hashes })
        else {
            print("\(path): no version matches")
            return
        }
        for target in versions.indices where target > start {
            try migrate(store, path, from: versions[start], to: versions[target])
        }
    }

    private func migrate(
        _ store: StoreFile,
        _ path: String,
        from source: ModelVersion,
        to target: ModelVersion
    ) throws {
        let title = "\(path): \(source.name) → \(target.name)"
        let mapping = inferMapping(from: source.model, to: target.model)
        guard mapping.isInferable else {
            print("\(title): refused: \(mapping.refusals.map(\.reason))")
            return
        }
        let migration = try Migration(of: store, from: source, to: target)
        let findings = try migration.findings(in: store)
        guard findings.isEmpty else {
            print("\(title): rows: \(findings.map(\.description))")
            return
        }
        try withFolder { folder in
            let result = folder.appending(path: "Result.sqlite").path
            try migration.run(from: store, toNewFile: result)
            try expectWhole(result, from: store, migration, title)
        }
    }
}

/// The wallet opens every older version at its current one in one step, and stops where that fails.
@Suite(.enabled(if: Corpus.isPresent, "the corpus is not there"))
struct NovaMigrationTests {
    private static let versions = readModelBundle(
        at: Corpus.path(
            "novasamatech+nova-wallet-ios/novawallet/Common/Storage/SubstrateDataModel.xcdatamodeld"
        )
    ).value.versions

    @Test(arguments: 1...38)
    func `a store with rows comes to version 39`(number: Int) throws {
        let name = "SubstrateDataModel" + (number == 1 ? "" : "\(number)")
        let source = try #require(Self.versions.first { $0.name == name })
        let target = try #require(Self.versions.first { $0.name == "SubstrateDataModel39" })
        try withSample(source.model, history: true) { store in
            let migration = try Migration(of: store.file(), from: source, to: target)
            let findings = try migration.findings(in: store.file())
            let new = store.place("New.sqlite")
            let old = try store.file()
            #expect(try migration.run(from: old, toNewFile: new, options: .agreed) == findings)
            try expectWhole(new, from: old, migration, name)
        }
    }
}

@Suite(.enabled(if: Corpus.isPresent, "the corpus is not there"))
struct CorpusIdentityTests {
    /// The stores without a version among the sources of their projects, by a part of their path, with the reason.
    static let strangers: [(path: String, reason: String)] = [
        ("LegacySwiftData/CartKitSwiftData_v1", "made by SwiftData, whose model is Swift source"),
        ("SampleModel2/Fixtures/", "the model is made in code"),
        (
            "SQLiteExamples/CoreDataKitTests_",
            "an example of another project, which the corpus holds, wrote it"
        ),
        ("XcodeServer/history/", "the corpus does not hold this version of the model"),
    ]

    @Test func `every store is identified in its project, or known not to be`() throws {
        let models = Corpus.paths { path in
            ["contents", "elements"].contains { path.hasSuffix(".xcdatamodel/\($0)") }
        }
        var versions: [String: [ModelVersion]] = [:]
        for path in models {
            guard var version = readModelBundle(at: Corpus.path(path)).value.currentVersion else {
                continue
            }
            version.name = path
            versions[project(path), default: []].append(version)
        }
        let stores = Corpus.paths { path in [".sqlite", ".moody"].contains { path.hasSuffix($0) } }
        #expect(stores.count >= 61)
        var unknown: [String] = []
        for path in stores {
            let store = try StoreFile(path: Corpus.path(path))
            let snapshot = try StoreSnapshot(of: store)
            #expect(!snapshot.primaryKeys.isEmpty, "\(path)")
            let identity = identify(
                storeHashes: snapshot.metadata.hashes,
                among: versions[project(path)] ?? []
            )
            if case .exact = identity { continue }
            unknown.append(path)
        }
        let unexplained = unknown.filter { path in
            !Self.strangers.contains { path.contains($0.path) }
        }
        #expect(unexplained == [])
        for (part, reason) in Self.strangers {
            #expect(unknown.contains { $0.contains(part) }, "\(part) is identified now: \(reason)")
        }
    }

    private func project(_ path: String) -> String {
        path.split(separator: "/").first.map(String.init) ?? ""
    }
}

struct UntouchedRowTests {
    private func objects(of path: String, without table: String) throws -> [String: String] {
        Dictionary(
            try StoreFile(path: path).schema().filter { $0.table != table }
                .map { ("\($0.kind) \($0.name)", $0.sql) },
            uniquingKeysWith: { first, _ in first }
        )
    }

    @Test(arguments: Sweep.part(of: storesWithModel, every: 2))
    func `rows and objects of other entities are what they were`(_ path: String) throws {
        let store = try StoreFile(path: path)
        let old = try #require(embeddedModel(of: store))
        let layout = try storedLayout(of: old, store.metadata(), store.schema())
        let number = try #require(old.entities.firstIndex { $0.parentEntity == nil })
        var new = old
        new.entities[number].attributes.append(Attribute("momtoolAdded", .string))
        let table = try #require(layout.table(of: old.entities[number].name)?.name)
        try withFolder { folder in
            let copy = folder.appending(path: "New.sqlite").path
            let migration = try Migration(of: store, from: old, to: new)
            try migration.run(from: store, toNewFile: copy, options: MigrationOptions())
            let always: Set = ["Z_METADATA", "Z_MODELCACHE", "Z_PRIMARYKEY", table]
            let before = try store.contents(without: always)
            let after = try StoreFile(path: copy).contents(without: always)
            #expect(Set(before.keys) == Set(after.keys), "\(path)")
            for (name, rows) in before { #expect(after[name] == rows, "\(path): \(name)") }
            let (left, right) = (
                try objects(of: path, without: table), try objects(of: copy, without: table)
            )
            #expect(left == right, "\(path)")
            // In the table itself the old columns keep their values.
            let columns = try store.connection.rows(
                "SELECT name FROM pragma_table_info(?)",
                [.text(table)]
            ).compactMap(\.first?.text)
            let list = columns.map(quotedIdentifier).joined(separator: ", ")
            let sql = "SELECT \(list) FROM \(quotedIdentifier(table)) ORDER BY Z_PK"
            #expect(try store.connection.rows(sql) == StoreFile(path: copy).connection.rows(sql))
        }
    }
}
