import CodeGeneration
import Diagnostics
import FileSystem
import Essentials
import ModelLoading
import Momtool
import ObjectModel

/// Generates the classes of a model's current version, or of the version in `#V2` after the path.
func generateClasses(
    ofModelAt path: String,
    into folder: String,
    language: ClassLanguage? = nil,
    selection: ClassSelection = .asMarked,
    form: SwiftClassForm = .publicImports,
    swift: SwiftSettings = SwiftSettings()
) throws -> Diagnosed<Compilation.Result> {
    let folder = trimmedPath(folder)
    var bundle = try ModelPlace(path, swift: swift).readChosen()
    if bundle.value.swift != nil, bundle.isReadableInParts {
        // Understood entities get their classes.
        for index in bundle.diagnostics.indices {
            bundle.diagnostics[index].severity = min(bundle.diagnostics[index].severity, .warning)
        }
    }
    guard !bundle.hasErrors else {
        let nothing = OutputFiles(path: folder, files: [])
        return Diagnosed(Compilation.Result(output: nothing, inputs: []), bundle.diagnostics)
    }
    let chosen = try bundle.value.chosenVersion(nil)
    let version = chosen.without(chosen.entitiesWithGaps)
    let place = fileURL(trimmedPath(bundle.value.path))
    let isContents = ["contents", "elements"].contains(place.lastPathComponent)
    let name = (isContents ? place.deletingLastPathComponent() : place)
        .deletingPathExtension().lastPathComponent
    let generated = generatedClasses(
        of: version.model,
        named: name,
        language: language ?? ClassLanguage(of: version.model),
        selection: selection,
        form: form
    )
    let files = generated.value.map { file in
        OutputFile(path: folder + "/" + file.name, bytes: Data(file.text.utf8))
    }
    let result = Compilation.Result(
        output: OutputFiles(path: folder, files: files),
        inputs: [version.path],
        versions: [version]
    )
    return Diagnosed(result, bundle.diagnostics + generated.diagnostics)
}
