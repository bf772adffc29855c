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
}

extension ModelBundle {
    /// The model as the last release has it, read once in a run: of its versions count those that could be read.
    func lastReleased(
        by place: ModelPlace,
        _ configuration: ToolConfiguration
    ) -> (tag: String, read: Diagnosed<ModelBundle>)? {
        guard let tag = lastRelease(configuration) else { return nil }
        let place = ModelPlace(
            place.path,
            at: tag,
            swift: place.swift,
            readsSwift: place.readsSwift
        )
        let read = Surroundings.current.memory.found(for: place) { try? place.readUsable() }
        return read.map { (tag, $0) }
    }

    /// The model with the step from the current version as the last release has it: an edit may lose something.
    func editedSinceRelease(
        by place: ModelPlace,
        _ configuration: ToolConfiguration
    ) -> ModelBundle? {
        guard let past = lastReleased(by: place, configuration)?.read.value.currentVersion,
            let current = currentVersion, past.name == current.name
        else { return nil }
        var copy = self
        copy.versions = [past, current]
        copy.versions[0].name += " released"
        return copy
    }

    package func lastRelease(_ configuration: ToolConfiguration) -> String? {
        tagsBehind?.last { configuration.isRelease($0.name) }?.name
    }

    /// The tags that lead here, asked for once in a run; `nil` where git cannot say.
    private var tagsBehind: [GitTag]? {
        let folder = folderWithTags
        return Surroundings.current.memory.found(for: folder) { try? gitTagsBehind(in: folder) }
    }

    private var folderWithTags: String {
        let place = resolvedPath(path)
        let isSources = FileIdentity(of: place)?.isFolder == true && !isModelBundle(place)
        return isSources ? place : parent(of: place)
    }

    /// Warns where no tag says what shipped, as git cannot read the repository; notes patterns of releases that no tag has.
    func unreadReleases(_ configuration: ToolConfiguration) -> [Diagnostic] {
        let folder = folderWithTags
        guard exists(path), let root = repositoryFolder(around: folder) else { return [] }
        guard let tags = tagsBehind else {
            guard let fault = gitFault(in: folder) else { return [] }
            let message = "the tags, which say what shipped, cannot be read: \(fault.reason)"
            let place = FileLocation(path: pathFromHere(root))
            return [Diagnostic("not-checked", message, severity: .warning, at: place)]
        }
        return configuration.releases.filter { pattern in
            var own = configuration
            own.releases = [pattern]
            return !tags.contains { own.isRelease($0.name) }
        }.map { pattern in
            let place = configuration.locations[pattern] ?? FileLocation(path: path)
            let message =
                "no tag here matches '\(pattern)'; fetch those of the remote"
            return Diagnostic("not-checked", message, severity: .note, at: place)
        }
    }
}

extension ModelBundle {
    /// Warns about classes of SwiftData that another file keeps than at a revision: their rows stay in the old one.
    package func movedClasses(since revision: String, _ past: ModelBundle) -> [Finding] {
        let earlier = past.swift?.stores ?? []
        var moves: [[String]: (classes: [String], place: FileLocation?, was: FileLocation?)] = [:]
        for entity in currentVersion?.model.entities ?? [] {
            let before = earlier.filter { $0.entities.contains(entity.matchingIdentifier) }
            let after = swift?.stores.filter { $0.entities.contains(entity.name) } ?? []
            // A file that is made at run time may be the same one.
            let files = [before, after].map { $0.compactMap(\.fileName) }
            guard let from = before.first, let to = after.first,
                files.map(\.count) == [before.count, after.count],
                Set(files[0]).isDisjoint(with: files[1])
            else { continue }
            moves[
                [files[0][0], files[1][0]],
                default: ([], to.source.element, from.source.element)
            ]
            .classes.append(entity.name)
        }
        return moves.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map { files, move in
            let diagnostic = Diagnostic(
                "entity-changes-store",
                saying: """
                    since \(revision): \(move.classes.listed(most: 3)): moved from '\(files[0])' to '\(files[1])', but no migration \
                    moves rows to another file
                    """,
                severity: .warning,
                at: move.place,
                element: move.classes.count == 1 ? move.classes[0] : nil,
                notes: [Diagnostic.Note("it was here", at: move.was)]
            )
            return Finding(diagnostic)
        }
    }
}

extension ModelBundle {
    /// The finding without the advice to unlock a version that a release has.
    func withoutUnlocking(_ finding: Finding, _ settings: ToolConfiguration) -> Finding {
        guard finding.diagnostic.rule == "locked-version-edited", let name = finding.version,
            release(of: name, settings) != nil
        else { return finding }
        var finding = finding
        finding.diagnostic.notes.removeAll { $0.message.hasPrefix("if it has not shipped") }
        return finding
    }
}
