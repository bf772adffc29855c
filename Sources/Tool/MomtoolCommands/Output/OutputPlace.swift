import Momtool
import Diagnostics
import FileSystem
import Essentials
import ModelLoading
import StoreFormat

/// A place that a command writes a file to, looked at before anything is written.
struct OutputPlace {
    /// What is at a place.
    enum Kind: Hashable {
        /// A file, or nothing yet, at the end of all links; it is replaced.
        case file(String)
        /// A device or a pipe, which is written to as it is.
        case stream(String)
        /// What this process has open, as `/dev/stdout` says.
        case descriptor(Int32)
    }

    /// The path, as the user names it.
    let path: String
    /// What is there.
    let kind: Kind

    /// Looks at a place and refuses what must stay as it is.
    ///
    /// - Parameters:
    ///   - path: the path, as the user names it.
    ///   - inputs: what the command reads, and where it writes its results.
    ///   - replacesModels: whether a model is written; nothing else replaces one.
    /// - Throws: `CommandFailure` when the place is that of an input, a result, a folder, a database or a model.
    init(_ path: String, sparing inputs: InputFiles, replacesModels: Bool = false) throws {
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
            throw CommandFailure(.usage, path, message, "output-is-input")
        }
        guard case .file(let file) = kind else { return }
        guard !inputs.meetResult(file) else {
            let message = "a result of this command has this place; name another path"
            throw CommandFailure(.usage, path, message, "repeated-output")
        }
        if isPartOfDatabase(file) {
            throw cannotCreate(path, "there is a database at this path, which is never replaced")
        }
        if !replacesModels, isPartOfModel(file) {
            throw cannotCreate(path, "there is a model at this path; remove it first")
        }
    }

    /// What a command writes to when no place is named.
    static let standardOutput = OutputPlace(path: "standard output", kind: .descriptor(1))

    private init(path: String, kind: Kind) {
        (self.path, self.kind) = (path, kind)
    }

    /// The path of the file, behind all links; `nil` when there is none to replace.
    var file: String? {
        guard case .file(let file) = kind else { return nil }
        return file
    }

    /// Tries whether something can be written here, and leaves no trace.
    ///
    /// A pipe is not opened: its reader would take that for the whole output.
    func requireWritable() throws {
        switch kind {
        case .file: try writing { _ = try OutputDraft(self) }
        case .stream(let file):
            guard access(file, W_OK) == 0 else { throw CommandFailure(unwritable: path) }
        case .descriptor(let descriptor):
            let flags = fcntl(descriptor, F_GETFL)
            guard flags >= 0, flags & O_ACCMODE != O_RDONLY else {
                throw cannotCreate(path, String(cString: strerror(EBADF)))
            }
        }
    }

    /// Whether a file with these bytes is there.
    func holds(_ bytes: Data) -> Bool {
        guard let file, let found = try? readFile(file, limit: bytes.count) else { return false }
        return bytes == Data(found)
    }

    private static func kind(of path: String) throws -> Kind {
        var end = path
        for _ in 0...linkLimit {
            if let descriptor = openDescriptor(named: end) { return .descriptor(descriptor) }
            var status = stat()
            guard lstat(end, &status) == 0 else {
                guard errno == ENOENT else { throw CommandFailure(unwritable: path) }
                return .file(end)
            }
            switch status.st_mode & S_IFMT {
            case S_IFREG: return .file(end)
            case S_IFDIR: throw cannotCreate(path, "there is a folder at this path")
            case S_IFLNK:
                guard let next = destination(ofLink: end) else {
                    throw CommandFailure(unwritable: path)
                }
                end = next.hasPrefix("/") ? next : parent(of: end) + "/" + next
            default: return .stream(end)
            }
        }
        throw cannotCreate(path, String(cString: strerror(ELOOP)))
    }

    /// As many links as Linux follows.
    private static let linkLimit = 40
}

/// Looks at the places of several outputs; `nil` is standard output.
func outputPlaces(of paths: [String?], sparing inputs: InputFiles) throws -> [OutputPlace?] {
    let places = try paths.map { try $0.map { try OutputPlace($0, sparing: inputs) } }
    try requireDistinct(places.compactMap { $0?.file })
    return places
}

/// Refuses two outputs to one file: the second would replace the first.
func requireDistinct(_ paths: [String]) throws {
    var taken: Set<String> = []
    for path in paths where !taken.insert(resolvedPath(path)).inserted {
        let message = "two outputs have this path; name one for each"
        throw CommandFailure(.usage, path, message, "repeated-output")
    }
}

/// Returns the descriptor that a path stands for.
///
/// What is open may be a file that others write to as well: it must be neither replaced nor opened anew, as the links
/// behind these names would have it.
private func openDescriptor(named path: String) -> Int32? {
    switch path {
    case "-", "/dev/stdout": return 1
    case "/dev/stderr": return 2
    default:
        let folder = ["/dev/fd/", "/proc/self/fd/"].first(where: path.hasPrefix)
        return folder.flatMap { Int32(path.dropFirst($0.count)) }
    }
}

private func isRegular(_ path: String) -> Bool {
    FileIdentity(of: path)?.isRegular == true
}

private func destination(ofLink path: String) -> String? {
    try? FileManager.default.destinationOfSymbolicLink(atPath: path)
}

/// Whether a file is an SQLite database, or a log or journal beside one.
private func isPartOfDatabase(_ path: String) -> Bool {
    let suffix = ["-wal", "-shm", "-journal"].first(where: path.hasSuffix)
    return [path, suffix.map { String(path.dropLast($0.count)) }].contains { path in
        guard let path, isRegular(path) else { return false }
        return isDatabase(path)
    }
}

private func isPartOfModel(_ path: String) -> Bool {
    guard isRegular(path) else { return false }
    switch ModelFileKind(at: path) {
    // Many a file may have the name of a model's contents.
    case nil, .contents: return isModelBundle(parent(of: resolvedPath(path)))
    default: return true
    }
}

/// What a place is that nothing can be written to.
func cannotCreate(_ path: String, _ message: String) -> CommandFailure {
    CommandFailure(.cannotCreate, path, message, .unwritableOutput)
}

extension CommandFailure {
    /// The failure that the system gave as its last error when something was to be made at a path.
    fileprivate init(unwritable path: String) {
        self = cannotCreate(path, creationFailure(path))
    }
}

extension RuleID {
    static let unwritableOutput: RuleID = "unwritable-output"
}
