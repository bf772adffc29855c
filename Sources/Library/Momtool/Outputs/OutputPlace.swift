import Diagnostics
import FileSystem
import Essentials
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

    /// Checks the path of a file that a call of the library writes, which must be a regular file; returns it with all links
    /// resolved.
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
/// An open file may be shared with other writers: it must be neither replaced nor opened again, as the links of these names
/// would do.
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
