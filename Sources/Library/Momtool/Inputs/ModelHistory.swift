import FileSystem
import Essentials
import ModelHashing
import ModelLoading
public import ObjectModel

/// The versions that a model had in the history of its repository.
public struct ModelHistory: Sendable {
    /// The versions, the newest first, each distinct content once; the name says which commits and tags had it.
    public let versions: [ModelVersion]
    /// The commits that had each version, by its name.
    public let commits: [String: VersionCommits]
    /// Whether older commits are missing here, as in a shallow clone.
    public let isShallow: Bool
    /// The contents that could not be read as a model, by path and commit.
    public let unreadable: [String]

    /// Reads the history of a model: each `contents` or `elements` file below its path, as any commit had it; a model that
    /// was moved is followed to where it was.
    ///
    /// ```swift
    /// let history = try ModelHistory(of: "App/Shop.xcdatamodeld", range: nil)
    /// let writer = history.versions.version(withHashes: try store.metadata().hashes)
    /// ```
    ///
    /// - Parameters:
    ///   - place: the path of the model, which need not be there any more, or `REV:path` in a bare repository.
    ///   - range: the revisions that count, as `v1.0..main`; all of them when left out.
    ///   - progress: is called for each version that is read, with their number and that of all.
    /// - Throws: ``MomtoolError`` when git cannot be asked, or when no commit had a model there.
    public init(
        of place: String,
        range: String? = nil,
        progress: ((_ done: Int, _ total: Int) -> Void)? = nil
    ) throws(MomtoolError) {
        let text = place.split(separator: "#").first.map(String.init) ?? place
        let (folder, path) = Self.parts(of: text)
        var versions: [ModelVersion] = []
        var commits: [String: VersionCommits] = [:]
        var unreadable: [String] = []
        do throws(GitError) {
            let history = try GitHistory(of: path, in: folder, range: range) { path in
                path.hasSuffix(".xcdatamodel/contents") || path.hasSuffix(".xcdatamodel/elements")
            }
            isShallow = history.isShallow
            let objects = try GitObjects.shared(at: folder)
            for (place, content) in history.contents.enumerated() {
                progress?(place, history.contents.count)
                let name = content.name
                // What is missing in a partial clone is said, and not fetched.
                guard let bytes = try objects.content(of: content.object) else {
                    unreadable.append("\(name): its content is not in this clone")
                    continue
                }
                let read = readModel(source: bytes, path: content.path)
                if read.hasErrors {
                    unreadable.append("\(name): no readable model")
                } else {
                    commits[name] = VersionCommits(content)
                    versions.append(
                        ModelVersion(name: name, path: content.path, model: read.value)
                    )
                }
            }
        } catch {
            throw MomtoolError(.noInput, text, error.reason, .unreadableFile)
        }
        guard !versions.isEmpty else {
            let message =
                "no commit has a model there; Swift sources are not searched in the history"
            throw MomtoolError(.noInput, text, message, .notAModel)
        }
        self.versions = versions
        self.commits = commits
        self.unreadable = unreadable
    }

    /// The folder in which git is asked, and the path that it is asked for.
    private static func parts(of text: String) -> (folder: String, path: String) {
        if !FileManager.default.fileExists(atPath: text), let place = GitPlace(text) {
            return (".", place.path)
        }
        // The model may be gone, and the folder that it lay in with it.
        var folder = fileURL(trimmedPath(text)).deletingLastPathComponent()
        var path = fileURL(trimmedPath(text)).lastPathComponent
        while folder.path.count > 1, !FileManager.default.fileExists(atPath: folder.path) {
            path = folder.lastPathComponent + "/" + path
            folder.deleteLastPathComponent()
        }
        return (folder.path, "./" + path)
    }
}

/// The commits that had one content of a version.
public struct VersionCommits: Sendable, Hashable {
    /// The path of its file, from the root of the repository.
    public let path: String
    /// The first commit that had it, in hexadecimal digits.
    public let first: String
    /// The day of that commit, as `2026-11-22`.
    public let date: String
    /// The last commit that had it; `nil` while no commit took it away.
    public let last: String?
    /// The tags that have it.
    public let tags: [String]

    fileprivate init(_ content: GitHistory.Content) {
        path = content.path
        first = content.first.id
        date = content.first.date
        last = content.last?.id
        tags = content.tags
    }
}

extension GitHistory.Content {
    /// The version with the commits that had it, as `V2 (1a2b3c4 of 2026-11-22 to 5d6e7f8, tags 1.0, 1.1)`.
    fileprivate var name: String {
        let folder = path.split(separator: "/").dropLast().last ?? ""
        let version = folder.hasSuffix(".xcdatamodel") ? folder.dropLast(12) : folder
        let end = last.map { $0.id == first.id ? "" : " to \($0.id.prefix(7))" } ?? " until now"
        let shown = tags.prefix(5).joined(separator: ", ") + (tags.count > 5 ? ", …" : "")
        let tagged = tags.isEmpty ? "" : ", \(tags.count == 1 ? "tag" : "tags") \(shown)"
        return "\(version) (\(first.id.prefix(7)) of \(first.date)\(end)\(tagged))"
    }
}
