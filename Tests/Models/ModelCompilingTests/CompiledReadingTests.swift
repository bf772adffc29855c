import Diagnostics
import Foundation
import ModelCompiling
import ModelHashing
import ModelLoading
import ObjectModel
import PropertyLists
import TestSupport
import Testing

/// Reads the compiled models of the corpus back, and compares the hashes beside them.
@Suite(.enabled(if: Corpus.isPresent))
struct CompiledReadingTests {
    private static func archive(_ path: String) throws -> KeyedArchive {
        try KeyedArchive(try Data(contentsOf: URL(fileURLWithPath: Corpus.path(path))))
    }

    @Test func `every compiled model is read without a finding`() throws {
        #expect(CompiledCorpus.paths.count >= 44)
        for path in CompiledCorpus.paths {
            let model = readCompiledModel(try Self.archive(path), path: path)
            #expect(model.diagnostics.map(\.description) == [], "\(path)")
            #expect(!model.value.entities.isEmpty, "\(path)")
        }
    }

    @Test func `a model that was read compiles to the same graph again`() throws {
        for path in CompiledCorpus.paths {
            let archive = try Self.archive(path)
            let model = readCompiledModel(archive, path: path).value
            let differences = CompiledCorpus.options(of: archive).map { options in
                var options = options
                options.moduleName = nil
                let compiled = compileModel(model, options: options)
                return GraphComparison.differences(compiled.value, archive)
                    + compiled.diagnostics.map(\.description)
            }
            let least = differences.min { $0.count < $1.count } ?? []
            #expect(least == [], "\(path)")
        }
    }

    @Test func `the hashes of a model that was read are those that Xcode wrote`() throws {
        var count = 0
        for path in CompiledCorpus.paths {
            let folder = URL(fileURLWithPath: Corpus.path(path)).deletingLastPathComponent()
            let name = URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
            guard let bytes = try? Data(contentsOf: folder.appending(path: "VersionInfo.plist")),
                let recorded = try readPropertyList(bytes)["NSManagedObjectModel_VersionHashes"]?[
                    name
                ]?.dictionary
            else { continue }
            let model = readCompiledModel(try Self.archive(path), path: path).value
            let hashes = versionHashes(of: model)
            #expect(hashes.entityNames.count == recorded.count, "\(path)")
            for entity in hashes.entityNames {
                let expected = recorded[entity]?.data.map { Array($0) }
                #expect(hashes.entities[entity]?.bytes == expected, "\(path): \(entity)")
                count += 1
            }
        }
        print("hashes of compiled models that are those of VersionInfo.plist: \(count)")
        #expect(count > 300)
    }
}
