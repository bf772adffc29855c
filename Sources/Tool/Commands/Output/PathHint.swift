import Essentials
import FileSystem

/// Says what was probably meant by a path that leads nowhere: a name that is near to it, one whose ending was left out, one
/// with spaces that the shell took apart, or a version of a model that lies here.
///
/// - Parameters:
///   - path: the path.
///   - words: the arguments of the command.
/// - Returns: the end of a message; empty where nothing is known.
func pathHint(_ path: String, among words: [String] = processArguments) -> String {
    let whole = trimmedPath(path)
    for ending in [".xcdatamodel", ".xcdatamodeld"] where exists(whole + ending) {
        return "; did you mean '\(whole)\(ending)'"
    }
    let near = suggestion(forPath: path)
    guard near.isEmpty, !whole.isEmpty else { return near }
    if let place = words.firstIndex(of: path) {
        let joined = words[place...].prefix(2).joined(separator: " ")
        if joined != path, exists(joined) {
            return "; a name with spaces stands in quotes: '\(joined)'"
        }
        let before = words[..<place].suffix(2)
        if before.count == 2, let option = before.first, let start = before.last,
            ["--from", "--to", "--version"].contains(option)
        {
            return "; a name with spaces stands in quotes: \(option) '\(start) \(path)'"
        }
    }
    let models = folderNames(in: ".").filter { $0.hasSuffix(".xcdatamodeld") }
    let owner = models.sorted().first { exists("\($0)/\(whole).xcdatamodel") }
    return owner.map { "; name a version with its model: '\($0)#\(whole)'" } ?? ""
}

/// The names in a folder; none where it cannot be read.
private func folderNames(in folder: String) -> [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
}
