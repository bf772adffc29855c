import Essentials
import FileSystem
import Reporting

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
    guard let root = places.root, !path.contains(":") else { return path }
    var parts: [Substring] = []
    for part in (path.hasPrefix("/") ? path : places.here + "/" + path).split(separator: "/") {
        if part == ".." { _ = parts.popLast() } else if part != "." { parts.append(part) }
    }
    let whole = "/" + parts.joined(separator: "/")
    for place in [whole, resolvedPath(whole)] where place.hasPrefix(root + "/") {
        return String(place.dropFirst(root.count + 1))
    }
    return path
}

/// The current folder, and the root of the repository that it is in.
private let places: (here: String, root: String?) = {
    let here = resolvedPath(".")
    return (here, repositoryFolder(around: here))
}()
