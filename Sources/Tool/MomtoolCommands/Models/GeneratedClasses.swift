import CodeGeneration
import Diagnostics
import FileSystem
import Essentials
import ModelLoading
import Momtool
import ObjectModel

/// Generates the classes of a model's current version.
///
/// - Parameters:
///   - path: the path of the model, which names it too; `#V2` behind it chooses a version.
///   - folder: the folder that the files go to.
///   - language: the language; that of the model when left out.
///   - selection: which entities get a class.
///   - form: what Swift's classes look like.
/// - Returns: the files and what they depend on, with what is wrong with the model.
/// - Throws: `CommandFailure` when there is no model, or none of its versions is current.
func generateClasses(
    ofModelAt path: String,
    into folder: String,
    language: ClassLanguage? = nil,
    selection: ClassSelection = .asMarked,
    form: SwiftClassForm = .publicImports
) throws -> Diagnosed<Compilation.Result> {
    let folder = trimmedPath(folder)
    var bundle = try ModelPlace(path).readChosen()
    if bundle.value.swift != nil, bundle.isReadableInParts {
        // What is understood gets its classes.
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
