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
        ?? (lists(text, without: model)
            ? ProjectModel(location: FileLocation(path: path), membership: .unlisted) : nil)
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

/// Whether an app's entitlements beside its Swift sources allow CloudKit.
///
/// A SwiftData container is then mirrored by default. The entitlements are below the folder of the sources, or in one
/// above it up to the root of the repository.
func entitlesCloudKit(around sources: String) -> Bool {
    entitlementFiles(around: sources).contains(where: allowsCloudKit)
}

package func entitlementFiles(around sources: String) -> [String] {
    var files: [String] = []
    let place = resolvedPath(sources)
    if FileIdentity(of: place)?.isFolder == true {
        files = filePaths(below: place, endingIn: entitlements)
    }
    var folder = parent(of: place)
    var above: [String] = []
    for _ in 0..<levelLimit {
        let names = (try? Files.names(in: folder)) ?? []
        above += names.filter { $0.hasSuffix(entitlements) }.map { "\(folder)/\($0)" }
        if exists(folder + "/.git") {
            files += above
            break
        }
        guard folder != "/" else { break }
        folder = parent(of: folder)
    }
    return Array(files.prefix(fileLimit))
}

private let entitlements = ".entitlements"
/// The most levels above the sources up to the repository, and the most files that are checked.
private let levelLimit = 8
private let fileLimit = 50

package func allowsCloudKit(_ path: String) -> Bool {
    let services = entitlements("com.apple.developer.icloud-services", in: path) ?? []
    let containers = entitlements("com.apple.developer.icloud-container-identifiers", in: path)
    // Without a container nothing is mirrored.
    return containers != [] && services.contains { $0.hasPrefix("CloudKit") }
}

/// The group of apps in which SwiftData keeps default stores, by the folders of sources whose entitlements list one.
func appGroups(around place: String, below path: String) -> [String: String] {
    let root = resolvedPath(place)
    var found: [String: Set<String?>] = [:]
    // Those beside all sources may be of any target.
    for file in entitlementFiles(around: place) where parent(of: file).hasPrefix(root + "/") {
        let group = entitlements("com.apple.security.application-groups", in: file)?.first
        found[path + parent(of: file).dropFirst(root.count), default: []].insert(group)
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
