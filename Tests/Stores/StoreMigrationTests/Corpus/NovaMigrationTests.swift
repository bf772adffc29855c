import Diagnostics
import Foundation
import MigrationTesting
import ModelLoading
import ObjectModel
import StoreFormat
import StoreMigration
import TestSupport
import Testing

/// The wallet opens every older version at its current one in one step, and stops where that fails.
@Suite(.enabled(if: Corpus.isPresent, "the corpus is not there"))
struct NovaMigrationTests {
    private static let versions = readModelBundle(
        at: Corpus.path(
            "novasamatech+nova-wallet-ios/novawallet/Common/Storage/"
                + "SubstrateDataModel.xcdatamodeld"
        )
    ).value.versions

    @Test(arguments: 1...38)
    func `a store with rows comes to version 39`(number: Int) throws {
        let name = "SubstrateDataModel" + (number == 1 ? "" : "\(number)")
        let source = try #require(Self.versions.first { $0.name == name })
        let target = try #require(Self.versions.first { $0.name == "SubstrateDataModel39" })
        try withFolder { folder in
            let path = folder.appending(path: "Old.sqlite").path
            try makeSampleStore(at: path, model: source.model, keepsHistory: true)
            let store = try StoreFile(path: path)
            let migration = try Migration(of: store, from: source, to: target)
            let new = folder.appending(path: "New.sqlite").path
            let losses = try migration.run(from: store, toNewFile: new, options: .agreed)
            #expect(losses == (try migration.findings(in: store)))
            try expectWhole(new, from: store, migration, name)
        }
    }
}
