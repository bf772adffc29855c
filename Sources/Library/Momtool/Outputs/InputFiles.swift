import FileSystem
import Essentials
import ModelLoading
import StoreFormat

/// The files that a command or a call of the library reads, by any name: no output may replace them.
package struct InputFiles {
    private var identities: Set<FileIdentity> = []
    /// The absolute paths of locks that do not exist yet: a report there would be read as the lock.
    private var places: Set<String> = []
    private var folders: Set<String> = []
    private let results: [ResultPlaces]

    /// Finds the files of a command's arguments, and what is read with them: configurations, locks, projects.
    ///
    /// A model is all of its bundle, a store also the files beside it. `lock` is one that the command writes.
    package init(
        _ arguments: [String],
        besides results: [ResultPlaces] = [],
        writing lock: String? = nil
    ) {
        self.results = results
        let written = lock.map(resolvedPath)
        insertConfiguration(for: ".", isFolder: true)
        for argument in arguments {
            let path = ModelPlace(argument).path
            guard let identity = FileIdentity(of: path) else { continue }
            insert(path, identity)
            insertSurroundings(of: path, identity, writing: written)
        }
    }

    package func meetResult(_ path: String) -> Bool {
        guard !results.isEmpty else { return false }
        let path = resolvedPath(path)
        return results.contains { $0.meet(path) }
    }

    private mutating func insert(_ path: String, _ identity: FileIdentity) {
        if !identity.isFolder {
            insertFile(path, identity)
        } else if isModelBundle(path) || ModelFileKind(at: path) == .versionedSource {
            insertBundle(path, identity)
        } else {
            let names = (try? Files.names(in: path)) ?? []
            for name in names
            where isModelBundle(name) || [".mom", ".omo", ".cdm"].contains(where: name.hasSuffix) {
                let file = "\(path)/\(name)"
                if let identity = FileIdentity(of: file) { insert(file, identity) }
            }
        }
    }

    /// Adds what belongs to a model by its place.
    private mutating func insertSurroundings(
        of path: String,
        _ identity: FileIdentity,
        writing written: String?
    ) {
        insertConfiguration(for: path, isFolder: identity.isFolder && !isModelBundle(path))
        guard identity.isFolder || isModelBundle(path) || path.hasSuffix(".swift") else { return }
        let lock = resolvedPath(LockFile(ofModel: path).path)
        if lock != written {
            places.insert(lock)
            if let identity = FileIdentity(of: lock) { identities.insert(identity) }
        }
        identities.formUnion(ProjectFiles(around: path).paths.compactMap(FileIdentity.init(of:)))
    }

    private mutating func insertConfiguration(for path: String, isFolder: Bool) {
        guard folders.insert(isFolder ? path : parent(of: path)).inserted,
            let file = nearestConfiguration(above: path), let identity = FileIdentity(of: file)
        else { return }
        identities.insert(identity)
    }

    private mutating func insertFile(_ path: String, _ identity: FileIdentity) {
        // Devices and pipes are read and written at once, as a terminal is.
        guard identity.isRegular else { return }
        identities.insert(identity)
        let bundle = [parent(of: resolvedPath(path))].filter(isModelBundle)
        let parts = partsOfStore(path) + bundle
        identities.formUnion(parts.compactMap(FileIdentity.init(of:)))
    }

    /// Files in a bundle may be links to others, which are read all the same.
    private mutating func insertBundle(_ path: String, _ identity: FileIdentity) {
        guard identities.insert(identity).inserted else { return }
        for name in (try? Files.names(in: path)) ?? [] {
            let file = "\(path)/\(name)"
            guard let identity = FileIdentity(of: file) else { continue }
            if identity.isRegular {
                identities.insert(identity)
            } else if identity.isFolder, name.hasSuffix(".xcdatamodel") {
                insertBundle(file, identity)
            }
        }
    }

    package func contains(_ path: String) -> Bool {
        var path = resolvedPath(path)
        guard !places.contains(path) else { return true }
        while !path.isEmpty {
            if let identity = FileIdentity(of: path), identities.contains(identity) { return true }
            guard path != "/" else { return false }
            path = parent(of: path)
        }
        return false
    }

    /// Whether an open file of this process is an input.
    package func contains(descriptor: Int32) -> Bool {
        FileIdentity(descriptor: descriptor).map(identities.contains) ?? false
    }
}
