import Diagnostics
import Foundation
import ModelCompiling
import ModelHashing
import ModelLoading
import ObjectModel
import PropertyLists
import StoreFormat
import TestSupport
import Testing

struct CompiledBundleTests {
    private let model = ManagedObjectModel([Entity("Person", [Attribute("name", .string)])])

    private func read(_ files: [String: Data], as name: String = "App.momd") throws
        -> Diagnosed<ModelBundle>
    {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        let bundle = folder.appending(path: name)
        try FileManager.default.createDirectory(at: bundle, withIntermediateDirectories: true)
        for (name, bytes) in files { try bytes.write(to: bundle.appending(path: name)) }
        return readModelBundle(at: bundle.path)
    }

    private func compiled(_ names: [String], current: String?) -> [String: Data] {
        let versions = names.map { ModelVersion(name: $0, model: model) }
        let files = compileBundle(versions, currentVersionName: current).value
        return Dictionary(uniqueKeysWithValues: files.map { ($0.name, $0.bytes) })
    }

    @Test func `a compiled bundle is read with its versions and the current one`() throws {
        let bundle = try read(compiled(["App", "App 10", "App 2"], current: "App 10"))
        #expect(bundle.diagnostics == [])
        #expect(bundle.value.versions.map(\.name) == ["App", "App 2", "App 10"])
        #expect(bundle.value.currentVersion?.name == "App 10")
        #expect(bundle.value.versions.map(\.model) == [model, model, model])
    }

    @Test func `the only version is the current one, with version info or without`() throws {
        var files = compiled(["App"], current: nil)
        #expect(try read(files).value.currentVersion?.name == "App")
        files["VersionInfo.plist"] = nil
        #expect(try read(files).value.currentVersion?.name == "App")
    }

    @Test func `a current version that is missing and damaged version info are errors`() throws {
        var files = compiled(["App", "App 2"], current: "App 3")
        #expect(try read(files).diagnostics.map(\.rule) == [.missingCurrentVersion])
        files["VersionInfo.plist"] = Data("bplist00".utf8)
        #expect(try read(files).diagnostics.map(\.rule) == [.unreadableFile])
    }

    @Test func `a damaged version leaves the others readable`() throws {
        var files = compiled(["App", "App 2"], current: "App")
        files["App 2.mom"] = Data("version https://git-lfs.github.com/spec/v1".utf8)
        let bundle = try read(files)
        #expect(bundle.diagnostics.map(\.rule) == [.notAModel])
        #expect(bundle.value.version(named: "App")?.model == model)
    }

    @Test func `an empty bundle and a missing file are errors`() throws {
        #expect(try read([:]).diagnostics.map(\.rule) == [.notAModel])
        let missing = readModelBundle(at: "/nonexistent/App.mom")
        #expect(missing.diagnostics.map(\.rule) == [.unreadableFile])
    }
}

/// Compares the model caches in stores of the corpus with the hashes in the same stores.
@Suite(.enabled(if: Corpus.isPresent))
struct ModelCacheTests {
    static let stores = Corpus.paths { $0.hasSuffix(".sqlite") || $0.hasSuffix(".moody") }

    /// What run-time archives hold and models have no place for, by repository.
    static let expectedFindings: Set<String> = [
        "the archived CoreDataPlus_Tests.Cover under 'NSDefaultValue' is not understood",
        "the archived NSArray under 'NSSortDescriptors' is not understood",
        "the archived NSCompoundPredicate under 'NSValidationPredicates' is not understood",
        "the archived NSComparisonPredicate under 'NSValidationPredicates' is not understood",
    ]

    @Test func `every model cache is read, and its hashes are those of its store`() throws {
        var caches = 0
        var entities = 0
        var equal = 0
        for path in Self.stores {
            guard let store = try? StoreFile(path: Corpus.path(path)),
                let bytes = try store.modelArchive()
            else { continue }
            caches += 1
            let model = readCompiledModel(bytes, path: path)
            for diagnostic in model.diagnostics
            where !Self.expectedFindings.contains(diagnostic.message) {
                Issue.record("\(diagnostic)")
            }
            let recorded = try store.metadata().hashes
            let computed = versionHashes(of: model.value)
            #expect(computed.entityNames == recorded.entityNames, "\(path)")
            for name in recorded.entityNames {
                entities += 1
                if computed.entities[name] == recorded.entities[name] { equal += 1 }
                #expect(computed.entities[name] == recorded.entities[name], "\(path): \(name)")
            }
        }
        print("model caches: \(caches), entities: \(entities), equal hashes: \(equal)")
        #expect(caches >= 43)
    }
}

/// Compares archives with those that another implementation of the same rules gives (`Fixtures/Vectors`).
struct RuleVectorTests {
    @Test(arguments: Vectors.names)
    func `a source compiles to the graph of the vector`(name: String) throws {
        let model = readModel(contents: try Vectors.source(name), path: name).value
        let compiled = compileModel(model, options: CompilerOptions())
        #expect(compiled.diagnostics == [])
        let expected = try KeyedArchive(try Vectors.archive(name))
        #expect(GraphComparison.differences(compiled.value, expected) == [])
    }

    @Test(arguments: Vectors.names)
    func `the archive of the vector is read as the model that it was made of`(name: String) throws {
        let source = readModel(contents: try Vectors.source(name), path: name).value
        let read = readCompiledModel(try Vectors.archive(name), path: name)
        #expect(read.diagnostics == [])
        #expect(versionHashes(of: read.value) == versionHashes(of: source))
        let again = compileModel(read.value, options: CompilerOptions())
        let expected = try KeyedArchive(try Vectors.archive(name))
        #expect(GraphComparison.differences(again.value, expected) == [])
    }

    @Test func `the vectors have everything that has a key of its own in an archive`() throws {
        let models = try Vectors.names.map {
            readModel(contents: try Vectors.source($0), path: $0).value
        }
        let entities = models.flatMap(\.entities)
        let attributes = entities.flatMap(\.attributes)
        for flag in PropertyFlag.allCases where flag != .cloudEncryption {
            #expect(attributes.contains { $0.flags[flag] }, "\(flag)")
        }
        let kinds = attributes.compactMap(\.defaultValue).compactMap {
            Mirror(reflecting: $0).children.first?.label
        }
        #expect(Set(kinds).count == 7)
        #expect(attributes.contains { !$0.validation.isEmpty })
        #expect(
            attributes.contains { !$0.userInfo.isEmpty }
                && entities.contains { !$0.userInfo.isEmpty }
        )
        #expect(attributes.contains { $0.renamingIdentifier != nil })
        #expect(entities.contains { $0.renamingIdentifier != nil && $0.className != nil })
        #expect(entities.contains { $0.className == nil })
        #expect(entities.contains { !$0.fetchedProperties.isEmpty })
        let indexes = entities.flatMap(\.fetchIndexes)
        #expect(Set(indexes.flatMap(\.elements).map(\.isAscending)).count == 2)
        #expect(indexes.contains { $0.elements.count == 2 })
        #expect(models.contains { $0.configurations.count == 2 })
        #expect(models.contains { $0.fetchRequestTemplates.count == 2 })
        #expect(Set(models.flatMap(\.versionIdentifiers)).count >= 3)
    }
}

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

struct TextArchiveTests {
    /// The text form writes the number of an object as a dictionary.
    private func text(_ list: PropertyList) -> String {
        func escaped(_ text: String) -> String {
            text.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
        }
        switch list {
        case .dictionary(let values):
            let entries = values.sorted { $0.key < $1.key }.map {
                "<key>\(escaped($0.key))</key>" + text($0.value)
            }
            return "<dict>\(entries.joined())</dict>"
        case .array(let values): return "<array>\(values.map(text).joined())</array>"
        case .string(let value): return "<string>\(escaped(value))</string>"
        case .uid(let number): return "<dict><key>CF$UID</key><integer>\(number)</integer></dict>"
        case .boolean(let value): return value ? "<true/>" : "<false/>"
        case .data(let bytes): return "<data>\(bytes.base64EncodedString())</data>"
        case .integer(let number): return "<integer>\(number)</integer>"
        case .real64(let number): return "<real>\(number)</real>"
        default: return "<string>unknown</string>"
        }
    }

    @Test(.enabled(if: Corpus.isPresent))
    func `a compiled model in the text form is read as in the binary one`() throws {
        let paths = Corpus.paths { $0.hasSuffix(".xcdatamodel/contents") }.prefix(40)
        for path in paths {
            let source = try Data(contentsOf: URL(fileURLWithPath: Corpus.path(path)))
            let model = readModel(contents: source, path: path).value
            let archive = compileModel(model).value
            let list = text(try readPropertyList(archive.binaryData))
            let bytes = Data("<?xml version=\"1.0\"?><plist version=\"1.0\">\(list)</plist>".utf8)
            let read = readCompiledModel(bytes, path: path)
            #expect(!read.hasErrors, "\(path)")
            #expect(versionHashes(of: read.value) == versionHashes(of: model), "\(path)")
        }
        #expect(paths.count == 40)
    }

    @Test func `a maximum of -1 comes back from archive and source`() throws {
        let model = ManagedObjectModel([
            Entity(
                "A",
                relationships: [
                    Relationship(name: "r", isToMany: true, maxCount: -1, destinationEntity: "A")
                ]
            )
        ])
        let archive = compileModel(model)
        #expect(!archive.hasErrors)
        let read = readCompiledModel(archive.value.binaryData, path: "A.mom")
        #expect(read.value.entities[0].relationships[0].maxCount == -1)
        #expect(read.value.entities[0].relationships[0].isToMany)
        let source = readModel(contents: Data(modelContents(of: read.value).value.utf8), path: "c")
        #expect(!source.hasErrors)
        #expect(source.value.entities[0].relationships[0].maxCount == -1)
        #expect(versionHashes(of: source.value) == versionHashes(of: model))
    }
}
