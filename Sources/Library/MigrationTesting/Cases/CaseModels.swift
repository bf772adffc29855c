import Diagnostics
import Essentials
import FileSystem
import ModelLoading
import Momtool

/// Reads the model of a case, unless it was read before: cases share their models.
///
/// The models that were read last are remembered until a file of theirs changes.
func readCaseModel(_ path: String) throws -> Diagnosed<ModelBundle> {
    guard ModelFileKind(at: path) != nil else { return try ModelPlace(path).read() }
    let state = filePaths(below: path, endingIn: "").map(FileState.init)
    if let known = memory.withLock({ $0.first { $0.path == path && $0.state == state } }) {
        return known.bundle
    }
    let bundle = try ModelPlace(path).read()
    memory.withLock { memory in
        memory.removeAll { $0.path == path }
        memory.append(KnownModel(path: path, state: state, bundle: bundle))
        if memory.count > greatestCount { memory.removeFirst() }
    }
    return bundle
}

private struct KnownModel: Sendable {
    var path: String
    var state: [FileState]
    var bundle: Diagnosed<ModelBundle>
}

/// What tells that a file is not the one that it was.
private struct FileState: Hashable, Sendable {
    var path: String
    var numbers: [Int64]

    init(_ path: String) {
        self.path = path
        var status = stat()
        guard stat(path, &status) == 0 else {
            numbers = []
            return
        }
        #if os(macOS)
            let time = status.st_mtimespec
        #else
            let time = status.st_mtim
        #endif
        numbers = [
            Int64(status.st_ino), Int64(status.st_size), Int64(time.tv_sec), Int64(time.tv_nsec),
        ]
    }
}

private let memory = Locked<[KnownModel]>([])
private let greatestCount = 8
