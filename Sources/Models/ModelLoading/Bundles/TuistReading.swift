import Diagnostics
import Essentials
package import ObjectModel

/// Reads what a Tuist `Project.swift` says about a model, as far as its text shows; `nil` if it does not name the model.
///
/// Only models with a literal path and current version, as `.coreDataModel("Model.xcdatamodeld", currentVersion: "2")`,
/// can be found; the manifest is Swift, and is not run. `model` is a path relative to the folder that holds the file.
package func readTuistManifest(_ text: String, path: String, model: String) -> ProjectModel? {
    let wanted = PathParts(model)
    var number = 0
    var found: ProjectModel?
    for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
        number += 1
        let code = line.trimmingPrefix { $0.isWhitespace }
        guard !code.hasPrefix("//") else { continue }
        let strings = code.split(separator: "\"", omittingEmptySubsequences: false)
        // Every second part is between quotes.
        for index in strings.indices where index % 2 == 1 {
            if PathParts(String(strings[index])) == wanted {
                found = ProjectModel(
                    location: FileLocation(path: path, line: number),
                    membership: .inTarget
                )
            } else if found != nil, found?.currentVersion == nil,
                strings[index - 1].hasSuffix("currentVersion: ")
            {
                let name = String(strings[index])
                let ending = ".xcdatamodel"
                found?.currentVersion =
                    name.hasSuffix(ending) ? String(name.dropLast(ending.count)) : name
                return found
            } else if found != nil, strings[index].hasSuffix(".xcdatamodeld") {
                return found
            }
        }
    }
    return found
}

/// Reads which files each target of a Tuist `Project.swift` takes, apart from tests, by their paths from its folder, as far
/// as the text shows their patterns.
package func readTuistTargets(_ text: String) -> [(String) -> Bool] {
    guard text.contains("import ProjectDescription") else { return [] }
    let code = text.split(whereSeparator: \.isNewline).filter { line in
        !line.trimmingPrefix(while: \.isWhitespace).hasPrefix("//")
    }.joined(separator: " ")
    return code.split(separator: "arget(").dropFirst().compactMap { target in
        guard !target.contains(".unitTests"), !target.contains(".uiTests"),
            let start = target.firstRange(of: "sources:")?.upperBound
        else { return nil }
        let patterns = patterns(in: target[start...])
        return { file in
            func isTaken(_ isExcluded: Bool) -> Bool {
                patterns.contains { $0.isExcluded == isExcluded && fnmatch($0.text, file, 0) == 0 }
            }
            return isTaken(false) && !isTaken(true)
        }
    }
}

/// The patterns in a list, or the one that a text begins with.
private func patterns(in text: Substring) -> [(text: String, isExcluded: Bool)] {
    var found: [(text: String, isExcluded: Bool)] = []
    var (depth, isExcluded) = (0, false)
    // Every second part is between quotes.
    for (index, part) in text.split(separator: "\"", omittingEmptySubsequences: false).enumerated()
    {
        guard index % 2 == 0 else {
            found.append((String(part.replacing("**/", with: "*")), isExcluded))
            if depth == 0 { break }
            continue
        }
        for character in part where "[]()".contains(character) {
            depth += "[(".contains(character) ? 1 : -1
            if depth <= 0 { return found }
        }
        if part.contains(")") { isExcluded = false }
        if part.contains("excluding:") { isExcluded = true }
    }
    return found
}
