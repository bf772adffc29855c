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
    /// there may be none; notes patterns of releases that no tag has.
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

    /// Warns about classes of SwiftData that another file keeps than at a revision: their rows stay in the old one.
    package func movedClasses(since revision: String, _ past: ModelBundle) -> [Finding] {
        var moves: [[String]: (classes: [String], from: SwiftStore, to: SwiftStore)] = [:]
        for entity in currentVersion?.model.entities ?? [] {
            let sides = [(past, entity.matchingIdentifier), (self, entity.name)].map { side, name in
                side.swift?.stores.filter { $0.entities.contains(name) } ?? []
            }
            // A file that is made at run time may be the same one.
            let files = sides.map { $0.compactMap(\.fileName) }
            guard let from = sides[0].first, let to = sides[1].first,
                files.map(\.count) == sides.map(\.count), Set(files[0]).isDisjoint(with: files[1])
            else { continue }
            moves[files.map { $0[0] }, default: ([], from, to)].classes.append(entity.name)
        }
        return moves.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map { files, move in
            let what = "\(move.classes.listed(most: 3)): moved from '\(files[0])' to '\(files[1])'"
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
}
