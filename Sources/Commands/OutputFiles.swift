import Diagnostics
import Foundation

/// A file that a command makes.
struct OutputFile {
    /// Its path.
    var path: String
    /// Its content.
    var bytes: Data
}

/// The files that one input becomes.
struct OutputFiles {
    /// The file, or the folder that holds the files.
    var path: String
    /// The files.
    var files: [OutputFile]
    /// The extensions of files in the folder that are leftovers when they are not among `files`.
    ///
    /// A `.omo` from an earlier build would be loaded by Core Data in place of the `.mom` beside it.
    var leftoverExtensions: [String] = []

    /// Whether the path is that of a folder.
    private var isFolder: Bool { files.contains { $0.path != path } }

    /// Writes what is not there yet; everything is written aside first, so that nothing is left half-written.
    ///
    /// A folder that does not exist yet appears with all its files at once.
    ///
    /// - Returns: whether anything had to be written.
    func write() throws -> Bool {
        guard isFolder, !FileManager.default.fileExists(atPath: path) else {
            return try writeInPlace()
        }
        let staging = stagingPath(for: path)
        try makeFolder(parent(of: path))
        defer { try? FileManager.default.removeItem(atPath: staging) }
        var folders: Set<String> = []
        for file in files {
            let target = staging + file.path.dropFirst(path.count)
            let folder = parent(of: target)
            if folders.insert(folder).inserted { try makeFolder(folder) }
            try save(file.bytes, to: target, for: file.path)
        }
        try move(staging, to: path)
        return true
    }

    private func writeInPlace() throws -> Bool {
        let changed = files.filter { file in
            (try? Data(contentsOf: URL(fileURLWithPath: file.path))) != file.bytes
        }
        var staged: [(from: String, to: String)] = []
        defer { for file in staged { try? FileManager.default.removeItem(atPath: file.from) } }
        for file in changed {
            var isFolder: ObjCBool = false
            if FileManager.default.fileExists(atPath: file.path, isDirectory: &isFolder),
                isFolder.boolValue
            {
                throw cannotCreate(file.path, "a folder is in the way")
            }
            try makeFolder(parent(of: file.path))
            let staging = stagingPath(for: file.path)
            staged.append((staging, file.path))
            try save(file.bytes, to: staging, for: file.path)
        }
        for file in staged { try move(file.from, to: file.to) }
        let leftovers = leftoverPaths()
        for path in leftovers { try? FileManager.default.removeItem(atPath: path) }
        return !changed.isEmpty || !leftovers.isEmpty
    }

    private func leftoverPaths() -> [String] {
        guard !leftoverExtensions.isEmpty else { return [] }
        let kept = Set(files.map(\.path))
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return names.filter { name in
            leftoverExtensions.contains { name.hasSuffix("." + $0) }
        }.map { path + "/" + $0 }.filter { !kept.contains($0) }.sorted()
    }
}

/// Removes the slashes at the end of a path.
func trimmedPath(_ path: String) -> String {
    var path = Substring(path)
    while path.count > 1, path.hasSuffix("/") { path = path.dropLast() }
    return String(path)
}

private func parent(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
}

/// Returns a path beside another, so that a rename stays on one file system.
private func stagingPath(for path: String) -> String {
    let name = path.split(separator: "/").last.map(String.init) ?? ""
    return parent(of: path) + "/.\(name.prefix(100)).\(UUID().uuidString)"
}

private func makeFolder(_ path: String) throws {
    do {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    } catch {
        throw cannotCreate(path, "the folder cannot be made")
    }
}

private func save(_ bytes: Data, to path: String, for target: String) throws {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw cannotWrite(target) }
    let isWritten = bytes.withUnsafeBytes { buffer in
        var rest = buffer[...]
        while !rest.isEmpty {
            let piece = UnsafeRawBufferPointer(rebasing: rest)
            let count = Foundation.write(descriptor, piece.baseAddress, piece.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }
    // What closing reports is late news of a failed write.
    guard close(descriptor) == 0, isWritten else { throw cannotWrite(target) }
}

private func cannotWrite(_ path: String) -> CommandFailure {
    cannotCreate(path, "the file cannot be written: \(String(cString: strerror(errno)))")
}

private func move(_ path: String, to target: String) throws {
    guard rename(path, target) == 0 else {
        throw cannotCreate(target, "it cannot be put in place: \(String(cString: strerror(errno)))")
    }
}

private func cannotCreate(_ path: String, _ message: String) -> CommandFailure {
    CommandFailure(.cannotCreate, path, message, "unwritable-output")
}
