import ArgumentParser
import Diagnostics
import FileSystem
import Essentials
import ModelCompiling
import ModelLoading
import Momtool
import ObjectModel
import MomtoolReporting

struct DecompileCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "decompile",
        abstract: "Write the source of a compiled model, or of the model in a store.",
        discussion: """
            A .momd becomes an .xcdatamodeld; a .mom, or the model stored in a store,
            becomes an .xcdatamodel. Compiling them gives the same archives again.

            EXAMPLE
              momtool decompile Shop.app/Shop.momd -o Recovered
              momtool decompile Shop.sqlite -o Recovered
            """
    )

    @Argument(help: "The models: .momd, .mom, a store, or any other form.", completion: .model)
    var models: [String]

    @Option(
        name: .shortAndLong,
        help: "The folder for the sources; - writes the contents of one version to standard output."
    )
    var output: String

    @OptionGroup var swift: SwiftOptions

    @OptionGroup var report: OutputOptions<TextFormats>

    func run() throws {
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

    private func sendContents(of sources: [OutputFiles]) throws {
        guard sources.count == 1, sources[0].files.count == 1 else {
            throw CommandFailure(
                usage: "an .xcdatamodeld is a folder; name one with -o, or one version as MODEL#V"
            )
        }
        try write(sources[0].files[0].bytes, to: .standardOutput)
    }

    private func decompiled(_ text: String, _ bundles: inout [ModelBundle]) throws -> OutputFiles {
        var bundle = try ModelPlace(text, swift: swift.settings).load(restingOn: .allVersions)
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
        let sources = sources(of: bundle, isBundle: isBundle)
        Console.show(sources.diagnostics)
        let path = "\(folder)/\(name).\(isBundle ? "xcdatamodeld" : "xcdatamodel")"
        let files = sources.value.map { file in
            OutputFile(path: path + "/" + file.path, bytes: file.bytes)
        }
        return OutputFiles(path: path, files: files, areModels: true)
    }

    private func sources(of bundle: ModelBundle, isBundle: Bool) -> Diagnosed<[OutputFile]> {
        var diagnostics: [Diagnostic] = []
        var files = bundle.versions.map { version in
            let contents = modelContents(of: version.model)
            diagnostics += contents.diagnostics
            let path = (isBundle ? version.name + ".xcdatamodel/" : "") + "contents"
            return OutputFile(path: path, bytes: Data(contents.value.utf8))
        }
        if isBundle, let current = bundle.namedCurrentVersion {
            let list = currentVersionFile(naming: current + ".xcdatamodel")
            files.append(OutputFile(path: ".xccurrentversion", bytes: Data(list.utf8)))
        }
        return Diagnosed(files, diagnostics)
    }
}
