import Diagnostics
import Essentials
import FileSystem
import Momtool

extension OutputPlace {
    /// Tries whether something can be written here, and leaves no trace.
    ///
    /// A pipe is not opened: its reader would see that as the whole output.
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

    func holds(_ bytes: Data) -> Bool {
        guard let file, let found = try? readFile(file, limit: bytes.count) else { return false }
        return bytes == Data(found)
    }
}

func outputPlaces(of paths: [String?], sparing inputs: InputFiles) throws -> [OutputPlace?] {
    let places = try paths.map { try $0.map { try OutputPlace($0, sparing: inputs) } }
    try requireDistinct(places.compactMap { $0?.file })
    return places
}

/// Refuses two outputs to one file: the second would replace the first.
func requireDistinct(_ paths: [String]) throws {
    var taken: Set<String> = []
    for path in paths where !taken.insert(resolvedPath(path)).inserted {
        let message = "two outputs have this path; give each its own"
        throw CommandFailure(.usage, path, message, "repeated-output")
    }
}

func cannotCreate(_ path: String, _ message: String) -> CommandFailure {
    CommandFailure(.cannotCreate, path, message, .unwritableOutput)
}

extension CommandFailure {
    /// The failure with the system's last error about a path.
    fileprivate init(unwritable path: String) { self = cannotCreate(path, creationFailure(path)) }
}

extension RuleID { static let unwritableOutput: RuleID = "unwritable-output" }
