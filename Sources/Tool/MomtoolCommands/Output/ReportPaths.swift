import Essentials
import FileSystem
import ModelLoading
import MomtoolReporting

/// Writes reports in which files are named from the root of the repository where CI looks for them there.
///
/// Swift 6.3's optimiser ends with a fault where it makes this a part of its callers.
@inline(never)
@_semantics("optimize.sil.specialize.generic.never")
func reportingPaths<Result>(_ body: () throws -> Result) rethrows -> Result {
    try FindingReport.$pathInRepository.withValue(pathInRepository, operation: body)
}

/// The path of a file from the root of the repository that the current folder is in; the path itself for any other.
private func pathInRepository(_ path: String) -> String {
    // A path in a revision counts from elsewhere.
    let places = Surroundings.current.memory.value(Places())
    guard let root = places.root, !path.contains(":") else { return path }
    let parts = PathParts(path.hasPrefix("/") ? path : places.here + "/" + path).parts
    let whole = "/" + parts.joined(separator: "/")
    let place = whole.hasPrefix(root + "/") ? whole : resolvedPath(whole)
    return place.hasPrefix(root + "/") ? String(place.dropFirst(root.count + 1)) : path
}

/// The current folder, and the root of the repository that it is in.
private struct Places: Sendable {
    let here: String
    let root: String?

    init() {
        here = resolvedPath(".")
        root = repositoryFolder(around: here)
    }
}
