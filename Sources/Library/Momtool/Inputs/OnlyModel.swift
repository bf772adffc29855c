import Diagnostics
import Essentials
import FileSystem
import ModelLoading

/// Names the model of a folder that holds one as a file or bundle, for commands that take a model and not a folder.
///
/// Every other text stays as it is: a model itself, Swift sources, a revision, and what is not there.
///
/// - Parameter text: a place, with or without the name of a version behind it.
/// - Returns: the place of the model, with the same version.
/// - Throws: ``MomtoolError`` for a folder that holds several, or a link to one elsewhere, which the folder does not name.
package func onlyModel(at text: String) throws(MomtoolError) -> String {
    let place = ModelPlace(text)
    let names = modelNames(inFolder: place.path)
    guard names.count < 2 else { throw MomtoolError(severalModels: names, in: place.path) }
    guard let name = names.first else { return text }
    let path = place.path == "." ? name : trimmedPath(place.path) + "/" + name
    guard resolvedPath(path) == resolvedPath(place.path) + "/" + name else {
        let message = "a symbolic link leads from the folder to another place; name that place"
        throw MomtoolError(.refused, path, message, .notAModel)
    }
    return path + (place.versionName.map { "#" + $0 } ?? "")
}

/// The names of the models in a folder that is none itself; none where nothing can be read.
func modelNames(inFolder path: String) -> [String] {
    guard ModelFileKind(at: path) == nil, FileIdentity(of: path)?.isFolder == true,
        let names = try? Files.names(in: path)
    else { return [] }
    return modelNames(among: names)
}

/// Those of some names that are names of models, in their order.
func modelNames(among names: [String]) -> [String] {
    let endings = [".xcdatamodeld", ".momd", ".momd_precompiled", ".xcdatamodel", ".mom"]
    return names.filter { name in endings.contains(where: name.hasSuffix) }.sorted()
}

extension MomtoolError {
    /// Refuses a folder of which it is not clear which model is meant.
    init(severalModels names: [String], in folder: String) {
        let message =
            "the folder holds \(names.count) models; name one: \(names.joined(separator: ", "))"
        self.init(.usage, folder, message, .notAModel)
    }
}
