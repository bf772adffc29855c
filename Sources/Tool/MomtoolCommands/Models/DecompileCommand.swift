import ArgumentParser
import Diagnostics
import FileSystem
import Essentials
import ModelCompiling
import ModelHashing
import ModelLoading
import ModelRebuilding
import Momtool
import ObjectModel
import MomtoolReporting
import StoreFormat

/// `momtool decompile`: makes sources of a compiled model.
struct DecompileCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "decompile",
        abstract: "Write the source of a compiled model, or of the model in a store.",
        discussion: """
            A .momd becomes an .xcdatamodeld; a .mom, or the model stored in a store,
            becomes an .xcdatamodel. When compiled, they give the same archives again.

            For a store without a model, the model is rebuilt from its metadata, schema
            and rows. Each entity is reported as proven, when it has the hash that is in
            the store, or as guessed, with a list of the guesses. Another version of the
            model, given with --like, supplies names and settings that are not in a store.
            After --seconds the rest is guessed without being tried.

            EXAMPLE
              momtool decompile Shop.app/Shop.momd -o Recovered
              momtool decompile Shop.sqlite -o Recovered
              momtool decompile Old.sqlite --like Shop.xcdatamodeld -o Recovered
            """
    )

    @Argument(help: "The models: .momd, .mom, a store, or any other form.", completion: .model)
    var models: [String]

    @Option(
        name: .shortAndLong,
        help: "The folder for the sources; - writes the contents of one version to standard output."
    )
    var output: String

    @Option(
        help:
            "A model similar to the missing one, for a store without a model; may be repeated, once for each store.",
        completion: .model
    )
    var like: [String] = []

    @Option(
        help:
            "For a store without a model: how long to search for proofs, in seconds. (default: 30)"
    )
    var seconds: Double?

    @OptionGroup var swift: SwiftOptions

    @OptionGroup var report: OutputOptions<TextFormats>

    func validate() throws {
        guard seconds.map({ $0 > 0 && $0 <= 1e6 }) ?? true else {
            throw ValidationError("--seconds is a number of seconds above 0")
        }
    }

    func run() throws {
        try MomtoolCommands.run {
            var batch = Batch()
            var bundles: [ModelBundle] = []
            let sources = try batch.results(of: models) { try decompiled($0, &bundles) }
            guard output != "-" else {
                try sendContents(of: sources)
                return try batch.finish()
            }
            try OutputFiles.check(sources, sparing: InputFiles(models))
            var work = WorkReport()
            for files in sources {
                let hasWritten = try files.write()
                let line = "\(files.path): \(hasWritten ? "written" : "up to date")"
                work.add(files.path, hasWritten ? .written : .unchanged, line)
            }
            try report.deliver(work, sparing: models)
            for bundle in bundles { _ = try batch.attempt(bundle.requireAllVersions) }
            try batch.finish()
        }
    }

    /// Writes the contents of the only version to standard output.
    private func sendContents(of sources: [OutputFiles]) throws {
        guard sources.count == 1, sources[0].files.count == 1 else {
            throw CommandFailure(
                usage: "an .xcdatamodeld is a folder; name one with -o, or one version as MODEL#V"
            )
        }
        try write(sources[0].files[0].bytes, to: .standardOutput)
    }

    private func decompiled(
        _ text: String,
        _ bundles: inout [ModelBundle]
    ) throws -> OutputFiles {
        var bundle =
            try rebuilt(text)
            ?? ModelArgument(text, swift.settings).load(restingOn: .allVersions)
        bundles.append(bundle)
        let isOneOfMany = bundle.selectedVersionName != nil
        if isOneOfMany { bundle.versions = [try bundle.chosenVersion(nil)] }
        let kind = ModelFileKind(at: bundle.path)
        let isBundle =
            !isOneOfMany
            && (bundle.versions.count > 1 || kind == .compiledBundle || kind == .versionedSource)
        let url = fileURL(isOneOfMany ? bundle.versions[0].path : bundle.path)
        let name = url.deletingPathExtension().lastPathComponent
        let folder = trimmedPath(output)
        let sources = isBundle ? sourceBundle(of: bundle) : loneSource(of: bundle)
        Console.show(sources.diagnostics)
        let path = "\(folder)/\(name).\(isBundle ? "xcdatamodeld" : "xcdatamodel")"
        let files = sources.value.map { file in
            OutputFile(path: path + "/" + file.path, bytes: file.bytes)
        }
        return OutputFiles(path: path, files: files, areModels: true)
    }

    /// Rebuilds the model of a store that carries none; `nil` for anything else.
    private func rebuilt(_ path: String) throws -> ModelBundle? {
        guard let store = try? StoreFile(path: path), (try? store.modelArchive()) == nil else {
            return nil
        }
        let versions = try like.flatMap { try ModelArgument($0, swift.settings).load().versions }
        // The newest version is the likeliest to be of help.
        let display = WorkDisplay("rebuild", unit: "entities proven")
        let limit = seconds ?? Self.usualSeconds
        let budget = RebuildingBudget(
            deadline: ContinuousClock.now + .seconds(limit),
            progress: { display.show($0, of: nil, "of \($1); ends after \(limit) s") }
        )
        defer { display.clear() }
        let rebuilt = try rebuildModel(
            of: store,
            resembling: versions.reversed().map(\.model),
            within: budget
        )
        display.clear()
        Console.show(rebuilt.diagnostics)
        if rebuilt.isCutShort {
            let message =
                "stopped after \(limit) s; --seconds gives the search for proofs more time"
            Console.show([
                Diagnostic(
                    "rebuilding-cut-short",
                    message,
                    severity: .note,
                    at: FileLocation(path: path)
                )
            ])
        }
        try check(rebuilt, path)
        let name = fileURL(path).deletingPathExtension().lastPathComponent
        let version = ModelVersion(name: name, path: path, isCurrent: true, model: rebuilt.model)
        return ModelBundle(path: path, versions: [version])
    }

    /// How long a model is rebuilt when nothing else is asked for.
    private static let usualSeconds = 30.0

    /// Refuses a model whose source would not be read as what it is, so that none is written that the next command refuses.
    private func check(_ rebuilt: RebuiltModel, _ path: String) throws {
        let contents = modelContents(of: rebuilt.model)
        let read = readModel(contents: Data(contents.value.utf8), path: path)
        let (found, wanted) = (versionHashes(of: read.value), versionHashes(of: rebuilt.model))
        guard !read.hasErrors, found == wanted else {
            let reasons = read.diagnostics.filter { $0.severity == .error }.prefix(3).map(
                \.worded.message
            )
            let message = "the model that was rebuilt contradicts itself"
            throw CommandFailure(
                .badData,
                path,
                reasons.isEmpty ? message : message + ": " + reasons.joined(separator: "; "),
                "rebuilt-model-refused"
            )
        }
    }

    private func loneSource(of bundle: ModelBundle) -> Diagnosed<[OutputFile]> {
        var diagnostics: [Diagnostic] = []
        let files = bundle.versions.map { version in
            let contents = modelContents(of: version.model)
            diagnostics += contents.diagnostics
            return OutputFile(path: "contents", bytes: Data(contents.value.utf8))
        }
        return Diagnosed(files, diagnostics)
    }

    private func sourceBundle(of bundle: ModelBundle) -> Diagnosed<[OutputFile]> {
        var diagnostics: [Diagnostic] = []
        var files = bundle.versions.map { version in
            let contents = modelContents(of: version.model)
            diagnostics += contents.diagnostics
            return OutputFile(
                path: version.name + ".xcdatamodel/contents",
                bytes: Data(contents.value.utf8)
            )
        }
        if let current = bundle.namedCurrentVersion {
            let list = currentVersionFile(naming: current + ".xcdatamodel")
            files.append(OutputFile(path: ".xccurrentversion", bytes: Data(list.utf8)))
        }
        return Diagnosed(files, diagnostics)
    }
}
