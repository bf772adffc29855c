import Diagnostics
import Essentials
import FileSystem
import ModelChecking
import ModelHashing
import ModelLoading
import Momtool
import ObjectModel
import SettingsFiles
import YAMLReading

extension ProjectCheck {
    /// The folders to check, with the git submodules below them, which a revision does not hold itself.
    var foldersOfRevision: [String] { contents.folders.flatMap { [$0] + submodules(below: $0) } }

    /// Whether the repository around a path has the revision; reports if not.
    mutating func isKnown(_ revision: String, around path: String) -> Bool {
        let place = resolvedPath(path)
        let isRoot = exists(place + "/.git")
        let folder = isRoot ? place : parent(of: place)
        let placed = PlacedRevision(revision, in: folder)
        guard !placed.isHere(in: folder) else { return true }
        let cause =
            if case .linked(let commit) = placed {
                "it uses commit \(commit.prefix(12)) of this submodule, which is missing here: fetch it"
            } else { "this separate repository does not have it" }
        let root = repositoryFolder(around: folder) ?? folder
        let message: Wording = "nothing here is compared with \(revision): \(cause)"
        report("not-checked", message, at: FileLocation(path: pathFromHere(root)))
        return false
    }

    /// Whether the revision has a present model, also under another path, which is remembered.
    mutating func isInRevision(_ place: ModelPlace) -> Bool {
        guard !place.isAtItsPathInRevision else { return true }
        do throws(GitError) {
            guard let path = try place.earlierPathInRevision() else { return false }
            movedPaths.insert(path)
        } catch {
            // Failures of git are reported when the model is read.
        }
        return true
    }

    mutating func addNew(_ model: String, _ bundle: ModelBundle) {
        let versions = bundle.versions.map(\.name)
        wholeModels.append(WholeModel(model: model, versions: versions, isNew: true))
    }

    mutating func addGone(_ model: String, _ versions: [ModelLock.Version]) {
        let versions = versions.map(\.name)
        wholeModels.append(WholeModel(model: model, versions: versions, isNew: false))
    }

    /// The versions and locks that may continue what a model had at the revision: in the checked paths, and in the whole
    /// repository if these do not guard all of it.
    mutating func successors(
        of model: String,
        _ versions: [ModelLock.Version],
        _ revision: String
    ) -> [HeldVersions] {
        guard !versions.isEmpty else { return [] }
        let own = held.takingOver(versions, from: model, since: revision, options.swift)
        guard !versions.allSatisfy({ own.isLocked($0) || own.pruned($0) != nil }) else {
            return [own]
        }
        let all = heldElsewhere.takingOver(versions, from: model, since: revision, options.swift)
        return [own, all]
    }

    /// Warns about removed models that the revision has without a lock.
    mutating func checkModelsOfRevision() {
        guard let revision = options.revision else { return }
        for folder in foldersOfRevision where isKnown(revision, around: folder) {
            let locked = Set(
                locks(at: revision, below: folder).compactMap { LockFile.model(ofLock: $0.path) }
            )
            for model in goneModels(at: revision, below: folder)
            where !locked.contains(model) && !movedPaths.contains(resolvedPath(model)) {
                warn(ofGone: model, ModelPlace(model, at: revision, swift: options.swift), revision)
            }
            guard !hasSwift(in: folder), locked.allSatisfy(isModelBundle) else { continue }
            let place = ModelPlace(folder, at: revision, swift: options.swift, readsSwift: true)
            let now = ModelPlace(swiftSourcesBelow: folder, swift: options.swift)
            // Models in a form that the search does not know are still there.
            guard place.mayHoldSwiftModels, hasVersions(try? place.readUsable()),
                !hasVersions(try? now.readUsable())
            else { continue }
            warn(ofGone: folder, place, revision)
        }
    }

    /// A model of a release that is gone, and whose store a new one of the other framework may open; `nil` for none.
    func replaced(by bundle: ModelBundle, since tag: String) -> Past? {
        let places = contents.folders.flatMap { gone(bundle.swift == nil, below: $0, at: tag) }
        return places.lazy.compactMap { place -> Past? in
            guard var old = bundle.replaced(place), let current = bundle.currentVersion else {
                return nil
            }
            old.versions[0].name = current.name
            return (old, old.versions[0], [])
        }.first
    }

    private func gone(_ isSwift: Bool, below folder: String, at tag: String) -> [ModelPlace] {
        guard !isSwift else {
            let place = ModelPlace(folder, at: tag, swift: options.swift, readsSwift: true)
            return hasSwift(in: folder) || !place.mayHoldSwiftModels ? [] : [place]
        }
        return goneModels(at: tag, below: folder).map {
            ModelPlace($0, at: tag, swift: options.swift)
        }
    }

    private func hasSwift(in folder: String) -> Bool {
        let folder = resolvedPath(folder)
        let places = contents.swiftFolders + contents.models.filter { !isModelBundle($0) }
        return places.map { resolvedPath($0) }.contains { place in
            (place + "/").hasPrefix(folder + "/") || folder.hasPrefix(place + "/")
        }
    }

    private func hasVersions(_ read: Diagnosed<ModelBundle>?) -> Bool {
        read?.value.versions.isEmpty == false
    }

    private mutating func warn(ofGone model: String, _ place: ModelPlace, _ revision: String) {
        guard place.isAtItsPathInRevision, let old = try? place.readUsable().value else { return }
        let unshipped = (try? settings(for: model))?.unshippedVersions ?? []
        let versions = old.versions
            .filter { $0.isWhole && !$0.model.entities.isEmpty && !unshipped.contains($0.name) }
            .map { ModelLock.Version(name: $0.name, hashes: $0.hashes) }
        let others = successors(of: model, versions, revision)
        let lost = versions.filter { version in
            !others.contains { $0.home(of: version) != nil || $0.pruned(version) != nil }
        }
        guard !lost.isEmpty else { return }
        addGone(model, lost)
        let (names, isOne) = (lost.map(\.name), lost.count == 1)
        let what = isModelBundle(model) ? "'\(model)' was" : "the Swift models of '\(model)' were"
        let message: Wording = """
            since \(revision): \(what) removed with \(names.map { "'\($0)'" }.listed(most: 5)): \
            \(isOne ? "its" : "their") stores no longer open
            """
        let list = names.map { yamlText($0) }.joined(separator: ", ")
        let shipped: Wording =
            "if \(isOne ? "it" : "one of them") shipped, restore and lock it: \(.lock)"
        let notes = [
            Diagnostic.Note(saying: shipped),
            Diagnostic.Note("if not, say so in .momtool.yml: lock: {unshipped: [\(list)]}"),
        ]
        report("changed-since", message, at: FileLocation(path: model), notes: notes)
    }
}
