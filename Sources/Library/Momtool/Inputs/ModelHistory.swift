import Diagnostics
import FileSystem
import Essentials
import ModelLoading
package import ObjectModel
import SettingsFiles
import SwiftDataReading

package struct ModelHistory: Sendable {
    /// The newest first, each distinct content once; the name includes the commits and tags that had it.
    package private(set) var versions: [ModelVersion] = []
    package private(set) var commits: [String: VersionCommits] = [:]
    /// Whether older commits are missing here, as in a shallow clone.
    package private(set) var isShallow = false
    /// The paths and commits of files that could not be read as a model.
    package private(set) var unreadable: [String] = []
    private let text: String

    /// Reads each `contents` or `elements` file below a path in any commit, and the versions of Swift sources there.
    ///
    /// A model that was moved is followed to where it was; the path may no longer exist, or be `REV:path`. The range is
    /// such as `v1.0..main`; `ofTags` leaves out what no tag has, in Xcode models.
    package init(
        of place: String,
        range: String? = nil,
        ofTags: Bool = false,
        swift: SwiftSettings = SwiftSettings(),
        progress: ((_ done: Int, _ total: Int) -> Void)? = nil
    ) throws(MomtoolError) {
        text = place.split(separator: "#").first.map(String.init) ?? place
        do {
            if !text.hasSuffix(".swift") { try addModels(range, ofTags: ofTags, progress) }
            if readsSwiftSources, !isModelBundle(text) { try addSources(swift, range, progress) }
        } catch let error as GitError {
            throw MomtoolError(.noInput, text, error.reason, .unreadableFile)
        } catch { throw MomtoolError(error) }
        guard !versions.isEmpty else {
            let words = unreadable.prefix(1).map { ": \($0)" }.joined()
            throw MomtoolError(
                .noInput,
                text,
                "no commit has a model at this path\(words)",
                .notAModel
            )
        }
    }

    private mutating func addModels(
        _ range: String?,
        ofTags: Bool,
        _ progress: ((_ done: Int, _ total: Int) -> Void)?
    ) throws(GitError) {
        // A folder may be the repository itself; git does not look outside it.
        let isFolder = FileIdentity(of: text)?.isFolder == true && !isModelBundle(text)
        let (folder, path) = isFolder ? (text, ".") : Self.parts(of: text)
        let history = try GitHistory(of: path, in: folder, range: range) { path in
            path.hasSuffix(".xcdatamodel/contents") || path.hasSuffix(".xcdatamodel/elements")
        }
        isShallow = history.isShallow
        let objects = GitObjects.shared(at: folder)
        for (place, content) in history.contents.enumerated() {
            progress?(place, history.contents.count)
            if ofTags, content.tags.isEmpty { continue }
            let file = content.path.split(separator: "/").dropLast().last ?? ""
            let version = file.hasSuffix(".xcdatamodel") ? file.dropLast(12) : file
            let held = VersionCommits(
                of: String(version),
                path: content.path,
                content.first,
                content.last,
                content.tags
            )
            let name = held.name(of: held.version)
            // What is missing in a partial clone is reported, not fetched.
            let bytes: [UInt8]?
            do throws(GitError) { bytes = try objects.content(of: content.object) } catch {
                guard error.isOfLargeFile else { throw error }
                unreadable.append("\(name): \(error.reason)")
                continue
            }
            guard let bytes else {
                unreadable.append("\(name): its content is not in this clone")
                continue
            }
            let read = readModel(source: bytes, path: content.path)
            if read.hasErrors {
                unreadable.append("\(name): no readable model")
            } else {
                add(name, held, read.value)
            }
        }
    }

    private mutating func addSources(
        _ swift: SwiftSettings,
        _ range: String?,
        _ progress: ((_ done: Int, _ total: Int) -> Void)?
    ) throws {
        let (folder, paths, options) = try sources(swift)
        let history = try SourceHistory(
            of: paths,
            in: folder,
            range: range,
            options,
            progress: progress
        )
        isShallow = isShallow || history.isShallow
        for found in history.found {
            let held = VersionCommits(
                of: found.name,
                path: history.path,
                found.first,
                found.last,
                found.tags
            )
            add(held.name(of: found.name), held, found.model)
        }
        guard !history.gaps.isEmpty else { return }
        unreadable.append(
            "versions of some commits are left out, as momtool does not understand some entities: "
                + history.gaps.sorted().listed(most: 10)
        )
    }

    private mutating func add(_ name: String, _ held: VersionCommits, _ model: ManagedObjectModel) {
        commits[name] = held
        versions.append(ModelVersion(name: name, path: held.path, model: model))
    }

    /// Where the sources are, as a folder in the repository and paths below it, and the options to read them with.
    private func sources(
        _ swift: SwiftSettings
    ) throws(MomtoolError) -> (folder: String, paths: [String], SwiftReadingOptions) {
        let place = packageTarget(text) ?? text
        if let target = XcodeTarget(text) {
            let settings = try configuration(nil, for: target.folder + "/Package.swift")
            return (
                target.folder, target.sources.sources,
                target.applied(to: swift.applied(to: settings.value.swift))
            )
        }
        let isFolder = FileIdentity(of: place)?.isFolder == true
        let settings = try configuration(nil, for: isFolder ? place + "/Package.swift" : place)
        let options = swift.applied(to: settings.value.swift)
        if let file = settings.value.path, !options.sources.isEmpty, !place.hasSuffix(".swift") {
            return (parent(of: resolvedPath(file)), options.sources, options)
        }
        if isFolder { return (place, ["."], options) }
        let (folder, path) = Self.parts(of: place)
        return (folder, [path], options)
    }

    /// The folder to run git in, and the path to ask it for.
    private static func parts(of text: String) -> (folder: String, path: String) {
        if !Files.exists(at: text), let place = GitPlace(text) { return (".", place.path) }
        // The model may have been removed with its folder.
        var folder = fileURL(trimmedPath(text)).deletingLastPathComponent()
        var path = fileURL(trimmedPath(text)).lastPathComponent
        while folder.path.count > 1, !Files.exists(at: folder.path) {
            path = folder.lastPathComponent + "/" + path
            folder.deleteLastPathComponent()
        }
        return (folder.path, "./" + path)
    }
}

package struct VersionCommits: Sendable, Hashable {
    /// The path of its file, from the root of the repository.
    package let path: String
    /// In hexadecimal digits.
    package let first: String
    /// Such as `2026-11-22`.
    package let date: String
    package let author: String
    package let subject: String
    /// `nil` while no commit removed it.
    package let last: String?
    package let tags: [String]
    /// The name of the version itself.
    package let version: String

    fileprivate init(
        of version: String,
        path: String,
        _ first: GitHistory.Commit,
        _ last: GitHistory.Commit?,
        _ tags: [String]
    ) {
        (self.version, self.path, self.tags) = (version, path, tags)
        (self.first, date, author, subject) = (first.id, first.date, first.author, first.subject)
        self.last = last?.id
    }

    /// A version with the commits that had it, such as `V2 (1a2b3c4 of 2026-11-22 to 5d6e7f8, tags 1.0, 1.1)`.
    fileprivate func name(of version: String) -> String {
        let end = last.map { $0 == first ? "" : " to \($0.prefix(7))" } ?? " until now"
        let shown = tags.prefix(5).joined(separator: ", ") + (tags.count > 5 ? ", …" : "")
        let tagged = tags.isEmpty ? "" : ", \(tags.count == 1 ? "tag" : "tags") \(shown)"
        return "\(version) (\(first.prefix(7)) of \(date)\(end)\(tagged))"
    }
}
