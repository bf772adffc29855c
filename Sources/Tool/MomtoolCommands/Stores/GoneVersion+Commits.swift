import Diagnosing
import Diagnostics
import Essentials
import FileSystem
import LogReading
import Momtool
import ObjectModel

extension GoneVersion {
    /// Finds how commands name a version that commits had, and how to restore it.
    init(
        _ version: ModelVersion,
        _ held: VersionCommits,
        of argument: String,
        besides others: [ModelVersion],
        _ swift: SwiftSettings
    ) {
        let isFile = ["contents", "elements"].contains(fileURL(held.path).lastPathComponent)
        let place = isFile ? parent(of: held.path) : held.path
        let commits = [held.last, held.first].compactMap(\.self).map { String($0.prefix(12)) }
        // A model that was moved is elsewhere in other commits.
        let found = commits.lazy.compactMap { commit -> (commit: String, argument: String)? in
            let text = "\(commit):\(place)"
            guard let bundle = try? ModelPlace(text, swift: swift).readUsable().value,
                let match = bundle.versions.first(where: { $0.hashes == version.hashes })
            else { return nil }
            return (commit, bundle.versions.count > 1 ? "\(text)#\(match.name)" : text)
        }.first
        let commit = found?.commit ?? commits[0]
        let name = fileURL(place).deletingPathExtension().lastPathComponent
        let isReplaced = others.contains { $0.name == name }
        let folder = parent(of: trimmedPath(argument))
        let git = folder == "." ? "git" : "git -C \(shellWord(folder))"
        let isRestorable = isFile && !isReplaced && FileIdentity(of: argument) != nil
        self.init(
            commit: commit,
            path: place,
            argument: found.map { shellWord($0.argument) },
            restoring: isRestorable
                ? .shell("\(git) restore --source=\(commit) -- \(shellWord(":/" + place))") : nil
        )
    }
}
