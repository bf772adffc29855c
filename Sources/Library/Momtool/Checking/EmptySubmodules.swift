import Diagnostics
import Essentials
import FileSystem
package import ModelChecking
import SettingsFiles

/// Finds the submodules of git below a folder that are not there: their folders are empty.
///
/// - Parameter folder: the folder that is looked through.
/// - Returns: a warning for each, in the order of `.gitmodules`, as the configuration of the folder takes it; none for those in
///   folders that are passed over.
package func emptySubmodules(below folder: String) -> [Finding] {
    let folder = trimmedPath(folder)
    let place = resolvedPath(folder)
    guard let root = repositoryFolder(around: place),
        let list = try? readText(root + "/.gitmodules", limit: 1 << 20)
    else { return [] }
    let findings = submodulePaths(in: list).compactMap { path -> Finding? in
        let own = "\(root)/\(path)"
        guard own.hasPrefix(place + "/"),
            let names = try? FileManager.default.contentsOfDirectory(atPath: own), names.isEmpty
        else { return nil }
        let below = own.dropFirst(place.count + 1)
        guard !below.split(separator: "/").contains(where: { isPassedOver(String($0)) }) else {
            return nil
        }
        let diagnostic = Diagnostic(
            "empty-submodule",
            "this submodule of git is empty here, so no model in it is looked at: bring it with git submodule init and update",
            severity: .warning,
            at: SourceLocation(path: folder == "." ? String(below) : "\(folder)/\(below)")
        )
        return Finding(diagnostic)
    }
    guard !findings.isEmpty, let options = try? settings(for: folder).check else { return findings }
    return settled(findings, [], options)
}

/// Returns the paths that a `.gitmodules` names, as git writes them.
private func submodulePaths(in text: String) -> [String] {
    text.split(whereSeparator: \.isNewline).compactMap { line in
        let parts = line.split(separator: "=", maxSplits: 1).map { String($0).trimmed }
        guard parts.count == 2, parts[0] == "path" else { return nil }
        let path = parts[1]
        return path.isEmpty || path.split(separator: "/").contains("..") ? nil : path
    }
}
