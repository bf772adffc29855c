import Diagnostics
import Essentials
import FileSystem
package import ObjectModel
import PropertyLists

/// Reads what a Tuist `Project.swift` says about a model, as far as its text shows; `nil` if that is not known.
///
/// Only models with a literal path and current version, as `.coreDataModel("Model.xcdatamodeld", currentVersion: "2")`,
/// can be found; the manifest is Swift, and is not run. `model` is a path relative to the folder that holds the file.
package func readTuistManifest(_ text: String, path: String, model: String) -> ProjectModel? {
    let (code, wanted) = (codeLines(of: text), PathParts(model))
    let entry = /"([^"\n]*)"\)?(?:,\s*currentVersion:\s*"([^"\n]*)")?/
    let found = code.matches(of: entry).filter { PathParts(String($0.1)) == wanted }
    guard let match = found.first(where: { $0.2 != nil }) ?? found.first else {
        guard lists(text, without: model) else { return nil }
        return ProjectModel(location: FileLocation(path: path), membership: .unlisted)
    }
    let line = code[..<match.range.lowerBound].count(where: \.isNewline) + 1
    let place = FileLocation(path: path, line: line)
    var project = ProjectModel(location: place, membership: .inTarget)
    project.currentVersion = match.2.map { name in
        String(name.hasSuffix(".xcdatamodel") ? name.dropLast(".xcdatamodel".count) : name)
    }
    return project
}

/// Whether a Tuist `Project.swift` lists only sources, by literal patterns, and none of them takes a model.
private func lists(_ text: String, without model: String) -> Bool {
    let others = ["Helpers", "coreDataModels", "buildableFolders", "resources", "\\("]
    let areLiteral = text.split(separator: "sources:").dropFirst()
        .allSatisfy { ["[", "\""].contains($0.trimmed.first) }
    let targets = readTuistTargets(text)
    return areLiteral && !targets.isEmpty && !others.contains(where: text.contains)
        && !targets.contains { $0(model) }
}

/// Reads which files each target of a Tuist `Project.swift` takes, apart from tests, by their paths from its folder, as far
/// as the text shows their patterns.
package func readTuistTargets(_ text: String) -> [@Sendable (String) -> Bool] {
    guard text.contains("import ProjectDescription") else { return [] }
    return codeLines(of: text).split(separator: "arget(").dropFirst().compactMap { target in
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

/// A manifest with empty lines in place of comments.
private func codeLines(of text: String) -> String {
    text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map { line in
        line.trimmingPrefix(while: \.isWhitespace).hasPrefix("//") ? "" : line
    }.joined(separator: "\n")
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

/// Returns whether a Swift source, by its path below `path`, is of an app whose entitlements allow CloudKit, `nil` for any.
///
/// A SwiftData container is then mirrored by default. The entitlements are below the folder of the sources, which is `place`
/// on disk, or in one above it up to the root of the repository.
func cloudKitEntitlements(around place: String, below path: String) -> (String?) -> Bool {
    let files = entitlementFiles(around: place)
    let allowing = Set(files.filter(allowsCloudKit))
    return { source in
        guard allowing.count < files.count, let source else { return !allowing.isEmpty }
        let isBelow = path != "." && source.hasPrefix(path + "/")
        let file = resolvedPath(isBelow ? place + source.dropFirst(path.count) : source)
        return nearestEntitlements(files, to: file).contains(where: allowing.contains)
    }
}

/// The entitlements of the app that has a file, by absolute paths: those in the folders around the file, else those of its
/// project, else all, as the app may be anywhere; those at the root of the repository may be of any app.
package func nearestEntitlements(_ all: [String], to file: String) -> [String] {
    let root = repositoryFolder(around: parent(of: file))
    let project = projectFolder(around: parent(of: file))
    let around = all.filter { parent(of: $0) != root && file.hasPrefix(parent(of: $0) + "/") }
    let own = around.isEmpty ? all.filter { $0.hasPrefix((project ?? "") + "/") } : around
    return own.isEmpty ? all : own + all.filter { parent(of: $0) == root }
}

package func entitlementFiles(around sources: String) -> [String] {
    let place = resolvedPath(sources)
    let isFolder = FileIdentity(of: place)?.isFolder == true
    let (folders, isRepository) = foldersUpwards(from: parent(of: place))
    let above = (isRepository ? folders : []).flatMap { folder in
        let names = (try? Files.names(in: folder)) ?? []
        return names.filter { $0.hasSuffix(entitlements) }.map { "\(folder)/\($0)" }
    }
    let below = isFolder ? filePaths(below: place, endingIn: entitlements) : []
    return Array((below + above).prefix(fileLimit))
}

private let entitlements = ".entitlements"
/// The most files that are checked.
private let fileLimit = 50

package func allowsCloudKit(_ path: String) -> Bool {
    let services = entitlements("com.apple.developer.icloud-services", in: path) ?? []
    let containers = entitlements("com.apple.developer.icloud-container-identifiers", in: path)
    // Without a container nothing is mirrored.
    return containers != [] && services.contains { $0.hasPrefix("CloudKit") }
}

/// The group of apps in which SwiftData keeps default stores, by the folders of sources whose entitlements list one.
func appGroups(around place: String, below path: String) -> [String: String] {
    let root = resolvedPath(place) + "/"
    let shown = path == "." ? "" : path + "/"
    var found: [String: Set<String?>] = [:]
    // Those beside all sources may be of any target.
    for file in entitlementFiles(around: place) where parent(of: file).hasPrefix(root) {
        let group = entitlements("com.apple.security.application-groups", in: file)?.first
        found[shown + parent(of: file).dropFirst(root.count), default: []].insert(group)
    }
    return found.compactMapValues { $0.count == 1 ? $0.first ?? nil : nil }
}

/// The texts of a list in a file of entitlements; `nil` without one.
private func entitlements(_ key: String, in path: String) -> [String]? {
    guard let bytes = try? readFile(path, limit: 1 << 20),
        let list = try? readPropertyList(Data(bytes), path: path),
        case .array(let values)? = list[key]
    else { return nil }
    return values.compactMap { if case .string(let text) = $0 { text } else { nil } }
}
