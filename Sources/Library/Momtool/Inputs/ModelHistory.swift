import Diagnostics
import Essentials
package import FileSystem
import MappingInference
package import ModelChecking
import ModelHashing
package import ModelLoading
package import ObjectModel
package import SettingsFiles
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

/// What the releases of a model had, by the tags of its repository.
package struct ModelReleases: Sendable {
    /// What a version held in some releases.
    package struct Content: Sendable {
        package let version: ModelVersion
        package fileprivate(set) var tags: [GitTag]
    }

    /// The contents, in the order of their first releases.
    package let contents: [Content]
    package let newest: GitTag

    /// Reads the tags that are releases by the settings; `nil` where none has the model, which is one of Xcode.
    package init?(of bundle: ModelBundle, _ settings: ToolConfiguration) {
        guard bundle.swift == nil, exists(bundle.path),
            let tags = bundle.releaseTags(settings), !tags.isEmpty,
            let history = try? ModelHistory(of: bundle.path, ofTags: true)
        else { return nil }
        var holders: [Key: Set<String>] = [:]
        var versions: [Key: ModelVersion] = [:]
        var folders: [String: String] = [:]
        for found in history.versions {
            guard let commits = history.commits[found.name] else { continue }
            let version = ModelVersion(name: commits.version, path: found.path, model: found.model)
            let key = Key(name: version.name, hashes: version.hashes)
            // Names of what was renamed are in no hash: those of the last release count.
            if versions[key] == nil { versions[key] = version }
            holders[key, default: []].formUnion(commits.tags)
            for tag in commits.tags { folders[tag] = parent(of: parent(of: commits.path)) }
        }
        let objects = GitObjects.shared(at: parent(of: resolvedPath(bundle.path)))
        let currents = Dictionary(
            uniqueKeysWithValues: folders.map { tag, folder in
                let list = "refs/tags/\(tag):\(folder)/.xccurrentversion"
                return (tag, (try? objects.content(of: list)).flatMap { $0 })
            }
        ).compactMapValues { currentVersionName(in: $0 ?? []) }
        let found = versions.compactMap { key, version -> Content? in
            let isUnshipped = settings.unshippedVersions.contains(key.name)
            let own = tags.filter { tag in
                let current = currents[tag.name] ?? (isUnshipped ? nil : key.name)
                // Settings say what never shipped, unless it was current, and so does the order of versions.
                return holders[key]?.contains(tag.name) == true
                    && (key.name == current
                        || !isUnshipped && !bundle.isKnown(key.name, asNewerThan: current ?? ""))
            }
            // What shipped once stays so while releases have it, also after the current version was set back.
            guard let start = own.first.flatMap(tags.firstIndex) else { return nil }
            let since = tags[start...].filter { holders[key]?.contains($0.name) == true }
            return Content(version: version, tags: since)
        }
        let places = Dictionary(uniqueKeysWithValues: tags.enumerated().map { ($1, $0) })
        func place(_ tag: GitTag?) -> Int { tag.flatMap { places[$0] } ?? 0 }
        contents = found.sorted {
            (place($0.tags.first), $0.version.name) < (place($1.tags.first), $1.version.name)
        }
        guard let last = contents.compactMap(\.tags.last).max(by: { place($0) < place($1) })
        else { return nil }
        newest = last
    }

    private struct Key: Hashable {
        var name: String
        var hashes: ModelHashes
    }
}

extension ModelBundle {
    package func releases(_ settings: ToolConfiguration) -> ModelReleases? {
        let key = [resolvedPath(path)] + settings.releases + ["\n"] + settings.unshippedVersions
        return Surroundings.current.memory.found(for: key) { ModelReleases(of: self, settings) }
    }

    /// The lock that the tags replace if a model has no lock: the versions that releases had, one that they had only
    /// with other contents as in the last release.
    package func lockOfReleases(_ settings: ToolConfiguration) -> LocatedLock? {
        guard let releases = releases(settings) else { return nil }
        var lock = ModelLock(versions: shipped(in: releases).map(ModelLock.Version.init))
        lock.recordsLosses = false
        lock.newestTag = releases.newest.name
        if let losses = lossesAsReleased(releases),
            let index = lock.versions.firstIndex(where: { $0.name == currentVersion?.name })
        {
            lock.versions[index].losses = losses
        }
        return LocatedLock(lock, path: place(at: releases.newest.name))
    }

    /// The model at a tag; the tag alone for the root of the repository.
    func place(at tag: String) -> String { path == "." ? tag : "\(tag):\(path)" }

    /// What the step to the current version lost in the last release, where renamings changed since; otherwise `nil`.
    private func lossesAsReleased(_ releases: ModelReleases) -> [String]? {
        guard let current = currentVersion, let before = try? predecessor(of: current),
            let content = releases.contents.last(where: {
                $0.version.name == current.name && $0.version.hashes == current.hashes
            }), content.version.model.renamings != current.model.renamings
        else { return nil }
        return stepLosses(from: before, to: content.version).map(\.name).sorted()
    }

    /// Contents that releases had and no version has any more, except those in the lock of releases.
    package func contentsGone(_ settings: ToolConfiguration) -> [ModelReleases.Content] {
        guard let releases = releases(settings) else { return [] }
        let known = Set((versions + shipped(in: releases)).map(\.hashes))
        return releases.contents.filter { !known.contains($0.version.hashes) }
    }

    /// The versions that the lock of releases has.
    private func shipped(in releases: ModelReleases) -> [ModelVersion] {
        let present = Set(versions.map(\.hashes))
        let known = Set(versions.map(\.name) + unreadableVersions.map(\.name))
        let own = versions.compactMap { version in
            // One with the hashes of another version has shipped under that name alone.
            releases.contents.contains { content in
                content.version.hashes == version.hashes
                    && (content.version.name == version.name
                        || !known.contains(content.version.name))
            }
                ? version
                : releases.contents.last {
                    $0.version.name == version.name && !present.contains($0.version.hashes)
                }?.version
        }
        let gone = releases.contents.filter { content in
            content.tags.last == releases.newest && !known.contains(content.version.name)
                && !present.contains(content.version.hashes)
        }
        return own + gone.map(\.version)
    }
}

extension ManagedObjectModel {
    /// Renaming identifiers, by the names of their entities and properties.
    fileprivate var renamings: [String: String] {
        var found: [String: String] = [:]
        for entity in entities {
            found[entity.name] = entity.renamingIdentifier
            for property in entity.properties {
                found["\(entity.name).\(property.name)"] = property.renamingIdentifier
            }
        }
        return found
    }
}

extension ModelBundle {
    /// Returns the previous version; throws for the first version, or if the previous one cannot be read.
    package func predecessor(of version: ModelVersion) throws(MomtoolError) -> ModelVersion {
        if let unreadable = unreadableVersions.last(where: { $0.next == version.name }) {
            throw MomtoolError(.badData, saying: unreadable.diagnostics.asNeeded)
        }
        guard let index = versions.firstIndex(where: { $0.name == version.name }), index > 0 else {
            throw MomtoolError(
                .refused,
                path,
                "'\(version.name)' has no previous version",
                "unknown-version",
                advice: [.nameBothVersions]
            )
        }
        return versions[index - 1]
    }

    /// Returns the version before another that stores may have: where there is a lock, one in the lock.
    package func shippedPredecessor(of version: ModelVersion) throws(MomtoolError) -> ModelVersion {
        let before = try predecessor(of: version)
        guard let lock = lock()?.following(versions).lock else { return before }
        let older = versions.prefix { $0.name != version.name }
        return older.last { lock.version(named: $0.name) != nil } ?? before
    }

    package func unreadableVersions(before version: ModelVersion) -> [UnreadableVersion] {
        let end = versions.firstIndex { $0.name == version.name } ?? 0
        let known = Set(versions.prefix(end + 1).map(\.name))
        return unreadableVersions.filter { $0.next.map(known.contains) == true }
    }
}
