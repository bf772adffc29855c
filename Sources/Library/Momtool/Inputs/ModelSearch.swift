import Diagnostics
import Essentials
import FileSystem
import ModelLoading

/// Returns the model sources below a folder, bundles and single versions, in the order of their paths.
package func modelSources(below folder: String) -> [String] { found(below: folder).models }

/// Returns the models that a git revision has below a folder, as ``modelSources(below:)`` does; none where git fails.
package func modelSources(at revision: String, below folder: String) -> [String] {
    guard let name = PlacedRevision(revision, in: folder).name, let place = GitPlace("\(name):./")
    else { return [] }
    var models: [String] = []
    _ = try? GitObjects.shared(at: folder).files(at: place) { path, isFolder in
        let name = path.split(separator: "/").last.map(String.init) ?? ""
        guard isFolder, !isPassedOver(name) else { return false }
        guard isModelSource(name) else { return true }
        models.append(folder == "." ? path : "\(folder)/\(path)")
        return false
    }
    return models
}

/// Returns the models of a git revision that are gone; what a sparse checkout leaves out is not.
package func goneModels(at revision: String, below folder: String) -> [String] {
    let gone = modelSources(at: revision, below: folder).filter { FileIdentity(of: $0) == nil }
    guard !gone.isEmpty else { return [] }
    let leftOut = sparseModels(below: folder)
    return gone.filter { !leftOut.contains($0) }
}

func lockPaths(below folder: String) -> [String] { found(below: folder).locks }

/// What a walk below a folder cannot look at, or a Mac would not show, each with the path that tells where.
func unseenParts(below folder: String) -> [Diagnostic] {
    guard FileIdentity(of: folder)?.isFolder == true else { return [] }
    let found = found(below: folder)
    let bundles = found.models.filter { $0.hasSuffix(".xcdatamodeld") }
    return found.unseen + bundles.flatMap(unseenVersions)
        + sparseModels(below: folder).sorted().map { path in
            unseen(
                path,
                "a sparse checkout leaves out parts of this model: add it with git sparse-checkout add"
            )
        }
}

/// The models below a folder of which a sparse checkout leaves out parts.
package func sparseModels(below folder: String) -> Set<String> {
    let models = sparsePaths(below: folder).compactMap { path -> String? in
        let parts = path.split(separator: "/")
        guard !parts.contains(where: { isPassedOver(String($0)) }),
            let end = parts.firstIndex(where: { isModelSource(String($0)) })
        else { return nil }
        let model = parts[...end].joined(separator: "/")
        return folder == "." ? model : "\(folder)/\(model)"
    }
    return Set(models)
}

private func unseenVersions(in bundle: String) -> [Diagnostic] { found(below: bundle).unseen }

private func unseen(_ path: String, _ message: String) -> Diagnostic {
    Diagnostic("unseen-part", message, severity: .warning, at: FileLocation(path: path))
}

private typealias Found = (root: String, models: [String], locks: [String], unseen: [Diagnostic])

private func found(below folder: String) -> Found {
    var found: Found = (resolvedPath(folder), [], [], [])
    search(trimmedPath(folder), depth: 0, &found)
    return found
}

private func search(_ folder: String, depth: Int, _ found: inout Found) {
    guard depth < 64 else {
        return found.unseen.append(unseen(folder, "folders nest too deep here to be checked"))
    }
    guard let entries = folderEntries(of: folder) else {
        let reason = String(cString: strerror(errno))
        return found.unseen.append(unseen(folder, "nothing in this folder is checked: \(reason)"))
    }
    var twins: [String: String] = [:]
    for (name, isRegular) in entries.sorted(by: { $0.name < $1.name }) where !isPassedOver(name) {
        let path = folder == "." ? name : "\(folder)/\(name)"
        if isRegular {
            if LockFile.isLock(path) { found.locks.append(path) }
            continue
        }
        var status = stat()
        guard lstat(path, &status) == 0 else {
            let reason =
                name.unicodeScalars.contains("\u{FFFD}")
                ? "its name is not UTF-8" : String(cString: strerror(errno))
            found.unseen.append(unseen(path, "this is not checked: \(reason)"))
            continue
        }
        if status.st_mode & S_IFMT == S_IFREG, LockFile.isLock(path) { found.locks.append(path) }
        guard status.st_mode & S_IFMT == S_IFDIR else {
            if isModelSource(name), !resolvedPath(path).hasPrefix(found.root + "/") {
                found.unseen.append(
                    unseen(path, "this link is not followed: name the real path of the model")
                )
            }
            continue
        }
        guard isModelSource(name) else {
            search(path, depth: depth + 1, &found)
            continue
        }
        found.models.append(path)
        if let twin = twins.updateValue(name, forKey: name.lowercased()) {
            found.unseen.append(
                unseen(path, "on a Mac's disk this has the name of '\(twin)': rename one of them")
            )
        }
    }
}

private func isModelSource(_ name: String) -> Bool {
    name.hasSuffix(".xcdatamodeld") || name.hasSuffix(".xcdatamodel")
}

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

/// The models that an argument means: those that a check finds below a folder.
package func modelPlaces(_ argument: String, _ swift: SwiftSettings) -> [ModelPlace] {
    let argument = namingBundle(argument)
    let path = trimmedPath(argument)
    let isFolder = FileIdentity(of: path)?.isFolder == true && !isModelBundle(path)
    let found =
        isFolder && !path.hasSuffix(".app") ? ProjectContents(below: argument).places(swift) : []
    return found.isEmpty ? [ModelPlace(argument, swift: swift)] : found
}

/// Names the current folder from outside if it is a bundle of versions, as its lock and its name are there.
func namingBundle(_ path: String) -> String {
    let place = resolvedPath(path)
    guard ["", ".", "./"].contains(path), place.hasSuffix(".xcdatamodeld") else { return path }
    return "../" + (place.split(separator: "/").last ?? "")
}

package func isModelBundle(_ path: String) -> Bool {
    [".xcdatamodeld", ".xcdatamodel", ".xcmappingmodel", ".momd", ".momd_precompiled"]
        .contains(where: path.hasSuffix)
}
