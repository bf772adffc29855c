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
            let folder = trimmedPath(output)
            let path = folder.hasSuffix(".mom") ? folder : "\(folder)/\(version.name).mom"
            return compiled(version, at: path, from: inputs).noting(guessedHashes(of: [version]))
        }
        // Without the version that the app opens its stores with, the others do not form a bundle.
        if bundle.namedCurrentVersion != nil { _ = try bundle.chosenVersion() }
        return compiled(bundle, to: output, from: inputs)
    }

    /// Reads the versions: the understood ones, or with `--partial` all.
    private func swiftBundle(_ swift: SwiftSettings) throws -> ModelBundle {
        do {
            return try ModelPlace(input, swift: swift).load(allowingGaps: isPartial)
        } catch let failure as CommandFailure
            where failure.messages.contains(where: { $0.contains("[incomplete-model]") })
        {
            let note = "note: --partial compiles what momtool understands"
            throw CommandFailure(failure.status, failure.messages + [note])
        }
    }
}
