import Diagnostics
import Essentials
import FileSystem
import ModelLoading

/// Standard input and output in place of files, as `-` names them.
///
/// Commands may have to read their input more than once, as SQLite does: it is copied to a file, which messages call
/// `-`. A store for standard output is created in a file, and sent when it is complete.
enum StandardStreams {
    private struct State {
        var names: [(path: String, name: String)] = []
        var output: String?
    }

    private struct Aside: Sendable {
        let state = Locked(State())
        let temporary = Locked<TemporaryFolder?>(nil)
    }

    private static var aside: Aside { Surroundings.current.memory.value(Aside()) }
    private static var state: Locked<State> { aside.state }

    /// The options whose value is written, so that `-` means standard output.
    private static let outputs: Set = [
        "-o", "--output", "--backup", "--depfile", "--write-baseline", "--artifacts", "--comment",
    ]

    /// The commands whose `-o` is a store, and which read or write only complete databases.
    private static let storeMakers: Set = ["migrate", "repair"]

    /// Returns arguments with files in place of `-`; throws if standard input would be read twice, or cannot be copied.
    static func replaced(in words: [String]) throws -> [String] {
        var words = words.flatMap(separated)
        guard words.contains("-"), let command = words.first else { return words }
        // An edited file is never read from a stream; elsewhere `-` may be a value.
        let isMerge = words.dropFirst().first == "merge"
        guard command != "model" || isMerge || words.dropFirst().first == "apply" else {
            return words
        }
        try requirePlaces(in: words, of: command)
        for place in words.indices.dropFirst() where words[place] == "-" {
            let option = words[place - 1]
            let isNewStore =
                storeMakers.contains(command) && ["-o", "--output"].contains(option)
                || command == "create" && !option.hasPrefix("--")
            if isNewStore {
                words[place] = try outputPath()
            } else if !outputs.contains(option) {
                words[place] = try inputPath(isModel: !isMerge)
            }
        }
        return words
    }

    /// Splits an option whose value is standard input or output, such as `--rows=-`.
    private static func separated(_ word: String) -> [String] {
        let isOption = word.hasPrefix("--") && word.hasSuffix("=-")
        let name = word.dropLast(2)
        return isOption && !name.contains("=") ? [String(name), "-"] : [word]
    }

    /// Refuses `-` for what is read and written, so that it must be a file.
    private static func requirePlaces(in words: [String], of command: String) throws {
        let changesStore =
            storeMakers.contains(command)
            && (words.contains("--in-place") || words.contains("--backup"))
        for (option, word) in zip(words, words.dropFirst()) where word == "-" {
            if changesStore, !["--model", "--stages"].contains(option) {
                throw CommandFailure(
                    usage: "a store from standard input cannot be changed in place; use -o"
                )
            }
            if option == "--lock", !words.contains("--check") {
                throw CommandFailure(
                    usage: "a lock is both read and written; name a file with --lock, not -"
                )
            }
        }
    }

    /// Returns a text in which copied input has the user's name.
    static func named(_ text: String) -> String {
        state.withLock(\.names).reduce(text) { $0.replacing($1.path, with: $1.name) }
    }

    /// Whether a store goes to standard output, so that nothing else does.
    static var isOutputTaken: Bool { state.withLock { $0.output != nil } }

    static func sendOutput() throws {
        guard let path = state.withLock(\.output), Files.exists(at: path) else { return }
        let values = fileURL(path).deletingLastPathComponent().appending(path: ".New_SUPPORT").path
        guard !Files.exists(at: values) else {
            let message = "the store keeps values in external files; name a file, not -"
            throw CommandFailure(.cannotCreate, "-", message, .unwritableOutput)
        }
        let input = open(path, O_RDONLY | O_CLOEXEC)
        guard input >= 0, copy(input, to: STDOUT_FILENO) else {
            let reason = String(cString: strerror(errno))
            throw CommandFailure(.ioFailed, "-", reason, .unwritableOutput)
        }
        close(input)
    }

    private static func outputPath() throws -> String {
        let path = try folder().appending(path: "New.sqlite").path
        state.withLock { state in
            state.output = path
            state.names.append((path, "-"))
        }
        return path
    }

    private static func inputPath(isModel: Bool) throws -> String {
        let url = try folder()
        guard state.withLock({ !$0.names.contains { $0.path.contains("/Input") } }) else {
            throw CommandFailure(usage: "standard input can only be used once")
        }
        let raw = url.appending(path: "Input").path
        let output = open(raw, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard output >= 0, copyInput(to: output) else {
            let reason = String(cString: strerror(errno))
            throw CommandFailure(.noInput, "-", reason, .unreadableFile)
        }
        close(output)
        let path = isModel ? try renamed(raw) : raw
        state.withLock { state in
            state.names.append((path, "-"))
            state.names.append((raw, "-"))
        }
        return path
    }

    /// Gives a file the name by which models of its kind are known.
    private static func renamed(_ path: String) throws -> String {
        let start = fileStart(path, 64 << 10) ?? []
        let text = String(decoding: start, as: UTF8.self)
        var name: String?
        if start.starts(with: Array("bplist".utf8)) {
            name = path + ".mom"
        } else if text.contains("<model "), text.contains("<?xml") {
            let folder = path + ".xcdatamodel"
            try Files.makeFolder(at: folder, alone: true)
            guard rename(path, folder + "/contents") == 0 else { return path }
            return folder
        } else if text.contains("@Model") {
            name = path + ".swift"
        }
        guard let name, rename(path, name) == 0 else { return path }
        return name
    }

    private static func folder() throws -> URL {
        try aside.temporary.withLock { folder in
            let used = try folder ?? TemporaryFolder()
            folder = used
            return used.url
        }
    }

    private static func copyInput(to output: Int32) -> Bool {
        guard let streams = Surroundings.current.streams else {
            return copy(STDIN_FILENO, to: output)
        }
        return writeAll(streams.input, to: output)
    }

    private static func copy(_ input: Int32, to output: Int32) -> Bool {
        var piece = [UInt8](repeating: 0, count: 256 << 10)
        while true {
            let count = read(input, &piece, piece.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return count == 0 }
            guard writeAll(Array(piece[..<count]), to: output) else { return false }
        }
    }
}
