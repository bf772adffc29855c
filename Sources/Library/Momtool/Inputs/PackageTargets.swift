import Essentials
import FileSystem
import ModelLoading

/// Returns the targets of a package whose manifest says where their sources are, as far as its text shows it.
func placedTargets(ofPackage folder: String) -> [(name: String, folder: String)] {
    let prefix = folder == "." ? "" : folder + "/"
    let code = codeLines(of: prefix + "Package.swift").joined(separator: " ")
    let parts = code.split(separator: "arget(", omittingEmptySubsequences: false)
    return zip(parts, parts.dropFirst()).compactMap { before, part in
        let text = ownText(ofCallAt: part.startIndex, in: code)
        guard !before.hasSuffix("testT"), let name = string(after: "name:", in: text),
            let path = string(after: "path:", in: text)
        else { return nil }
        let inner = PathParts(path).parts
        guard !inner.isEmpty, !inner.contains("..") else { return nil }
        return (name, prefix + inner.joined(separator: "/"))
    }
}

/// The arguments of a call without what is inside of brackets in them.
private func ownText(ofCallAt start: String.Index, in code: String) -> String {
    var (text, depth) = ("", 0)
    for character in code[start...] {
        if "([".contains(character) { depth += 1 }
        if ")]".contains(character) { depth -= 1 }
        if depth < 0 { break }
        if depth == 0 { text.append(character) }
    }
    return text
}

private func string(after label: String, in text: String) -> String? {
    guard let start = text.firstRange(of: label)?.upperBound else { return nil }
    let parts = text[start...].split(separator: "\"", omittingEmptySubsequences: false)
    return parts.count > 2 && parts[0].allSatisfy(\.isWhitespace) ? String(parts[1]) : nil
}

/// The name by which other targets import the sources of a package's target; `nil` for another folder.
private func module(of target: String) -> String? {
    var package = parent(of: target)
    for _ in 0..<8 where package != "/" {
        if exists(package + "/Package.swift") {
            let placed = placedTargets(ofPackage: package).first { $0.folder == target }?.name
            if let placed { return placed }
            break
        }
        package = parent(of: package)
    }
    return parent(of: target).hasSuffix("/Sources") ? PathParts(target).parts.last : nil
}

/// Returns the files outside of a package's target that open or migrate stores and import it, without declaring models.
///
/// A package may have its plans in another target, and the app its containers in its own folder.
func importers(ofTarget folder: String) -> [String] {
    let place = resolvedPath(folder)
    guard let module = module(of: place) else { return [] }
    let root =
        repositoryFolder(around: place) ?? projectFolder(around: parent(of: place))
        ?? parent(of: parent(of: place))
    return AppSources.below(root).files.filter { path, mentions in
        mentions.contains(.plan) && mentions.isDisjoint(with: [.model, .versionedSchema])
            && !path.hasPrefix(place + "/")
            && codeLines(of: path).contains { line in
                let words = line.split(whereSeparator: \.isWhitespace)
                return words.dropLast().contains("import") && words.last == module[...]
            }
    }.map { folder.hasPrefix("/") ? $0.path : pathFromHere($0.path) }
}
