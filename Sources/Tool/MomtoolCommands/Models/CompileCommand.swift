import ArgumentParser
import Diagnostics
import Essentials
import ModelCompiling
import ModelLoading
import Momtool
import MomtoolReporting

struct CompileCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "compile",
        abstract: "Compile models and mapping models as Apple's compilers do.",
        discussion: """
            An .xcdatamodeld becomes a .momd, an .xcdatamodel a .mom, and an
            .xcmappingmodel a .cdm. The same input always gives the same bytes, and files
            that already have these bytes are not written again.

            Core Data opens a store only if the hashes of all entities match. So Swift
            sources with an entity that momtool does not understand are refused; with
            --partial the entity is compiled in part, and has another hash.

            EXAMPLE
              momtool compile Shop.xcdatamodeld -o build
              momtool compile Shop.xcdatamodeld -o build/Shop.momd \\
                --module Shop --depfile build/Shop.d
            """
    )

    @Argument(
        help: "The sources: .xcdatamodeld, .xcdatamodel, .xcmappingmodel or Swift.",
        completion: .model
    )
    var models: [String]

    @Option(name: .shortAndLong, help: "The folder for the result, or its path with the extension.")
    var output: String

    @Option(help: "The module to put before class names that begin with a dot.") var module: String?

    @Option(help: "Write a makefile with the files that the result depends on.")
    var depfile: String?

    @Option(
        help: ArgumentHelp(
            "Write what this version of Xcode writes, including its number.",
            valueName: "16.4"
        )
    )
    var xcodeVersion: XcodeVersion?

    @Option(
        help: "For a mapping model: the old model, such as App.xcdatamodeld#V1.",
        completion: .model
    )
    var sourceModel: String?

    @Option(help: "For a mapping model: the new model.", completion: .model)
    var destinationModel: String?

    @Flag(
        help:
            "For Swift sources: compile the understood parts of entities that are not understood completely."
    )
    var partial = false

    @OptionGroup var swift: SwiftOptions

    @OptionGroup var report: OutputOptions<TextFormats>

    func validate() throws {
        let extensions = [".momd", ".mom", ".cdm"]
        if models.count > 1, extensions.contains(where: output.hasSuffix) {
            throw ValidationError("name a folder with -o for several models")
        }
        if models.count > 1, depfile != nil { throw ValidationError("--depfile takes one model") }
    }

    func run() throws {
        var options = CompilerOptions(moduleName: module)
        xcodeVersion?.apply(to: &options)
        var batch = Batch()
        let results = try batch.results(of: models) { try compiled($0, options) }
        let arguments = models + [sourceModel, destinationModel].compactMap(\.self)
        var work = WorkReport()
        try Compilation.write(results, dependenciesTo: depfile, reading: arguments) {
            result,
            hasWritten in
            let count = result.versions.count
            let versions = count == 0 ? "" : ", \(count.counted("version"))"
            let state = hasWritten ? "written" : "up to date"
            let path = result.output.path
            UnreportedWork.note("\(path) is \(state)")
            work.add(path, hasWritten ? .written : .unchanged, "\(path): \(state)\(versions)")
        }
        // Standard output has nothing but the model.
        if output != "-" || !report.isForPeople { try report.deliver(work, sparing: arguments) }
        try batch.finish()
    }

    private func compiled(
        _ model: String,
        _ options: CompilerOptions
    ) throws -> Compilation.Result {
        var compilation = try Compilation(of: model, swift.settings)
        compilation.options = options
        compilation.isPartial = partial
        compilation.mappedModels = (sourceModel, destinationModel)
        let compiled = try compilation.compile(to: output)
        Console.show(compiled.diagnostics)
        guard !compiled.hasErrors else {
            let isMissing = compiled.diagnostics.contains { $0.rule == .unreadableFile }
            throw CommandFailure(shown: compiled.diagnostics, isMissing ? .noInput : .badData)
        }
        return compiled.value
    }
}

/// A version of Xcode, as `16.4` or as the number in compiled models, `160400`.
struct XcodeVersion: ExpressibleByArgument {
    /// The number in compiled models.
    let number: Int

    init?(argument: String) {
        let parts = argument.split(separator: ".", omittingEmptySubsequences: false)
            .map { Int($0) ?? -1 }
        guard (1...3).contains(parts.count), parts.allSatisfy({ (0...999_999).contains($0) }),
            parts.dropFirst().allSatisfy({ $0 < 100 })
        else { return nil }
        let isWhole = parts.count == 1 && parts[0] >= 10_000
        let minor = parts.count > 1 ? parts[1] : 0
        let patch = parts.count > 2 ? parts[2] : 0
        number = isWhole ? parts[0] : parts[0] * 10_000 + minor * 100 + patch
    }

    /// Sets the era of the version, and the number that compilers record since Xcode 13.4.
    func apply(to options: inout CompilerOptions) {
        switch number {
        case ..<90_000: options.era = .xcode8
        case ..<130_400: options.era = .xcode9
        case ..<150_000: options.era = .xcode13
        default: options.era = .xcode15
        }
        if number >= 130_400 { options.xcodeVersion = number }
    }
}
