import Diagnostics
import FileSystem
import Essentials
import ModelCompiling
import ModelLoading
import Momtool
import ObjectModel
import PropertyLists

extension Compilation {
    /// Compiles the versions of Swift sources, or the named one, or the one that a `.mom` needs.
    func compileSwift(
        _ swift: SwiftSettings,
        to output: String
    ) throws -> Diagnosed<Compilation.Result> {
        let bundle = try swiftBundle(swift)
        let inputs = Set(bundle.versions.map(\.path)).sorted()
        guard bundle.selectedVersionName == nil, !output.hasSuffix(".mom") else {
            let version = try bundle.chosenVersion()
            let compiled = compileModel(version.model, options: options)
            let guesses = guessedHashes(of: [version])
            let folder = trimmedPath(output)
            let path = folder.hasSuffix(".mom") ? folder : "\(folder)/\(version.name).mom"
            let file = OutputFile(path: path, bytes: compiled.value.binaryData)
            let files = OutputFiles(path: path, files: [file], areModels: true)
            let result = Result(output: files, inputs: inputs, versions: [version])
            return Diagnosed(result, guesses + compiled.diagnostics)
        }
        // Without the version that the app opens its stores with, the others do not form a bundle.
        if bundle.namedCurrentVersion != nil { _ = try bundle.chosenVersion() }
        let compiled = compileBundle(
            bundle.versions,
            currentVersionName: bundle.namedCurrentVersion,
            options: options
        )
        let path = outputPath(output, extension: "momd")
        let files = OutputFiles(
            path: path,
            files: compiled.value.map { OutputFile(path: path + "/" + $0.name, bytes: $0.bytes) },
            leftoverExtensions: ["mom", "omo"],
            areModels: true
        )
        let result = Result(output: files, inputs: inputs, versions: bundle.versions)
        return Diagnosed(result, compiled.diagnostics)
    }

    /// Reads the versions: the understood ones, or with `--partial` all.
    private func swiftBundle(_ swift: SwiftSettings) throws -> ModelBundle {
        do {
            return try ModelPlace(input, swift: swift).load(allowingGaps: isPartial)
        } catch let failure as CommandFailure where failure.isOfIncompleteModel {
            let note = "note: --partial compiles what momtool understands"
            throw CommandFailure(failure.status, failure.messages + [note])
        }
    }
}

extension CommandFailure {
    /// Whether the only fault is a part of a model that is not understood.
    fileprivate var isOfIncompleteModel: Bool {
        messages.contains { $0.contains("[incomplete-model]") }
    }
}
