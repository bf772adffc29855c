import Essentials
import Foundation

/// Writes what `git add -A && git commit` writes, without starting either.
///
/// Git itself commits where more than the files decides: what is ignored, other repositories inside, a branch that is packed.
struct WrittenCommit {
    private let folder: URL
    private let repository: URL
    /// The file of the current branch.
    private let branch: URL
    private var index: [(path: String, entry: [UInt8])] = []

    init?(of folder: URL) throws {
        (self.folder, repository) = (folder, folder.appending(path: ".git"))
        let packed = repository.appending(path: "packed-refs").path
        let rules = repository.appending(path: "info").path
        guard let branch = try Self.branch(of: repository),
            !FileManager.default.fileExists(atPath: packed),
            !FileManager.default.fileExists(atPath: rules)
        else { return nil }
        self.branch = branch
    }

    /// The file of the current branch; `nil` where there is none.
    static func branch(of repository: URL) throws -> URL? {
        let head = try fileText(repository.appending(path: "HEAD"))
        guard head.hasPrefix("ref: ") else { return nil }
        return repository.appending(path: head.dropFirst(5).trimmingCharacters(in: .newlines))
    }

    /// Commits all files; `false` where git must do it, and nothing refers to what was written.
    mutating func write(_ title: String) throws -> Bool {
        guard let tree = try tree(at: "") else { return false }
        let parent = (try? fileText(branch)).map { "parent \($0)" } ?? ""
        let person = "A <a@example.org> \(Int(Date.now.timeIntervalSince1970)) +0000"
        let text =
            "tree \(digits(of: tree))\n\(parent)author \(person)\ncommitter \(person)\n\n\(title)\n"
        let commit = try object("commit", Array(text.utf8))
        try writeIndex()
        try makeFolder(branch.deletingLastPathComponent())
        try Data("\(digits(of: commit))\n".utf8).write(to: branch)
        return true
    }

    /// Writes the tree of a folder and returns its name; `nil` where git must decide.
    private mutating func tree(at path: String) throws -> [UInt8]? {
        let names = try FileManager.default.contentsOfDirectory(
            atPath: folder.appending(path: path).path
        )
        guard !names.contains(".gitignore"), path.isEmpty || !names.contains(".git")
        else { return nil }
        var lines: [(key: [UInt8], line: [UInt8])] = []
        for name in names where name != ".git" {
            let inner = path.isEmpty ? name : "\(path)/\(name)"
            var status = stat()
            lstat(folder.appending(path: inner).path, &status)
            let kind = status.st_mode & S_IFMT
            guard kind == S_IFREG || kind == S_IFDIR else { return nil }
            if kind == S_IFDIR {
                let files = index.count
                guard let tree = try tree(at: inner) else { return nil }
                // Git knows no empty folders.
                guard index.count > files else { continue }
                lines.append((Array("\(name)/".utf8), Array("40000 \(name)\0".utf8) + tree))
            } else {
                let mode = status.st_mode & 0o100 > 0 ? "100755" : "100644"
                let content = try Data(contentsOf: folder.appending(path: inner))
                let blob = try object("blob", Array(content))
                index.append((inner, Self.entry(inner, blob, status)))
                lines.append((Array(name.utf8), Array("\(mode) \(name)\0".utf8) + blob))
            }
        }
        lines.sort { $0.key.lexicographicallyPrecedes($1.key) }
        return try object("tree", lines.flatMap(\.line))
    }

    /// Writes an object, not compressed, and returns its name.
    private func object(_ kind: String, _ content: [UInt8]) throws -> [UInt8] {
        let whole = Array("\(kind) \(content.count)\0".utf8) + content
        let name = sha1(whole)
        let digits = digits(of: name)
        let file = repository.appending(path: "objects/\(digits.prefix(2))/\(digits.dropFirst(2))")
        guard !FileManager.default.fileExists(atPath: file.path) else { return name }
        try makeFolder(file.deletingLastPathComponent())
        try Data(stored(whole)).write(to: file)
        return name
    }

    private func writeIndex() throws {
        let entries = index.sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
        let head = Array("DIRC".utf8) + bigEndian(2) + bigEndian(UInt32(entries.count))
        let bytes = head + entries.flatMap(\.entry)
        try Data(bytes + sha1(bytes)).write(to: repository.appending(path: "index"))
    }

    /// An entry of the second version of git's index.
    private static func entry(_ path: String, _ object: [UInt8], _ status: stat) -> [UInt8] {
        let isProgram = status.st_mode & 0o100 > 0
        let numbers: [UInt32] = [
            UInt32(truncatingIfNeeded: status.st_ctim.tv_sec), UInt32(status.st_ctim.tv_nsec),
            UInt32(truncatingIfNeeded: status.st_mtim.tv_sec), UInt32(status.st_mtim.tv_nsec),
            UInt32(truncatingIfNeeded: status.st_dev), UInt32(truncatingIfNeeded: status.st_ino),
            isProgram ? 0o100755 : 0o100644, status.st_uid, status.st_gid,
            UInt32(truncatingIfNeeded: status.st_size),
        ]
        let name = Array(path.utf8)
        let length = UInt16(min(name.count, 0xFFF))
        let entry =
            numbers.flatMap(bigEndian) + object + [UInt8(length >> 8), UInt8(length & 0xFF)] + name
        return entry + [UInt8](repeating: 0, count: 8 - entry.count % 8)
    }
}

private func bigEndian(_ number: UInt32) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
}

private func digits(of name: [UInt8]) -> String { name.map { $0.hexadecimal(2) }.joined() }

/// Bytes in zlib's format (RFC 1950), in stored blocks.
private func stored(_ bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = [0x78, 0x01]
    for start in stride(from: 0, to: bytes.count, by: 0xFFFF) {
        let block = bytes[start..<min(start + 0xFFFF, bytes.count)]
        let (low, high) = (UInt8(block.count & 0xFF), UInt8(block.count >> 8))
        result += [block.endIndex == bytes.count ? 1 : 0, low, high, ~low, ~high]
        result += block
    }
    var (a, b): (UInt32, UInt32) = (1, 0)
    for byte in bytes {
        a = (a + UInt32(byte)) % 65521
        b = (b + a) % 65521
    }
    return result + bigEndian(b << 16 | a)
}

/// FIPS 180-4.
private func sha1(_ message: [UInt8]) -> [UInt8] {
    var state: [UInt32] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476, 0xC3D2_E1F0]
    let zeros = [UInt8](repeating: 0, count: (119 - message.count % 64) % 64)
    let length = UInt64(message.count) * 8
    let padded =
        message + [0x80] + zeros + bigEndian(UInt32(length >> 32))
        + bigEndian(UInt32(truncatingIfNeeded: length))
    var words = [UInt32](repeating: 0, count: 80)
    for start in stride(from: 0, to: padded.count, by: 64) {
        for i in 0..<16 {
            let place = start + i * 4
            words[i] = UInt32(padded[place]) << 24 | UInt32(padded[place + 1]) << 16
            words[i] |= UInt32(padded[place + 2]) << 8 | UInt32(padded[place + 3])
        }
        for i in 16..<80 {
            words[i] = rotated(words[i - 3] ^ words[i - 8] ^ words[i - 14] ^ words[i - 16], 1)
        }
        var (a, b, c, d, e) = (state[0], state[1], state[2], state[3], state[4])
        for i in 0..<80 {
            let (mixed, constant): (UInt32, UInt32) =
                switch i / 20 {
                case 0: ((b & c) | (~b & d), 0x5A82_7999)
                case 1: (b ^ c ^ d, 0x6ED9_EBA1)
                case 2: ((b & c) | (b & d) | (c & d), 0x8F1B_BCDC)
                default: (b ^ c ^ d, 0xCA62_C1D6)
                }
            let next = rotated(a, 5) &+ mixed &+ e &+ constant &+ words[i]
            (e, d, c, b, a) = (d, c, rotated(b, 30), a, next)
        }
        for (i, value) in [a, b, c, d, e].enumerated() { state[i] = state[i] &+ value }
    }
    return state.flatMap(bigEndian)
}

private func rotated(_ value: UInt32, _ count: UInt32) -> UInt32 {
    value << count | value >> (32 - count)
}
