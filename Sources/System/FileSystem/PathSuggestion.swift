import Diagnostics
import Essentials

/// Returns words to add to a message about a path where nothing is: what lies beside it under a similar name, or nothing.
package func suggestion(forPath path: String) -> String {
    let path = trimmedPath(path)
    guard let name = path.split(separator: "/").last else { return "" }
    let start = path.dropLast(name.count)
    let folder = start.isEmpty ? "." : String(start)
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return nearestName(to: String(name), among: names.sorted())
        .map { "; did you mean '\(start)\($0)'" } ?? ""
}
