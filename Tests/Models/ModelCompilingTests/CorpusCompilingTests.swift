import Diagnostics
import Foundation
import ModelCompiling
import ModelLoading
import ObjectModel
import PropertyLists
import TestSupport
import Testing

/// Compiles the sources of the corpus and compares the result with what Xcode made of them.
@Suite(.enabled(if: Corpus.isPresent))
struct CorpusCompilingTests {
    struct Outcome {
        var compiled: String
        var source: String
        var differences: [String]
    }

    /// Compiled models whose source is not in the corpus as it was, by the end of their path, with the difference of
    /// the nearest source.
    static let staleSources: [(compiled: String, difference: String)] = [
        ("6cebca14fe/SwiftGen.playground/Resources/Model.momd/Model 2.mom", "user info of enums"),
        ("b617951569/SwiftGen.playground/Resources/Model.momd/Model 2.mom", "derived attributes"),
        ("e400f959ab/SwiftGen.playground/Resources/Model.momd/Model 2.mom", "a class name"),
        (
            "CoreDataPlus/Tests/Resources/SampleModel/Fixtures/SampleModel.momd/SampleModel.mom",
            "the class of 'color'"
        ),
        (
            "1d81400789/Tests/Resources/SampleModel3/Fixtures/SampleModel3.momd/SampleModel3.mom",
            "the version identifier"
        ),
        (
            "7aa3e8e9a6/Tests/Resources/SampleModel/Fixtures/SampleModel.momd/SampleModel.mom",
            "the attribute 'color'"
        ),
        ("8888e77fd2/Tests/SampleModel.momd/SampleModel.mom", "the attribute 'id'"),
        (
            "ed114f8f0a/Tests/Resources/SampleModel/Fixtures/SampleModel3.momd/SampleModel3.mom",
            "the version identifier"
        ),
        (
            "d59bb30668/JivoSDK/Sources/Shared/Models/JVDatabase.momd/JVDatabase_v4.mom",
            "module in class names"
        ),
        (
            "c6a7fea498/Sources/XcodeServerModel_2_0_0/Resources/XcodeServer.momd_precompiled/XcodeServer.mom",
            "relationships"
        ),
    ]

    @Test func `every source compiles to the graph that Xcode made of it`() throws {
        let outcomes = try Self.outcomes()
        let equal = outcomes.filter(\.differences.isEmpty)
        print("compiled models: \(outcomes.count), equal graphs: \(equal.count)")
        for outcome in outcomes {
            let isStale = Self.staleSources.contains { outcome.compiled.hasSuffix($0.compiled) }
            #expect(
                outcome.differences.isEmpty || isStale,
                "\(outcome.compiled) from \(outcome.source): \(outcome.differences.prefix(6))"
            )
        }
        #expect(outcomes.count >= 44)
        #expect(equal.count >= 34)
    }

    private static func outcomes() throws -> [Outcome] {
        let sources = Corpus.paths { $0.hasSuffix(".xcdatamodel/contents") }
        let models = try sources.map { path in
            let bytes = try Data(contentsOf: URL(fileURLWithPath: Corpus.path(path)))
            return (path: path, model: readModel(contents: bytes, path: path).value)
        }
        var outcomes: [Outcome] = []
        for path in CompiledCorpus.paths {
            let bytes = try Data(contentsOf: URL(fileURLWithPath: Corpus.path(path)))
            let archive = try KeyedArchive(bytes)
            let repository = path.prefix { $0 != "/" } + "/"
            var best: Outcome?
            for source in models where source.path.hasPrefix(repository) {
                for options in CompiledCorpus.options(of: archive) {
                    let compiled = compileModel(source.model, options: options).value
                    let differences = GraphComparison.differences(compiled, archive)
                    if differences.count < best?.differences.count ?? .max {
                        best = Outcome(
                            compiled: path,
                            source: source.path,
                            differences: differences
                        )
                    }
                    if differences.isEmpty { break }
                }
                if best?.differences.isEmpty == true { break }
            }
            if let best { outcomes.append(best) }
        }
        return outcomes
    }
}

enum CompiledCorpus {
    static let paths = Corpus.paths { path in
        var isFolder: ObjCBool = false
        return path.hasSuffix(".mom")
            && FileManager.default.fileExists(atPath: Corpus.path(path), isDirectory: &isFolder)
            && !isFolder.boolValue
    }

    static func options(of archive: KeyedArchive) -> [CompilerOptions] {
        guard let root = archive.root.flatMap({ archive.instance($0) }) else { return [] }
        var options = CompilerOptions(moduleName: moduleName(in: archive))
        if case .plain(.real64(let version)) = root.values["CDMCompilerToolVersion"] {
            options.toolsVersion = version
        }
        if case .plain(.integer(let version)) = root.values["CDMCompilerXcodeVersion"] {
            options.xcodeVersion = Int(version)
            return variants(options)
        }
        var older = options
        older.era = .xcode9
        var targetingOld = older
        targetingOld.targetsSystemsWithoutFetchIndexes = true
        var oldest = options
        oldest.era = .xcode8
        return [older, targetingOld, oldest].flatMap(variants)
    }

    /// A class name with a dot may have been completed by the compiler, or written so.
    private static func variants(_ options: CompilerOptions) -> [CompilerOptions] {
        var plain = options
        plain.moduleName = nil
        return options.moduleName == nil ? [options] : [options, plain]
    }

    private static func moduleName(in archive: KeyedArchive) -> String? {
        for case .instance(let instance) in archive.objects {
            if case .reference(let name) = instance.values["NSClassNameForEntity"],
                case .plain(.string(let text)) = archive[name], text.contains("."),
                !text.hasPrefix(".")
            {
                return String(text.prefix { $0 != "." })
            }
        }
        return nil
    }
}
