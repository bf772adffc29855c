import Diagnostics
import Foundation
import MappingInference
import ModelHashing
import ModelLoading
import ObjectModel
import StoreFormat
import StoreMigration
import TestSupport
import Testing

@Suite(.enabled(if: Corpus.isPresent, "the corpus is not there"))
struct CorpusMigrationTests {
    /// A store with the bundles of the versions to migrate to, in order.
    static let families: [(stores: String, bundles: [String])] = [
        (
            "duckduckgo+BrowserServicesKit/Tests/BookmarksTests",
            ["duckduckgo+BrowserServicesKit/Sources/Bookmarks/BookmarksModel.xcdatamodeld"]
        ),
        (
            "duckduckgo+BrowserServicesKit/Tests/DDGSyncTests",
            ["duckduckgo+BrowserServicesKit/Sources/DDGSync/SyncMetadata.xcdatamodeld"]
        ),
        (
            "alemar11+CoreDataPlus/Tests/Resources/SampleModel/",
            ["alemar11+CoreDataPlus/Tests/Resources/SampleModel/SampleModel.xcdatamodeld"]
        ),
        (
            "alemar11+CoreDataPlus/Tests/Resources/SampleModel3/",
            ["alemar11+CoreDataPlus/Tests/Resources/SampleModel3/SampleModel3.xcdatamodeld"]
        ),
        (
            "objcio+core-data/Migrations/MigrationsTests",
            ["objcio+core-data/Migrations/Migrations/Moody.xcdatamodeld"]
        ),
        (
            "richardpiazza+XcodeServer/Tests",
            ["1_0_0", "1_1_0", "2_0_0"].map {
                "richardpiazza+XcodeServer/Sources/XcodeServerModel_\($0)"
                    + "/Resources/XcodeServer.xcdatamodeld"
            }
        ),
        (
            "apptentive+apptentive-ios/Apptentive/ApptentiveTests/data",
            ["apptentive+apptentive-ios/Apptentive/Apptentive/Model/ATDataModel.xcdatamodeld"]
        ),
        (
            "richardpiazza+TranslationCatalog/Tests",
            ["1", "2", "3"].map {
                "richardpiazza+TranslationCatalog/Sources/TranslationCatalogCoreData"
                    + "/Resources/CatalogModel_\($0).xcdatamodeld"
            }
        ),
        (
            "kasianov-mikhail+scout/history",
            ["kasianov-mikhail+scout/Sources/Scout/Persistence/ScoutModel.xcdatamodeld"]
        ),
    ]

    @Test(arguments: families.indices)
    func `stores migrate to each later version that is inferable, and lose nothing`(
        index: Int
    ) throws {
        let (stores, bundles) = Self.families[index]
        let versions = bundles.flatMap { readModelBundle(at: Corpus.path($0)).value.versions }
        let paths = Corpus.paths { path in
            path.hasPrefix(stores) && [".sqlite", ".moody"].contains { path.hasSuffix($0) }
        }
        #expect(!paths.isEmpty)
        for path in paths {
            try migrate(path, through: versions)
        }
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
        guard inferMapping(from: source.model, to: target.model).isInferable else {
            let mapping = inferMapping(from: source.model, to: target.model)
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
