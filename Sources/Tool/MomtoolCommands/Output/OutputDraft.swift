import FileSystem
import Essentials
import Momtool

/// Output to one path: a file beside it that replaces it when complete, or directly if it is not a file.
final class OutputDraft {
    private enum Target {
        case file(FileDraft)
        case open(Int32)
        case stream(Int32)
    }

    private let path: String
    private let target: Target
    private(set) var failure: FileError?
    private(set) var hasLostReader = false

    /// Begins to write; `folder` is that of several files.
    init(_ place: OutputPlace, in folder: DraftFolder? = nil) throws(FileError) {
        path = place.path
        switch place.kind {
        case .file(let file):
            let folder = folder ?? DraftFolder(parent(of: file), for: [file])
            target = .file(try FileDraft(for: file, in: folder, reportedPath: path))
        case .stream(let file): target = .open(open(file, O_WRONLY | O_CLOEXEC))
        case .descriptor(let descriptor):
            let isSink = Surroundings.current.streams?.sink(for: descriptor) != nil
            target = isSink ? .stream(descriptor) : .open(dup(descriptor))
        }
        if case .open(let descriptor) = target, descriptor < 0 {
            throw .cannotCreate(path: path, reason: String(cString: strerror(errno)))
        }
    }

    deinit { if case .open(let descriptor) = target, descriptor >= 0 { close(descriptor) } }

    func write(_ bytes: some ContiguousBytes) throws(FileError) {
        do throws(FileError) {
            switch target {
            case .file(let draft): try draft.write(bytes)
            case .open(let descriptor), .stream(let descriptor):
                guard !writeAll(bytes, to: descriptor) else { return }
                hasLostReader = errno == EPIPE
                throw .inaccessible(path: path, reason: String(cString: strerror(errno)))
            }
        } catch {
            failure = error
            throw error
        }
    }

    /// Writes all to disk; only the name is missing then.
    func finish() throws(FileError) { if case .file(let draft) = target { try draft.finish() } }

    func publish() throws(FileError) { if case .file(let draft) = target { try draft.publish() } }
}

/// Writes a file, completely or not at all.
func write(_ bytes: Data, to place: OutputPlace) throws {
    try writing {
        let draft = try OutputDraft(place)
        try draft.write(bytes)
        try draft.finish()
        try draft.publish()
    }
}

/// Writes an output; errors are reported as failures of that.
func writing<Result>(_ body: () throws -> Result) throws -> Result {
    do { return try body() } catch FileError.inaccessible(let path, let reason) {
        throw CommandFailure(.ioFailed, path, reason, .unwritableOutput)
    } catch let error as FileError { throw cannotCreate(error.path, error.reason) }
}
