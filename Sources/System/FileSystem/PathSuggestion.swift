import Diagnostics
import Essentials

/// Returns words to add to a message about a path where nothing is: what lies beside it under a similar name, or nothing.
package func suggestion(forPath path: String) -> String {
    let path = trimmedPath(path)
    guard let name = path.split(separator: "/").last else { return "" }
    let start = path.dropLast(name.count)
    let folder = start.isEmpty ? "." : String(start)
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return nearestFile(to: String(name), among: names.sorted())
        .map { "; did you mean '\(start)\($0)'" } ?? ""
}

/// The name that is nearest to one: of those with the same ending, which says nothing, by what comes before it.
private func nearestFile(to name: String, among names: [String]) -> String? {
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else {
        return nearestName(to: name, among: names)
    }
    let ending = name[dot...]
    let alike = names.filter { $0.hasSuffix(ending) }.map { String($0.dropLast(ending.count)) }
    return nearestName(to: String(name[..<dot]), among: alike).map { $0 + ending }
        ?? nearestName(to: name, among: names.filter { !$0.hasSuffix(ending) })
}
