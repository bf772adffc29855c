import Diagnostics
import Essentials
import FileSystem
import ModelLoading
import StoreFormat

/// A path to write a file to, checked before anything is written.
package struct OutputPlace {
    package enum Kind: Hashable {
        /// A file, or nothing yet, at the end of all links; it is replaced.
        case file(String)
        /// A device or a pipe, which is written to as it is.
        case stream(String)
        /// An open file of this process, as `/dev/stdout`.
        case descriptor(Int32)
    }

    package let path: String
    package let kind: Kind

    /// Refuses the path of an input, a result, a folder, a database or a model, which only a model replaces.
    package init(
        _ path: String,
        sparing inputs: InputFiles,
        replacesModels: Bool = false
    ) throws(MomtoolError) {
        self.path = path
        kind = try Self.kind(of: path)
        let isInput =
            switch kind {
            case .file(let path): inputs.contains(path)
            case .stream: false
            case .descriptor(let descriptor): inputs.contains(descriptor: descriptor)
            }
        guard !isInput else {
            let message = "the output is an input or inside one; name another path"
            throw MomtoolError(.usage, path, message, "output-is-input")
        }
        guard case .file(let file) = kind else { return }
        guard !inputs.meetResult(file) else {
            let message = "another result of this command has this path; name another one"
            throw MomtoolError(.usage, path, message, "repeated-output")
        }
        if databaseWithPart(at: file) != nil {
            throw MomtoolError(
                uncreatable: path,
                "there is a database at this path, and momtool never replaces one"
            )
        }
        if !replacesModels, isPartOfModel(file) {
            throw MomtoolError(uncreatable: path, "there is a model at this path; remove it first")
        }
    }

    package static let standardOutput = OutputPlace(path: "standard output", kind: .descriptor(1))

    private init(path: String, kind: Kind) { (self.path, self.kind) = (path, kind) }

    /// The path of the file, with all links resolved; `nil` if there is none to replace.
    package var file: String? {
        guard case .file(let file) = kind else { return nil }
        return file
    }

    private static func kind(of path: String) throws(MomtoolError) -> Kind {
        guard !path.isEmpty else { throw MomtoolError(uncreatable: path, "name a file") }
        guard !path.hasNUL else { throw MomtoolError(uncreatable: path, nulWords) }
        var end = path
        for _ in 0...linkLimit {
            if let descriptor = openDescriptor(named: end) { return .descriptor(descriptor) }
            var status = stat()
            guard lstat(end, &status) == 0 else {
                guard errno == ENOENT else {
                    throw MomtoolError(uncreatable: path, creationFailure(path))
                }
                return .file(end)
            }
            switch status.st_mode & S_IFMT {
            case S_IFREG: return .file(end)
            case S_IFDIR: throw MomtoolError(uncreatable: path, "there is a folder at this path")
            case S_IFLNK:
                guard let next = Files.destination(ofLink: end) else {
                    throw MomtoolError(uncreatable: path, creationFailure(path))
                }
                end = next.hasPrefix("/") ? next : parent(of: end) + "/" + next
            default: return .stream(end)
            }
        }
        throw MomtoolError(uncreatable: path, String(cString: strerror(ELOOP)))
    }

    /// Checks the path of a file that the library writes, which must be a regular one; returns it with links resolved.
    package static func file(
        at path: String,
        sparing inputs: InputFiles,
        replacesModels: Bool = false
    ) throws(MomtoolError) -> String {
        // In a command this means standard output.
        let path = path == "-" ? "./-" : path
        let place = try OutputPlace(path, sparing: inputs, replacesModels: replacesModels)
        guard let file = place.file else {
            let message = "this path is not a regular file; name another path"
            throw MomtoolError(uncreatable: path, message)
        }
        return file
    }

    /// As many links as Linux follows.
    private static let linkLimit = 40
}

/// Returns the descriptor of a path.
///
/// An open file may be shared with other writers: it must be neither replaced nor reopened, as these names would do.
private func openDescriptor(named path: String) -> Int32? {
    switch path {
    case "-", "/dev/stdout": return 1
    case "/dev/stderr": return 2
    default:
        let folder = ["/dev/fd/", "/proc/self/fd/"].first(where: path.hasPrefix)
        return folder.flatMap { Int32(path.dropFirst($0.count)) }
    }
}

private func isRegular(_ path: String) -> Bool { FileIdentity(of: path)?.isRegular == true }

private func isPartOfModel(_ path: String) -> Bool {
    guard isRegular(path) else { return false }
    switch ModelFileKind(at: path) {
    // Many a file may have the name of a model's contents.
    case nil, .contents: return isModelBundle(parent(of: resolvedPath(path)))
    default: return true
    }
}

extension MomtoolError {
    fileprivate init(uncreatable path: String, _ reason: String) {
        self.init(.cannotCreate, path, reason, "unwritable-output")
    }
}

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

/// Where a command writes the results for its stores: no report and no journal may be there.
///
/// The results need not be there yet. There may be a million, so they are compared with the few other outputs one by
/// one, and none is kept.
package struct ResultPlaces {
    private let paths: [String]
    /// The folder or file that the paths begin with, as named and with all links resolved.
    private let root: (named: String, resolved: String)

    package init(_ paths: [String], below root: String) {
        self.paths = paths
        self.root = (root, resolvedPath(root))
    }

    /// Whether a path without links would be a result, one of the files beside it, or in their way.
    package func meet(_ path: String) -> Bool {
        var (stores, stems): (Set<String>, Set<String>) = ([], [])
        let folders = sequence(first: path) { path in
            path == "/" || !path.contains("/") ? nil : parent(of: path)
        }
        for place in folders {
            stores.insert(place)
            for suffix in ["-wal", "-shm", "-journal"] where place.hasSuffix(suffix) {
                stores.insert(String(place.dropLast(suffix.count)))
            }
            let name = place.dropFirst(parent(of: place).count).drop { $0 == "/" }
            if name.hasPrefix("."), name.hasSuffix("_SUPPORT") {
                let stem = name.dropFirst().dropLast("_SUPPORT".count)
                stems.insert(parent(of: place) + "/" + stem)
            }
        }
        return paths.contains { result in
            let result = root.resolved + result.dropFirst(root.named.count)
            return stores.contains(result) || result.hasPrefix(path + "/")
                || !stems.isEmpty && stems.contains(withoutExtension(result))
        }
    }

    private func withoutExtension(_ path: String) -> String {
        guard let dot = path.lastIndex(of: "."), !path[dot...].contains("/") else { return path }
        return String(path[..<dot])
    }
}
