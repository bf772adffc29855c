import Essentials
import FileSystem
import MomtoolReporting

/// The paths of files in a patch: from the root of their repository, as `git apply` takes them in any folder of it;
/// outside of a repository from this folder.
struct PatchPaths {
    private var prefixes: [String: String?] = [:]

    mutating func shown(_ path: String) -> String {
        var (folder, rest) = (parent(of: path), [lastComponent(of: path)])
        while !exists(folder), folder != parent(of: folder) {
            rest.insert(lastComponent(of: folder), at: 0)
            folder = parent(of: folder)
        }
        let prefix: String?
        if let known = prefixes[folder] {
            prefix = known
        } else {
            prefix = repositoryPrefix(of: folder)
            prefixes[folder] = .some(prefix)
        }
        if let prefix { return prefix + rest.joined(separator: "/") }
        let here = resolvedPath(".") + "/"
        let plain = path.hasPrefix(here) ? String(path.dropFirst(here.count)) : path
        let parts = plain.split(separator: "/").filter { $0 != "." }
        return (plain.hasPrefix("/") ? "/" : "") + parts.joined(separator: "/")
    }

    private func lastComponent(of path: String) -> String {
        path.split(separator: "/").last.map(String.init) ?? path
    }
}

extension FilePatch {
    /// The text of some patches, as `git apply` takes it, without a final line break.
    static func text(of patches: [FilePatch]) -> String {
        var paths = PatchPaths()
        let texts = patches.map { patch in
            var patch = patch
            patch.path = paths.shown(patch.path)
            patch.newPath = paths.shown(patch.newPath)
            return patch.text
        }
        return texts.filter { !$0.isEmpty }.joined(separator: "\n")
    }
}
