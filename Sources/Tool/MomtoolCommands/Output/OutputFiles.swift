import Diagnostics
import Essentials
import FileSystem
import Momtool
import ObjectModel

struct OutputFile {
    var path: String
    var bytes: Data
}

struct OutputFiles {
    var path: String
    var files: [OutputFile]
    /// The extensions of files in the folder that are leftovers when they are not among `files`.
    ///
    /// Core Data would load a `.omo` from an earlier build in place of the `.mom` beside it.
    var leftoverExtensions: [String] = []
    /// Whether models are written, which replace others.
    var areModels = false

    private var isFolder: Bool { files.contains { $0.path != path } }

    /// Whether the folder does not exist yet, so that no file is replaced.
    private var isNewFolder: Bool { isFolder && !Files.exists(at: path) }

    /// Checks the paths of some outputs before anything is written.
    static func check(_ outputs: [OutputFiles], sparing inputs: InputFiles) throws {
        let reports = FailureReport.files
        if outputs.count == 1, reports.isEmpty, outputs[0].isNewFolder,
            !outputs[0].files.map(\.path).holdsDuplicates
        {
            _ = try OutputPlace(outputs[0].path, sparing: inputs, replacesModels: true)
            return
        }
        try requireDistinct(outputs.filter(\.isFolder).map(\.path))
        let files = try outputs.flatMap { try $0.places(sparing: inputs) }.compactMap(\.file)
        try requireDistinct(files + Set(reports).sorted())
    }

    private func places(sparing inputs: InputFiles) throws -> [OutputPlace] {
        try files.map { try OutputPlace($0.path, sparing: inputs, replacesModels: areModels) }
    }

    /// Writes missing files completely, a new folder with all of its files at once; returns whether any was written.
    func write() throws -> Bool {
        let folders = NewFolders()
        defer { folders.removeEmpty() }
        return try writing {
            guard isNewFolder else { return try writeInPlace(folders) }
            try makeFolder(parent(of: path), folders)
            let folder = DraftFolder(parent(of: path), for: [path])
            let draft = try FolderDraft(for: path, in: folder)
            for file in files {
                try draft.add(file.bytes, at: String(file.path.dropFirst(path.count + 1)))
            }
            try draft.publish()
            return true
        }
    }

    private func writeInPlace(_ new: NewFolders) throws -> Bool {
        let changed = try zip(files, places(sparing: InputFiles([]))).filter { file, place in
            !place.holds(file.bytes)
        }
        for (file, _) in changed { try makeFolder(parent(of: file.path), new) }
        let inFolders = Dictionary(grouping: changed.compactMap(\.1.file), by: parent)
        let folders = Dictionary(
            uniqueKeysWithValues: inFolders.map { ($0, DraftFolder($0, for: $1)) }
        )
        let drafts = try changed.map { file, place in
            let draft = try OutputDraft(place, in: place.file.flatMap { folders[parent(of: $0)] })
            try draft.write(file.bytes)
            try draft.finish()
            return draft
        }
        for draft in drafts { try draft.publish() }
        let leftovers = leftoverPaths()
        try leftovers.forEach(removeLeftover)
        return !changed.isEmpty || !leftovers.isEmpty
    }

    private func leftoverPaths() -> [String] {
        guard !leftoverExtensions.isEmpty else { return [] }
        let kept = Set(files.map(\.path))
        let names = (try? Files.names(in: path)) ?? []
        return names.filter { name in
            leftoverExtensions.contains { name.hasSuffix("." + $0) }
        }.map { path + "/" + $0 }.filter {
            !kept.contains($0) && FileIdentity(of: $0)?.isFolder != true
        }.sorted()
    }
}

private func removeLeftover(_ path: String) throws {
    guard unlink(path) != 0 else { return }
    let reason = String(cString: strerror(errno))
    throw cannotCreate(path, "a file from an earlier run cannot be removed: \(reason)")
}

private func makeFolder(_ path: String, _ folders: NewFolders) throws {
    do {
        try folders.make(path)
    } catch {
        throw cannotCreate(path, "the folder cannot be created")
    }
}

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
