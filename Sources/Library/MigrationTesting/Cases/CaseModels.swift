import Diagnostics
import Essentials
import ModelLoading
import Momtool

/// Reads the model of a case; cases share models.
///
/// The last models are kept until one of their files changes. Cases running in parallel wait for the one that reads: Swift
/// sources take longer to parse than a case to run.
func readCaseModel(_ path: String) throws -> Diagnosed<ModelBundle> {
    let place = ModelPlace(path)
    guard let files = place.filesRead else { return try place.read() }
    let state = files.map(FileState.init)
    return try memory.withLock { memory in
        if let known = memory.first(where: { $0.path == path && $0.state == state }) {
            return known.bundle
        }
        let bundle = try place.read()
        memory.removeAll { $0.path == path }
        memory.append(KnownModel(path: path, state: state, bundle: bundle))
        if memory.count > greatestCount { memory.removeFirst() }
        return bundle
    }
}

private struct KnownModel: Sendable {
    var path: String
    var state: [FileState]
    var bundle: Diagnosed<ModelBundle>
}

/// The state that shows whether a file has changed.
private struct FileState: Hashable, Sendable {
    var path: String
    var numbers: [Int64]

    init(_ path: String) {
        self.path = path
        var status = stat()
        guard fileStatus(path, &status) == 0 else {
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
