import Essentials
import FileSystem
import ModelLoading

/// Returns the model of a folder that holds one as a file or bundle, for commands that take a model and not a folder.
package func onlyModel(at text: String) throws(MomtoolError) -> String {
    let place = ModelPlace(text)
    let names = modelNames(inFolder: place.path)
    guard names.count < 2 else { throw MomtoolError(severalModels: names, in: place.path) }
    guard let name = names.first else { return text }
    let path = place.path == "." ? name : trimmedPath(place.path) + "/" + name
    guard resolvedPath(path) == resolvedPath(place.path) + "/" + name else {
        let message = "the folder is a symbolic link; name its real path"
        throw MomtoolError(.refused, path, message, .notAModel)
    }
    return path + (place.versionName.map { "#" + $0 } ?? "")
}

/// The names of the models in a folder that is not a model; none if it cannot be read.
func modelNames(inFolder path: String) -> [String] {
    guard ModelFileKind(at: path) == nil, FileIdentity(of: path)?.isFolder == true,
        let names = try? Files.names(in: path)
    else { return [] }
    return modelNames(among: names)
}

func modelNames(among names: [String]) -> [String] {
    let endings = [".xcdatamodeld", ".momd", ".momd_precompiled", ".xcdatamodel", ".mom"]
    return names.filter { name in endings.contains(where: name.hasSuffix) }.sorted()
}

extension MomtoolError {
    /// Refuses a folder with several models and no choice.
    init(severalModels names: [String], in folder: String) {
        let message =
            "the folder has \(names.count) models; name one: \(names.joined(separator: ", "))"
        self.init(.usage, folder, message, .notAModel)
    }
}
