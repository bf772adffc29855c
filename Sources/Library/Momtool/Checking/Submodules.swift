import Diagnostics
import Essentials
import FileSystem
package import ModelChecking
import SettingsFiles

/// Warns of what is not looked at below a folder, such as an empty submodule, with the severity of its configuration.
package func partsNotSeen(below folder: String) -> [Finding] {
    let folder = trimmedPath(folder)
    let findings =
        submoduleFolders(below: folder).compactMap { path -> Finding? in
            guard let names = try? Files.names(in: path), names.isEmpty else { return nil }
            let diagnostic = Diagnostic(
                "empty-submodule",
                "this git submodule is empty here, so its models are not checked: run git submodule init and update",
                severity: .warning,
                at: FileLocation(path: path)
            )
            return Finding(diagnostic)
        } + unseenParts(below: folder).map { Finding($0) }
    guard !findings.isEmpty, let options = try? settings(for: folder).check else { return findings }
    return settled(findings, [], options)
}

/// Finds the checked-out git submodules below a folder, with nested ones.
package func submodules(below folder: String) -> [String] {
    submoduleFolders(below: trimmedPath(folder)).filter { exists($0 + "/.git") }
        .flatMap { [$0] + submodules(below: $0) }
}

/// The folders of a repository's submodules below one of its folders, without those in skipped folders.
private func submoduleFolders(below folder: String) -> [String] {
    let place = resolvedPath(folder)
    guard let root = repositoryFolder(around: place) else { return [] }
    return submodulePaths(of: root).compactMap { path in
        let own = "\(root)/\(path)"
        guard own.hasPrefix(place + "/") else { return nil }
        let below = own.dropFirst(place.count + 1)
        guard !below.split(separator: "/").contains(where: { isPassedOver(String($0)) }) else {
            return nil
        }
        return folder == "." ? String(below) : "\(folder)/\(below)"
    }
}

/// Returns the paths that the `.gitmodules` of a repository names, as git writes them.
func submodulePaths(of root: String) -> [String] {
    guard let text = try? readText(root + "/.gitmodules", limit: 1 << 20) else { return [] }
    return text.split(whereSeparator: \.isNewline).compactMap { line in
        let parts = line.split(separator: "=", maxSplits: 1).map { String($0).trimmed }
        guard parts.count == 2, parts[0] == "path" else { return nil }
        let path = parts[1]
        return path.isEmpty || path.split(separator: "/").contains("..") ? nil : path
    }
}
