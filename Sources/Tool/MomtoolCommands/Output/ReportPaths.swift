import Essentials
import FileSystem
import ModelLoading
import MomtoolReporting

/// Writes reports with paths from the root of the repository where CI looks for files there.
///
/// Swift 6.3's optimiser crashes where it inlines this.
@inline(never)
@_semantics("optimize.sil.specialize.generic.never")
func reportingPaths<Result>(_ body: () throws -> Result) rethrows -> Result {
    try FindingReport.$pathInRepository.withValue(pathInRepository, operation: body)
}

/// The path of a file from the root of the repository of the current folder; the path itself for any other.
private func pathInRepository(_ path: String) -> String {
    // A path in a revision starts elsewhere.
    let places = Surroundings.current.memory.value(Places())
    guard let root = places.root, !path.contains(":") else { return path }
    let parts = PathParts(path.hasPrefix("/") ? path : places.here + "/" + path).parts
    let whole = "/" + parts.joined(separator: "/")
    let place = whole.hasPrefix(root + "/") ? whole : resolvedPath(whole)
    return place.hasPrefix(root + "/") ? String(place.dropFirst(root.count + 1)) : path
}

private struct Places: Sendable {
    let here: String
    let root: String?

    init() {
        here = resolvedPath(".")
        root = repositoryFolder(around: here)
    }
}
