import Essentials
package import FileSystem
import MappingInference
package import ModelChecking
import ModelHashing
package import ModelLoading
package import ObjectModel
package import SettingsFiles

/// What the releases of a model had, by the tags of its repository.
package struct ModelReleases: Sendable {
    /// What a version held in some releases.
    package struct Content: Sendable {
        /// The version, by the name that it had.
        package let version: ModelVersion
        /// The tags of these releases, the oldest first.
        package fileprivate(set) var tags: [GitTag]
    }

    /// The contents, in the order of their first releases.
    package let contents: [Content]
    /// The last release that had the model.
    package let newest: GitTag

    /// Reads the tags that are releases by the settings; `nil` where none has the model, which is one of Xcode.
    package init?(of bundle: ModelBundle, _ settings: ToolConfiguration) {
        guard bundle.swift == nil, exists(bundle.path),
            let all = try? gitTagsBehind(in: parent(of: resolvedPath(bundle.path)))
        else { return nil }
        let tags = all.filter { settings.isRelease($0.name) }
        guard !tags.isEmpty, let history = try? ModelHistory(of: bundle.path, ofTags: true)
        else { return nil }
        var holders: [Key: Set<String>] = [:]
        var versions: [Key: ModelVersion] = [:]
        for found in history.versions {
            guard let commits = history.commits[found.name] else { continue }
            let version = ModelVersion(name: commits.version, path: found.path, model: found.model)
            let key = Key(name: version.name, hashes: version.hashes)
            // Names of what was renamed are in no hash: those of the last release count.
            if versions[key] == nil { versions[key] = version }
            holders[key, default: []].formUnion(commits.tags)
        }
        let found = versions.compactMap { key, version -> Content? in
            let own = tags.filter { holders[key]?.contains($0.name) == true }
            return own.isEmpty ? nil : Content(version: version, tags: own)
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
    /// The releases of the model, read once in a run.
    package func releases(_ settings: ToolConfiguration) -> ModelReleases? {
        let key = [resolvedPath(path)] + settings.releases
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

    /// What the step to the current version lost in the last release, where other renamings are declared since; `nil` where
    /// none are.
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
