import Diagnostics
import Foundation
import ModelCompiling
import ModelHashing
import ModelLoading
import ObjectModel
import PropertyLists
import TestSupport
import Testing

struct VersionInfoTests {
    private let model = ManagedObjectModel(
        entities: [Entity(name: "Person", attributes: [Attribute(name: "name", type: .string)])]
    )

    @Test func `a bundle has one file for each version and one that describes them`() throws {
        let versions = ["App", "App 2", "App"].map { NamedModel(name: $0, model: model) }
        let bundle = compileBundle(versions, currentVersionName: "App 2")
        #expect(bundle.diagnostics.isEmpty)
        #expect(bundle.value.map(\.name) == ["App 2.mom", "App.mom", "VersionInfo.plist"])
        let info = try readPropertyList(bundle.value[2].bytes)
        #expect(info["NSManagedObjectModel_CurrentVersionName"] == .string("App 2"))
        let hashes = versionHashes(of: model)
        let person = try #require(hashes.entities["Person"])
        #expect(
            info["NSManagedObjectModel_VersionHashes"]?["App"]?["Person"]
                == .data(Data(person.bytes))
        )
        #expect(
            info["NSManagedObjectModel_VersionChecksums"]?["App 2"] == .string(hashes.checksum)
        )
        #expect(compileBundle(versions, currentVersionName: "App 2").value == bundle.value)
    }

    @Test func `older compilers write no checksums, and no current version unless it is named`() {
        let options = CompilerOptions(era: .xcode9)
        let versions = [NamedModel(name: "App", model: model)]
        let bundle = compileBundle(versions, currentVersionName: nil, options: options)
        let info = bundle.value.last.flatMap { try? readPropertyList($0.bytes) }
        #expect(info?.dictionary?.keys.sorted() == ["NSManagedObjectModel_VersionHashes"])
    }

    @Test(.enabled(if: Corpus.isPresent))
    func `every compiled bundle of the corpus gives the version info beside it`() throws {
        let paths = Corpus.paths { $0.hasSuffix("/VersionInfo.plist") }
        var count = 0
        for path in paths {
            let file = URL(fileURLWithPath: Corpus.path(path))
            let recorded = try readPropertyList(try Data(contentsOf: file))
            let folder = file.deletingLastPathComponent()
            let names = recorded["NSManagedObjectModel_VersionHashes"]?.dictionary?.keys.sorted()
            let files = (names ?? []).map { folder.appending(path: $0 + ".mom") }
            // Some folders of the corpus hold a part of their bundle only.
            guard !files.isEmpty,
                files.allSatisfy({ FileManager.default.fileExists(atPath: $0.path) })
            else { continue }
            let versions = try zip(names ?? [], files).map { name, file in
                let model = readCompiledModel(try Data(contentsOf: file), path: file.path).value
                return (name, versionHashes(of: model))
            }
            let info = versionInfo(
                hashes: Dictionary(uniqueKeysWithValues: versions),
                currentVersionName: recorded["NSManagedObjectModel_CurrentVersionName"]?.string,
                hasChecksums: recorded["NSManagedObjectModel_VersionChecksums"] != nil
            )
            #expect(info == recorded, "\(path)")
            count += 1
        }
        print("version infos: \(count) of \(paths.count) in whole bundles, all compared equal")
        #expect(count >= 15)
    }
}
