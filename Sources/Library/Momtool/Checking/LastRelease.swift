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
        tagsBehind?.last { configuration.isRelease($0.name) }?.name
    }

    /// The tags that lead here, asked for once in a run; `nil` where git cannot say.
    var tagsBehind: [GitTag]? {
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
