import Diagnostics
import Essentials

/// Returns words to add to a message about a missing path: the path that was probably intended, or nothing.
///
/// That is a similar name in any part of the path, or the same name in a folder below. For a link it names the target.
package func suggestion(forPath path: String) -> String {
    // Reading replaces invalid UTF-8 by this character, which no file name has.
    guard !path.unicodeScalars.contains("\u{FFFD}") else {
        return "; the path is not UTF-8, and no name finds such a file: rename it"
    }
    guard !path.hasNUL else { return "; " + nulWords }
    let link = danglingLink(at: path)
    guard link.isEmpty else { return link }
    let parts = trimmedPath(path).split(separator: "/").map(String.init)
    guard let name = parts.last else { return "" }
    let start = path.hasPrefix("/") ? "/" : ""
    var folder = start
    for (place, part) in parts.enumerated() {
        let isLast = place == parts.count - 1
        if !isLast, FileIdentity(of: folder + part)?.isFolder == true {
            folder += part + "/"
            continue
        }
        let names = fileNames(in: folder).filter {
            isLast || FileIdentity(of: folder + $0)?.isFolder == true
        }
        let same = names.first { $0.lowercased() == part.lowercased() }
        let below = isLast && same == nil ? file(named: name, below: folder) : nil
        guard let found = same ?? below ?? nearestFile(to: part, among: names) else { return "" }
        folder += isLast ? found : found + "/"
    }
    return "; did you mean '\(folder)'"
}

/// Returns words to add to a message about a dangling link; empty for any other path.
func danglingLink(at path: String) -> String {
    guard FileIdentity(of: path) == nil,
        let target = Files.destination(ofLink: path)
    else { return "" }
    return "; this is a link to '\(target)', which does not exist"
}

private func fileNames(in folder: String) -> [String] {
    let names = try? Files.names(in: folder.isEmpty ? "." : folder)
    return names?.sorted() ?? []
}

/// The path, from a folder, of a file with a name in a folder below; `nil` if none near the top has it.
private func file(named name: String, below folder: String) -> String? {
    let name = name.lowercased()
    var folders = [""]
    // A search of a whole disk would take too long.
    var left = 2000
    for _ in 0..<4 {
        var next: [String] = []
        for inner in folders {
            let names = fileNames(in: folder + inner).filter { !$0.hasPrefix(".") }
            left -= names.count
            guard left > 0 else { return nil }
            if !inner.isEmpty, let found = names.first(where: { $0.lowercased() == name }) {
                return inner + found
            }
            next += names.map { inner + $0 }.filter {
                FileIdentity(of: folder + $0)?.isFolder == true
            }.map { $0 + "/" }
        }
        folders = next
    }
    return nil
}

/// The most similar name: among those with the same extension, compared without it.
///
/// Files that SQLite keeps beside a database are never suggested.
private func nearestFile(to name: String, among all: [String]) -> String? {
    let names = all.filter { other in
        !["-shm", "-wal", "-journal"].contains { other.hasSuffix($0) && !name.hasSuffix($0) }
    }
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else {
        return nearestName(to: name, among: names)
    }
    let ending = name[dot...]
    let alike = names.filter { $0.hasSuffix(ending) }.map { String($0.dropLast(ending.count)) }
    return nearestName(to: String(name[..<dot]), among: alike).map { $0 + ending }
        ?? nearestName(to: name, among: names.filter { !$0.hasSuffix(ending) })
}
