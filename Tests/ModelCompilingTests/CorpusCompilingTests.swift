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

    @Test func `every source compiles to the graph that Xcode made of it`() throws {
        let outcomes = try Self.outcomes()
        let equal = outcomes.filter(\.differences.isEmpty)
        print("compiled models: \(outcomes.count), equal graphs: \(equal.count)")
        for outcome in outcomes where !outcome.differences.isEmpty {
            print("DIFFERS \(outcome.compiled)\n  from \(outcome.source)")
            for difference in outcome.differences.prefix(6) { print("    \(difference)") }
        }
        #expect(outcomes.count >= 40)
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

/// The compiled models of the corpus, and how they were made.
enum CompiledCorpus {
    static let paths = Corpus.paths { path in
        var isFolder: ObjCBool = false
        return path.hasSuffix(".mom")
            && FileManager.default.fileExists(atPath: Corpus.path(path), isDirectory: &isFolder)
            && !isFolder.boolValue
    }

    /// Returns the options that an archive may have been compiled with.
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

    /// A class name with a dot may be one that the compiler completed, or one that was written so.
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
