import Diagnostics
import Foundation
import ModelHashing
import ModelLoading
import ObjectModel
import StoreFormat
import TestSupport
import Testing

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

    @Test func `every store is identified among the models of its project, or known not to be`()
        throws
    {
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
        let stores = Corpus.paths { path in
            [".sqlite", ".moody"].contains { path.hasSuffix($0) }
        }
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
