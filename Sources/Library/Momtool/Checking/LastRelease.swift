import Diagnostics
import Essentials
import FileSystem
package import ModelChecking
package import ModelLoading
import ObjectModel
package import SettingsFiles
import SwiftDataReading

extension Diagnosed<ModelBundle> {
    /// The versions without those that the findings say cannot be read.
    var readVersions: [ModelVersion] {
        let unread = unreadVersions(value.versions, reading: diagnostics)
        return value.versions.filter { !unread.contains($0.name) }
    }

    /// The versions that a release of Swift sources shipped: of each store those up to the current one, unless settings say
    /// that one before it never shipped.
    func shippedVersions(_ settings: ToolConfiguration) -> [ModelVersion] {
        let names = value.stores.flatMap { store -> [String] in
            let end = store.versions.firstIndex(where: \.isCurrent) ?? store.versions.endIndex - 1
            return store.versions.prefix(end + 1).filter {
                $0.isCurrent || !settings.unshippedVersions.contains($0.name)
            }.map(\.name)
        }
        return readVersions.filter { names.contains($0.name) && !$0.isBeside }
    }
}

extension ModelBundle {
    /// The model as the last release has it, read once in a run: of its versions count those that could be read.
    func lastReleased(
        at place: ModelPlace,
        _ configuration: ToolConfiguration
    ) -> (tag: String, read: Diagnosed<ModelBundle>)? {
        guard let tag = lastRelease(configuration) else { return nil }
        let (swift, readsSwift) = (place.swift, place.readsSwift)
        let past = ModelPlace(place.path, at: tag, swift: swift, readsSwift: readsSwift)
        let read = Surroundings.current.memory.found(for: past) { try? past.readUsable() }
        return read.map { (tag, $0) }
    }

    /// The model with the step from the current version as the last release has it: an edit may lose something.
    func editedSinceRelease(
        by place: ModelPlace,
        _ configuration: ToolConfiguration
    ) -> ModelBundle? {
        guard let past = lastReleased(at: place, configuration)?.read.value.currentVersion,
            let current = currentVersion, past.name == current.name
        else { return nil }
        var copy = self
        copy.versions = [past, current]
        copy.versions[0].name += " released"
        return copy
    }

    /// The model with the step from that of Core Data which the last release had for its store.
    func replacing(_ configuration: ToolConfiguration) -> ModelBundle? {
        let place = ModelPlace(swiftSourcesBelow: path)
        guard swift != nil, let current = currentVersion, let tag = lastRelease(configuration),
            let root = repositoryFolder(around: resolvedPath(path)),
            lastReleased(at: place, configuration)?.read.value.versions.isEmpty ?? true
        else { return nil }
        let gone = goneModels(at: tag, below: root)
        var copy = gone.lazy.compactMap { replaced(ModelPlace(pathFromHere($0), at: tag)) }.first
        copy?.versions[0].name += " (\(tag))"
        copy?.versions.append(current)
        return copy
    }

    /// Another model with its current version alone, if this one may open its stores and has no version like it.
    package func replaced(_ place: ModelPlace) -> ModelBundle? {
        guard var old = try? place.readUsable().value, let past = old.currentVersion, past.isWhole,
            mayShareStore(with: old), !versions.contains(where: { $0.hashes == past.hashes })
        else { return nil }
        old.versions = [past]
        return old
    }

    package func lastRelease(_ configuration: ToolConfiguration) -> String? {
        releaseTags(configuration)?.last?.name
    }

    /// The tags of releases that lead here, with those that the settings name in full, asked for once in a run; `nil` where
    /// git cannot say.
    func releaseTags(_ configuration: ToolConfiguration) -> [GitTag]? {
        let (folder, names) = (folderWithTags, configuration.releases)
        return Surroundings.current.memory.found(for: [folder] + names) {
            let behind = try? gitReleases(in: folder) { configuration.isRelease($0.name) }
            guard let behind, !names.isEmpty, let all = try? gitTags(in: folder),
                all.contains(where: { names.contains($0.name) })
            else { return behind }
            return all.filter { behind.contains($0) || names.contains($0.name) }
        }
    }

    private var folderWithTags: String {
        let place = resolvedPath(path)
        let isSources = FileIdentity(of: place)?.isFolder == true && !isModelBundle(place)
        return isSources ? place : parent(of: place)
    }

    /// Warns where no tag says what shipped, as git cannot read the repository or the clone lacks tags, which is a note where
    /// there may be none, or the contents of the last release; notes patterns of releases that no tag has.
    func unreadReleases(
        _ configuration: ToolConfiguration,
        isLocked: Bool = false,
        _ areCompared: Bool = true
    ) -> [Diagnostic] {
        let folder = folderWithTags
        guard !isLocked, exists(path), let root = repositoryFolder(around: folder) else {
            return []
        }
        func finding(_ message: String, _ severity: Severity = .warning) -> [Diagnostic] {
            let place = FileLocation(path: pathFromHere(root))
            return [Diagnostic("not-checked", message, severity: severity, at: place)]
        }
        guard let tags = releaseTags(configuration) else {
            let message = "the tags, which say what shipped, cannot be read"
            return gitFault(in: folder).map { finding("\(message): \($0.reason)") } ?? []
        }
        lazy var others = (try? gitTags(in: folder)) ?? []
        let unshipped = configuration.unshippedVersions
        if areCompared, !versions.allSatisfy({ unshipped.contains($0.name) }), !isSubmodule(root),
            let fetch = gitFetch(in: folder, lacking: { configuration.isRelease($0.name) })
        {
            let isSure = !configuration.releases.isEmpty || !others.isEmpty
            return finding(
                "this clone \(isSure ? "lacks the" : "may lack") tags of earlier releases, which say what shipped, and there is "
                    + "no lock: \(fetch), in CI a checkout with fetch-depth: 0 (GitHub) or GIT_DEPTH: 0 (GitLab)",
                isSure ? .warning : .note
            )
        }
        if areCompared, isModelBundle(path), let tag = tags.last?.name,
            lastReleased(at: ModelPlace(path), configuration) == nil,
            modelSources(at: tag, below: root).contains(resolvedPath(path))
        {
            return finding(
                "what shipped is not known, as the model cannot be read in \(tag.onOneLine): a partial clone lacks files of earlier "
                    + "commits, which git fetch does not add; clone it whole"
            )
        }
        return configuration.releases.compactMap { pattern in
            var own = configuration
            own.releases = [pattern]
            guard !tags.contains(where: { own.isRelease($0.name) }) else { return nil }
            let place = configuration.locations[pattern] ?? FileLocation(path: path)
            let other = others.last { own.isRelease($0.name) }?.name.onOneLine
            let (what, more) =
                other.map { ("behind this commit", ", only others such as \($0)") }
                ?? ("here", "; fetch those of the remote")
            let message = "no tag \(what) matches '\(pattern)'\(more)"
            return Diagnostic("not-checked", message, severity: .note, at: place)
        }
    }

    /// Warns about classes of SwiftData that another file keeps than at a revision, or only memory: their rows stay in the
    /// old one, unless code of the app moves that.
    package func movedClasses(since revision: String, _ past: ModelBundle) -> [Finding] {
        var moves: [[String]: (classes: [String], from: SwiftStore, to: SwiftStore)] = [:]
        for entity in currentVersion?.model.entities ?? [] {
            var sides = [(past, entity.matchingIdentifier), (self, entity.name)].map { side, name in
                side.swift?.stores.filter { $0.entities.contains(name) } ?? []
            }
            guard let from = sides[0].first else { continue }
            let isInMemory = sides[1].isEmpty
            // Other sources than that of the store may have previews.
            let path = from.source.element?.path ?? ""
            if isInMemory {
                sides[1] = (swift?.memoryStores ?? []).filter {
                    $0.entities.contains(entity.name)
                        && path.hasSuffix($0.source.element?.path ?? "/")
                }
            }
            // A folder that is made at run time may be the same one.
            let areKnown = sides.joined().allSatisfy { $0.isInGroup != nil }
            let files = zip(sides, [false, isInMemory]).map { side, isInMemory in
                side.compactMap { store -> String? in
                    let place = areKnown && store.isInGroup == true ? " in a group's folder" : ""
                    return isInMemory ? "memory" : store.fileName.map { "'\($0)'\(place)" }
                }
            }
            guard let to = sides[1].first, files.map(\.count) == sides.map(\.count),
                Set(files[0]).isDisjoint(with: files[1]), !movesFile(of: from)
            else { continue }
            moves[files.map { $0[0] }, default: ([], from, to)].classes.append(entity.name)
        }
        return moves.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map { files, move in
            let what = "\(move.classes.listed(most: 3)): moved from \(files[0]) to \(files[1])"
            let diagnostic = Diagnostic(
                "entity-changes-store",
                "since \(revision): \(what), but no migration moves rows to another file",
                severity: .warning,
                at: move.to.source.element,
                element: move.classes.count == 1 ? move.classes[0] : nil,
                notes: [Diagnostic.Note("it was here", at: move.from.source.element)]
            )
            return Finding(diagnostic)
        }
    }

    /// Whether code of the app moves or copies a file with the name of a store.
    private func movesFile(of store: SwiftStore) -> Bool {
        let folder = folderWithTags
        let sources = AppSources.below(repositoryFolder(around: folder) ?? folder)
        let (name, movers) = ("\"\(store.fileName ?? "")\"", SourceMentions.movers)
        func isNamed(_ path: String, _ lines: [Substring]) -> Bool {
            lines.contains { $0.contains(name) || mentionsStore($0) && moves($0) }
        }
        func moves(_ line: Substring) -> Bool { movers.contains { line.contains($0) } }
        return sources.firstLine(mentioning: .moving, in: isNamed, where: moves) != nil
    }
}
