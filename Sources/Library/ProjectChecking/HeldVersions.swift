import Diagnostics
import FileSystem
import ModelChecking
import ModelHashing
import ModelLoading
import Momtool
import ObjectModel
import SettingsFiles

/// The versions and the locks of a project, to find a version that shipped by its hashes.
struct HeldVersions {
    private(set) var bundles: [ModelBundle] = []
    private var locks: [LocatedLock] = []
    /// The contents of models and locks at a revision, by path: these have not moved here since.
    private var earlier = Earlier()

    private struct Earlier {
        var versions: [String: [ModelVersion]] = [:]
        var locks: [String: ModelLock] = [:]
    }

    private init() {}

    /// Reads the models and the locks of a project; their faults are reported elsewhere.
    init(in contents: ProjectContents, _ swift: SwiftSettings) {
        locks = contents.locks.compactMap { path in
            guard let text = try? readText(path, limit: 256 << 20) else { return nil }
            return LocatedLock(ModelLock.parse(text, path: path).value, path: path)
        }
        let known = Set(contents.models)
        // Sources that are read as one may hold parts with a lock of their own.
        let parts = contents.locks.compactMap(LockFile.model).filter { !known.contains($0) }
        let places = contents.places(swift) + parts.map { ModelPlace(lockedAt: $0, swift: swift) }
        bundles = places.compactMap { try? $0.readChosen().value.inStatedOrder }
    }

    /// Reads those of the enclosing repository if the project is only a part of it; none otherwise.
    init(around contents: ProjectContents, _ swift: SwiftSettings) {
        let folders = Set(contents.folders.map(resolvedPath))
        guard let folder = folders.min(), let root = repositoryFolder(around: folder),
            !folders.contains(root)
        else {
            self.init()
            return
        }
        let isHere = root == resolvedPath(".")
        self.init(in: ProjectContents(below: isHere ? "." : pathFromHere(root)), swift)
    }

    /// Returns these without what was there at the revision already, such as the equal model of another app.
    ///
    /// Such a place did not take over `versions` of the removed `model`; what concerned its folder concerned that too.
    func takingOver(
        _ versions: [ModelLock.Version],
        from model: String,
        since revision: String,
        _ swift: SwiftSettings
    ) -> HeldVersions {
        var held = self
        for bundle in bundles where !isAround(bundle.path, model) {
            guard versions.contains(where: { $0.isHeld(by: bundle.versions, bundle) }) else {
                continue
            }
            let readsSwift = bundle.swift != nil && !bundle.path.hasSuffix(".swift")
            let place = ModelPlace(bundle.path, at: revision, swift: swift, readsSwift: readsSwift)
            guard place.isAtItsPathInRevision else { continue }
            held.earlier.versions[bundle.path] = (try? place.read())?.value.versions
        }
        for located in locks where versions.contains(where: { located.guards($0) }) {
            guard let place = LockFile.model(ofLock: located.path), !isAround(place, model),
                let text = gitText(of: located.path, at: revision)
            else { continue }
            held.earlier.locks[located.path] = ModelLock.parse(text, path: located.path).value
        }
        return held
    }

    /// The model that has a version; `nil` for none.
    ///
    /// Swift sources may have moved into a folder that is read together with others: then it has all their entities.
    func home(of version: ModelLock.Version) -> ModelBundle? {
        let homes = bundles.filter { bundle in
            version.isHeld(by: bundle.versions, bundle)
                && !version.isHeld(by: earlier.versions[bundle.path] ?? [], bundle)
        }
        return homes.first { $0.versions.contains(where: version.isSame) } ?? homes.first
    }

    func isLocked(_ version: ModelLock.Version) -> Bool {
        locks.contains { located in
            let before = earlier.locks[located.path].map { LocatedLock($0, path: located.path) }
            return located.hasVersion(version) && before?.hasVersion(version) != true
        }
    }

    /// A version as a lock marks it as pruned, and the path of the lock; `nil` for none.
    func pruned(_ version: ModelLock.Version) -> (version: ModelLock.Version, lock: String)? {
        locks.lazy.compactMap { located in
            let before = earlier.locks[located.path]
            guard before?.prunedVersion(withHashes: version.hashes) == nil else { return nil }
            return located.lock.prunedVersion(withHashes: version.hashes).map { ($0, located.path) }
        }.first
    }
}

private func isAround(_ place: String, _ model: String) -> Bool {
    let (folder, path) = (resolvedPath(place), resolvedPath(model))
    return path == folder || path.hasPrefix(folder + "/")
}

extension ModelLock.Version {
    /// Whether it is one of some versions of a model, or all of its entities are in one of Swift sources.
    fileprivate func isHeld(by versions: [ModelVersion], _ bundle: ModelBundle) -> Bool {
        versions.contains { version in
            isSame(as: version) || bundle.swift != nil && isPart(of: version.hashes)
        }
    }
}

extension LocatedLock {
    fileprivate func hasVersion(_ version: ModelLock.Version) -> Bool {
        let isOfSwift = LockFile.model(ofLock: path).map { !isModelBundle($0) } ?? false
        return lock.versions.contains { locked in
            locked.hashes == version.hashes || isOfSwift && version.isPart(of: locked.hashes)
        }
    }

    fileprivate func guards(_ version: ModelLock.Version) -> Bool {
        hasVersion(version) || lock.prunedVersion(withHashes: version.hashes) != nil
    }
}

extension ModelBundle {
    /// The bundle with its versions in the order of its configuration, if it has one.
    var inStatedOrder: ModelBundle {
        let order = (try? settings(for: path))?.versionOrder ?? []
        return order.isEmpty ? self : ordered(by: order)
    }
}
