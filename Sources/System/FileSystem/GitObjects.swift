import Diagnostics
import Essentials

/// The objects of a repository, read from one `git cat-file --batch` as long as the process lives.
///
/// Trees are read like files, so no other command is needed, and bare repositories need no special case. Only needed
/// objects are read, and nothing is fetched.
package final class GitObjects: @unchecked Sendable {
    private struct Object {
        var name: Substring
        var kind: Substring
        var bytes: [UInt8]
        var nameLength: Int
    }

    private let folder: String
    private let limit: Duration
    /// Started by the first query, so that the caller notices its end and waits for it; only accessed under `starting`.
    private var started: ChildProcess?
    private let starting = Lock()
    /// Unread output; only accessed under the lock.
    private var rest: [UInt8] = []
    /// The deadline of the current answer; only accessed under the lock.
    private var end = ContinuousClock.now
    private let lock = Lock()

    /// The entries and bytes that were read at a place, and its trees by their objects.
    ///
    /// A few trees that name each other ten times make endless folders. Only accessed under the lock.
    private var met = (entries: 0, bytes: 0)
    private var trees: [String: [Entry]] = [:]

    private typealias Entry = (mode: String, name: String, object: String)

    /// The greatest file that is read, as on disk, and the most files, bytes and entries of one place.
    private static let limit = 64 << 20
    private static let fileLimit = 10_000
    private static let byteLimit = 256 << 20
    private static let entryLimit = 1_000_000
    private static let depthLimit = 64

    /// Returns the objects of the repository around a folder; the same value for the same folder.
    package static func shared(at folder: String) -> GitObjects {
        let path = resolvedPath(folder)
        return Surroundings.current.memory.value(Known()).objects.withLock { all in
            if let known = all[path], known.isUsable { return known }
            let new = GitObjects(path)
            all[path] = new
            return new
        }
    }

    private struct Known: Sendable { let objects = Locked<[String: GitObjects]>([:]) }

    init(_ folder: String, within limit: Duration = GitCommand.timeLimit) {
        (self.folder, self.limit) = (folder, limit)
    }

    /// Whether git was not started yet, or has not ended.
    private var isUsable: Bool {
        starting.lock()
        defer { starting.unlock() }
        return started?.isRunning ?? true
    }

    private func process() throws(GitError) -> ChildProcess {
        starting.lock()
        defer { starting.unlock() }
        if let started { return started }
        let command = GitCommand(.catFile, ["--batch"], in: folder)
        try command.requireRepository()
        guard let process = command.start() else {
            throw GitError(reason: "git cannot be started")
        }
        started = process
        return process
    }

    /// Reads a file, or the files below a folder that `isNeeded` accepts by their paths below the place.
    ///
    /// A single file has an empty path. Throws if there is no such file or folder, or if it is too large.
    package func files(
        at place: GitPlace,
        isNeeded: (_ path: String, _ isFolder: Bool) -> Bool
    ) throws(GitError) -> [GitFile] {
        lock.lock()
        defer { lock.unlock() }
        // Git takes a dot for the current folder only if a slash follows.
        let path = trimmedPath(place.path)
        guard let object = try object("\(place.revision):\(path == "." ? "./" : path)") else {
            guard try object("\(place.revision)^{tree}") != nil else {
                throw GitError(missing: place.revision)
            }
            throw GitError(
                reason: "no such path in this revision; paths begin at the root of the "
                    + "repository, or with ./ from here"
            )
        }
        guard object.kind == "tree" else { return [GitFile(path: "", bytes: object.bytes)] }
        met = (0, 0)
        defer { trees = [:] }
        var files: [GitFile] = []
        try add(entries(of: object), below: "", depth: 0, isNeeded, to: &files)
        return files
    }

    /// Reads the content of an object; `nil` when it is missing.
    package func content(of object: String) throws(GitError) -> [UInt8]? {
        lock.lock()
        defer { lock.unlock() }
        return try self.object(object)?.bytes
    }

    package func hasRevision(_ revision: String) throws(GitError) -> Bool {
        guard !revision.isEmpty else { return false }
        return try content(of: revision + "^{tree}")?.isEmpty == false
    }

    /// A file of a revision with the object that holds its bytes.
    package struct ListedFile: Sendable, Hashable {
        /// The path below the requested place; empty for that itself.
        package var path: String
        package var object: String
    }

    /// Finds the name of the object at a place: a revision, a colon and a path from the root of the repository; `nil`
    /// where there is none.
    package func name(of place: String) throws(GitError) -> String? {
        lock.lock()
        defer { lock.unlock() }
        return try object(place).map { String($0.name) }
    }

    /// Finds the name of a submodule's commit in a revision, by its path from the root; `nil` if there is none.
    package func submoduleCommit(of revision: String, at path: String) throws(GitError) -> String? {
        lock.lock()
        defer { lock.unlock() }
        let folder = path.contains("/") ? parent(of: path) : ""
        guard let tree = try object("\(revision):\(folder)"), tree.kind == "tree"
        else { return nil }
        let name = path.split(separator: "/").last.map(String.init)
        return entries(of: tree).first { $0.mode == "160000" && $0.name == name }?.object
    }

    /// Lists the files below a folder, by the name of its object; one in `known` that is unchanged is not read again.
    ///
    /// A file is listed with an empty path, and a missing object has none. `isNeeded` takes the name of a file or
    /// folder; `known` is an earlier list under the same conditions.
    package func listing(
        of name: String,
        isNeeded: (_ name: String, _ isFolder: Bool) -> Bool,
        known: inout [String: [ListedFile]]
    ) throws(GitError) -> [ListedFile] {
        lock.lock()
        defer { lock.unlock() }
        guard let object = try object(name) else { return [] }
        guard object.kind == "tree" else { return [ListedFile(path: "", object: name)] }
        return try listing(of: object, depth: 0, isNeeded, &known)
    }

    private func listing(
        of tree: Object,
        depth: Int,
        _ isNeeded: (_ name: String, _ isFolder: Bool) -> Bool,
        _ known: inout [String: [ListedFile]]
    ) throws(GitError) -> [ListedFile] {
        var files: [ListedFile] = []
        for entry in entries(of: tree) where isNeeded(entry.name, entry.mode == "40000") {
            switch entry.mode {
            case "40000":
                let inner: [ListedFile]
                if let before = known[entry.object] {
                    inner = before
                } else {
                    guard depth < Self.depthLimit, let folder = try object(entry.object),
                        folder.kind == "tree"
                    else { continue }
                    inner = try listing(of: folder, depth: depth + 1, isNeeded, &known)
                    known[entry.object] = inner
                }
                files += inner.map {
                    ListedFile(path: "\(entry.name)/\($0.path)", object: $0.object)
                }
            case "100644", "100755", "100664":
                files.append(ListedFile(path: entry.name, object: entry.object))
            default: continue
            }
            guard files.count <= Self.fileLimit else {
                throw GitError(reason: "there are more than \(Self.fileLimit) files")
            }
        }
        return files
    }

    private func add(
        _ entries: [Entry],
        below folder: String,
        depth: Int,
        _ isNeeded: (_ path: String, _ isFolder: Bool) -> Bool,
        to files: inout [GitFile]
    ) throws(GitError) {
        met.entries += entries.count
        guard met.entries <= Self.entryLimit else {
            throw GitError(reason: "there are more than \(Self.entryLimit) files and folders")
        }
        for entry in entries {
            let path = folder.isEmpty ? entry.name : folder + "/" + entry.name
            // Links and other repositories stay out.
            switch entry.mode {
            case "40000":
                guard depth < Self.depthLimit, isNeeded(path, true) else { continue }
                guard let inner = try tree(entry.object) else { throw GitError(absent: path) }
                try add(inner, below: path, depth: depth + 1, isNeeded, to: &files)
            case "100644", "100755", "100664":
                guard isNeeded(path, false) else { continue }
                guard let file = try object(entry.object) else { throw GitError(absent: path) }
                guard files.count < Self.fileLimit else {
                    throw GitError(reason: "there are more than \(Self.fileLimit) files")
                }
                met.bytes += file.bytes.count
                guard met.bytes <= Self.byteLimit else {
                    throw GitError(reason: "the files have more than \(Self.byteLimit) bytes")
                }
                files.append(GitFile(path: path, bytes: file.bytes))
            default: continue
            }
        }
    }

    /// Reads a tree, once per place; `nil` for anything else.
    private func tree(_ name: String) throws(GitError) -> [Entry]? {
        if let known = trees[name] { return known }
        guard let found = try object(name), found.kind == "tree" else { return nil }
        let entries = entries(of: found)
        trees[name] = entries
        return entries
    }

    /// Parses a tree: mode, name and object of each entry.
    private func entries(of tree: Object) -> [Entry] {
        var entries: [Entry] = []
        var rest = tree.bytes[...]
        while let blank = rest.firstIndex(of: UInt8(ascii: " ")),
            let end = rest[blank...].firstIndex(of: 0), rest.endIndex - end > tree.nameLength
        {
            let mode = String(decoding: rest[..<blank], as: UTF8.self)
            let name = String(decoding: rest[(blank + 1)..<end], as: UTF8.self)
            let object = rest[(end + 1)...].prefix(tree.nameLength)
                .map { $0.hexadecimal(2) }.joined()
            // Git itself never writes a name that could lead out of the folder.
            if !name.contains("/"), name != "..", name != "." {
                entries.append((mode, name, object))
            }
            rest = rest[(end + 1 + tree.nameLength)...]
        }
        return entries
    }

    /// Requests an object; `nil` when there is none of that name.
    private func object(_ name: String) throws(GitError) -> Object? {
        // Two lines are two queries, and git takes a carriage return for a part of the line's end.
        guard !name.utf8.contains(0x0A), name.utf8.last != 0x0D else { return nil }
        let process = try process()
        end = .now + limit
        // Writing to a pipe that git has closed would end the process.
        var state = pollfd(fd: process.input, events: 0, revents: 0)
        guard process.input >= 0, poll(&state, 1, 0) == 0,
            writeAll(Array((name + "\n").utf8), to: process.input)
        else { throw failure(of: process) }
        let header = try line(from: process)
        let words = header.split(separator: " ")
        guard words.count == 3, let length = Int(words[2]), words[0].allSatisfy(\.isHexDigit) else {
            return nil
        }
        guard length <= Self.limit else {
            stop()
            throw .largeFile
        }
        let bytes = try bytes(length, from: process)
        _ = try self.bytes(1, from: process)
        return Object(name: words[0], kind: words[1], bytes: bytes, nameLength: words[0].count / 2)
    }

    private func line(from process: ChildProcess) throws(GitError) -> String {
        var line: [UInt8] = []
        while true {
            if let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                line += rest[..<end]
                rest.removeSubrange(...end)
                return String(decoding: line, as: UTF8.self)
            }
            line += rest
            rest = try more(from: process)
        }
    }

    private func bytes(_ count: Int, from process: ChildProcess) throws(GitError) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count)
        while true {
            let part = rest.prefix(count - bytes.count)
            bytes += part
            rest.removeFirst(part.count)
            guard bytes.count < count else { return bytes }
            rest = try more(from: process)
        }
    }

    private func more(from process: ChildProcess) throws(GitError) -> [UInt8] {
        // A repository may have a pipe in place of a file, which git opens and waits at.
        guard waitForOutput(of: process.output, until: end) else {
            stop()
            throw GitError(noAnswerWithin: limit)
        }
        var bytes = [UInt8](repeating: 0, count: 64 << 10)
        var count = read(process.output, &bytes, bytes.count)
        while count < 0, errno == EINTR { count = read(process.output, &bytes, bytes.count) }
        guard count > 0 else { throw failure(of: process) }
        return Array(bytes[..<count])
    }

    /// Ends the process in the middle of an answer; the next query starts another.
    private func stop() {
        starting.lock()
        defer { starting.unlock() }
        started?.destroy()
        started = nil
        rest = []
    }

    private func failure(of process: ChildProcess) -> GitError {
        process.closeInput()
        let output = readStart(of: process.errors, 64 << 10)
        process.destroy()
        return GitError(message: String(decoding: output, as: UTF8.self), in: folder)
    }
}

/// Waits until there is something to read, or an end; `false` where the time is over.
private func waitForOutput(of descriptor: Int32, until end: ContinuousClock.Instant) -> Bool {
    var state = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    while true {
        let ready = poll(&state, 1, 100)
        if ready > 0 { return true }
        guard ready == 0 || errno == EINTR else { return true }
        guard ContinuousClock.now < end else { return false }
    }
}
