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
    private let model = ManagedObjectModel([Entity("Person", [Attribute("name", .string)])])

    @Test func `a bundle has one file for each version and one that describes them`() throws {
        let versions = ["App", "App 2", "App"].map { ModelVersion(name: $0, model: model) }
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
        #expect(info["NSManagedObjectModel_VersionChecksums"]?["App 2"] == .string(hashes.checksum))
        #expect(compileBundle(versions, currentVersionName: "App 2").value == bundle.value)
    }

    @Test func `older compilers write no checksums, and no current version unless it is named`() {
        let options = CompilerOptions(era: .xcode9)
        let versions = [ModelVersion(name: "App", model: model)]
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
            // Some folders of the corpus hold only a part of their bundle.
            guard !files.isEmpty,
                files.allSatisfy({ FileManager.default.fileExists(atPath: $0.path) })
            else { continue }
            let versions = try zip(names ?? [], files).map { name, file in
                let model = readCompiledModel(try Data(contentsOf: file), path: file.path).value
                return ModelVersion(name: name, path: file.path, model: model)
            }
            let info = versionInfo(
                of: versions,
                currentVersionName: recorded["NSManagedObjectModel_CurrentVersionName"]?.string,
                hasChecksums: recorded["NSManagedObjectModel_VersionChecksums"] != nil
            )
            #expect(info == recorded, "\(path)")
            count += 1
        }
        print("version infos: \(count) of \(paths.count) in whole bundles, all compared equal")
        #expect(count >= 15)
    }

    /// Compiled bundles whose sources the corpus does not hold as they were, with what is missing.
    ///
    /// The test above shows that the sources differ: the models compiled beside give the version info.
    static let staleSources: [(compiled: String, missing: String)] = [
        ("cb4e6cd0da/Sources/CartKitStorageCoreData/Resources/CartStorage.momd", "the version"),
        ("6cebca14fe/SwiftGen.playground/Resources/Model.momd", "the version"),
        ("e400f959ab/SwiftGen.playground/Resources/Model.momd", "the version"),
        ("1d81400789/Tests/Resources/SampleModel3/Fixtures/SampleModel3.momd", "two versions"),
        ("8888e77fd2/Tests/SampleModel.momd", "the version"),
        ("bcd60e2e61/Tests/Resources/SampleModel/Fixtures/SampleModel.momd", "the version"),
        ("ed114f8f0a/Tests/Resources/SampleModel/Fixtures/SampleModel3.momd", "the version"),
        ("PrecompiledResources/CatalogModel_3.momd_precompiled", ".xccurrentversion"),
        (
            "cd9226d312/Sources/XcodeServerCoreData/Resources/XcodeServer.momd_precompiled",
            ".xccurrentversion"
        ),
    ]

    private typealias Source = (path: String, bundle: ModelBundle)

    @Test(.enabled(if: Corpus.isPresent))
    func `sources give the version info that Xcode made of them`() throws {
        let sources: [Source] = Set(
            Corpus.paths { $0.hasSuffix(".xcdatamodel/contents") }.map { path in
                path.split(separator: "/").dropLast(2).joined(separator: "/")
            }
        ).filter { $0.hasSuffix(".xcdatamodeld") }.sorted().map { path in
            (path, readModelBundle(at: Corpus.path(path)).value)
        }
        var table: [(path: String, source: String, verdict: String)] = []
        for path in Corpus.paths(where: { $0.hasSuffix("/VersionInfo.plist") }) {
            let bytes = try Data(contentsOf: URL(fileURLWithPath: Corpus.path(path)))
            guard let recorded = try? readPropertyList(bytes),
                let hashes = recorded["NSManagedObjectModel_VersionHashes"]?.dictionary
            else { continue }
            let repository = path.prefix { $0 != "/" } + "/"
            let candidates = sources.filter { source in
                source.path.hasPrefix(repository)
                    && source.bundle.versions.map(\.name).sorted() == hashes.keys.sorted()
            }
            guard !candidates.isEmpty else { continue }
            let verdicts = candidates.map { (verdict($0.bundle, recorded), $0.path) }
            // The source that differs least is the likeliest.
            let best = verdicts.min { $0.0.count < $1.0.count } ?? verdicts[0]
            table.append((path, best.1, best.0))
        }
        for row in table { print("\(row.verdict)\t\(row.path)\t\(row.source)") }
        let equal = table.filter { $0.verdict == "equal" }
        print("version infos with sources: \(table.count), equal: \(equal.count)")
        for row in table where row.verdict != "equal" {
            let isStale = Self.staleSources.contains {
                row.path.hasSuffix($0.compiled + "/VersionInfo.plist")
            }
            #expect(isStale, "\(row)")
        }
        #expect(equal.count >= 15)
    }

    private func verdict(_ bundle: ModelBundle, _ recorded: PropertyList) -> String {
        let hasChecksums = recorded["NSManagedObjectModel_VersionChecksums"] != nil
        let compiled = compileBundle(
            bundle.versions,
            currentVersionName: bundle.namedCurrentVersion,
            options: CompilerOptions(era: hasChecksums ? .xcode15 : .xcode13)
        )
        guard let file = compiled.value.first(where: { $0.name == "VersionInfo.plist" }),
            let info = try? readPropertyList(file.bytes)
        else { return "no version info" }
        if info == recorded { return "equal" }
        let keys = Set((info.dictionary ?? [:]).keys).union((recorded.dictionary ?? [:]).keys)
        let differing = keys.filter { info[$0] != recorded[$0] }.sorted()
        return "differs in "
            + differing.map { $0.replacing("NSManagedObjectModel_", with: "") }
            .joined(separator: ", ")
    }
}
