import Diagnostics
package import ObjectModel

/// Reads what a Tuist `Project.swift` says about a model, as far as its text shows; `nil` if it does not name the model.
///
/// Only models with a literal path and current version, as `.coreDataModel("Model.xcdatamodeld", currentVersion: "2")`,
/// can be found; the manifest is Swift, and is not run. `model` is a path relative to the folder that holds the file.
package func readTuistManifest(_ text: String, path: String, model: String) -> ProjectModel? {
    let wanted = PathParts(model)
    var number = 0
    var found: ProjectModel?
    for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
        number += 1
        let code = line.trimmingPrefix { $0.isWhitespace }
        guard !code.hasPrefix("//") else { continue }
        let strings = code.split(separator: "\"", omittingEmptySubsequences: false)
        // Every second part is between quotes.
        for index in strings.indices where index % 2 == 1 {
            if PathParts(String(strings[index])) == wanted {
                found = ProjectModel(
                    location: FileLocation(path: path, line: number),
                    membership: .inTarget
                )
            } else if found != nil, found?.currentVersion == nil,
                strings[index - 1].hasSuffix("currentVersion: ")
            {
                let name = String(strings[index])
                let ending = ".xcdatamodel"
                found?.currentVersion =
                    name.hasSuffix(ending) ? String(name.dropLast(ending.count)) : name
                return found
            } else if found != nil, strings[index].hasSuffix(".xcdatamodeld") {
                return found
            }
        }
    }
    return found
}
