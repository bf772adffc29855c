import Diagnostics
import FileSystem
import ModelChecking
import ModelHashing
import ModelLoading
import Momtool
import ObjectModel
import SettingsFiles

/// The versions and the locks of a project, in which a version that shipped is looked for by its hashes.
struct HeldVersions {
    /// The models that can be read.
    private var bundles: [ModelBundle] = []
    /// The locks that can be read, each with its path.
    private var locks: [LocatedLock] = []

    private init() {}

    /// Reads the models and the locks of a project; what is wrong with them is told elsewhere.
    init(in contents: ProjectContents, _ swift: SwiftSettings) {
        locks = contents.locks.compactMap { path in
            guard let text = try? readText(path, limit: 256 << 20) else { return nil }
            return LocatedLock(ModelLock.parse(text, path: path).value, path: path)
        }
        let known = Set(contents.models)
        // Sources that are read as one may hold parts with a lock of their own.
        let parts = contents.locks.compactMap(LockFile.model).filter { !known.contains($0) }
        let places =
            contents.models.map { ModelPlace($0, swift: swift) }
            + contents.swiftFolders.map { ModelPlace(swiftSourcesBelow: $0, swift: swift) }
            + parts.map { ModelPlace(lockedAt: $0, swift: swift) }
        bundles = places.compactMap { try? $0.readChosen().value.inStatedOrder }
    }

    /// Reads those of the repository around a project, of which a part is checked; none where that is all of it.
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

    /// The model that has a version; `nil` for none.
    ///
    /// Swift sources may have moved into a folder that is read together with others: then all its entities are there.
    func home(of version: ModelLock.Version) -> ModelBundle? {
        bundles.first { $0.versions.contains(where: version.isSame) }
            ?? bundles.first { bundle in
                bundle.swift != nil
                    && bundle.versions.contains { version.isPart(of: $0.hashes) }
            }
    }

    /// Whether a lock keeps a version from being edited.
    func isLocked(_ version: ModelLock.Version) -> Bool {
        locks.contains { located in
            let isOfSwift = LockFile.model(ofLock: located.path).map { !isModelBundle($0) } ?? false
            return located.lock.versions.contains { locked in
                locked.hashes == version.hashes || isOfSwift && version.isPart(of: locked.hashes)
            }
        }
    }

    /// A version as the lock has it that marks it as pruned, and the path of the lock; `nil` where none does.
    func pruned(_ version: ModelLock.Version) -> (version: ModelLock.Version, lock: String)? {
        locks.lazy.compactMap { located in
            located.lock.prunedVersion(withHashes: version.hashes).map { ($0, located.path) }
        }.first
    }
}

extension ModelBundle {
    /// The bundle with its versions in the order of its configuration, where that says one.
    var inStatedOrder: ModelBundle {
        let order = (try? settings(for: path))?.versionOrder ?? []
        return order.isEmpty ? self : ordered(by: order)
    }
}
