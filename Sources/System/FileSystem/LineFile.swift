import Essentials

/// A file that is read line by line, and again in parts, without being held in memory.
///
/// What is no regular file, as a pipe, can be read once only, and is kept.
package final class LineFile {
    /// A line of a file, without its end.
    package struct Line {
        /// The bytes; `nil` for a line that is too long.
        package var bytes: [UInt8]?
        /// Where in the file it begins.
        package var offset: Int
        /// Its number, from 1.
        package var number: Int
    }

    private enum Content {
        case file(Int32)
        case bytes([UInt8])
    }

    private let content: Content
    private let path: String

    /// Opens a file.
    ///
    /// - Parameters:
    ///   - path: the path of the file.
    ///   - limit: the most bytes that are kept of what is no regular file.
    /// - Throws: `FileFault` when it cannot be read.
    package init(_ path: String, keeping limit: Int) throws(FileFault) {
        self.path = path
        guard FileIdentity(of: path)?.isRegular == true else {
            content = .bytes(try readFile(path, limit: limit))
            return
        }
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .unreadable(systemReason(path)) }
        content = .file(descriptor)
    }

    deinit {
        if case .file(let descriptor) = content { close(descriptor) }
    }

    /// Whether the bytes are in memory, and can be had nowhere else.
    package var isKept: Bool {
        switch content {
        case .file: false
        case .bytes: true
        }
    }

    /// Goes through the lines.
    ///
    /// - Parameters:
    ///   - longest: the most bytes of a line that are given.
    ///   - body: takes a line; `false` ends it.
    /// - Throws: `FileFault` when the file cannot be read.
    package func forEachLine(longest: Int, _ body: (Line) -> Bool) throws(FileFault) {
        var (line, offset, number) = ([UInt8](), 0, 1)
        var (length, end) = (0, 0)
        while true {
            let piece = try bytes(at: end, count: Self.pieceSize)
            var rest = piece[...]
            while let feed = firstLineFeed(in: rest) {
                length += feed - rest.startIndex
                if length <= longest { line += rest[..<feed] }
                let bytes = length <= longest ? line : nil
                guard body(Line(bytes: bytes, offset: offset, number: number)) else { return }
                offset += length + 1
                number += 1
                length = 0
                line.removeAll(keepingCapacity: true)
                rest = rest[(feed + 1)...]
            }
            length += rest.count
            if length <= longest { line += rest } else { line = [] }
            end += piece.count
            guard !piece.isEmpty else { break }
        }
        guard length > 0 else { return }
        let bytes = length <= longest ? line : nil
        _ = body(Line(bytes: bytes, offset: offset, number: number))
    }

    /// Reads a part; less where the file ends before.
    package func bytes(at offset: Int, count: Int) throws(FileFault) -> [UInt8] {
        let descriptor: Int32
        switch content {
        case .bytes(let bytes): return Array(bytes.dropFirst(offset).prefix(count))
        case .file(let opened): descriptor = opened
        }
        var bytes = [UInt8](repeating: 0, count: count)
        var done = 0
        while done < count {
            let length = bytes.withUnsafeMutableBytes { buffer in
                let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
                return pread(descriptor, rest.baseAddress, rest.count, off_t(offset + done))
            }
            if length < 0, errno == EINTR { continue }
            guard length >= 0 else { throw .unreadable(systemReason(path)) }
            guard length > 0 else { break }
            done += length
        }
        bytes.removeLast(count - done)
        return bytes
    }

    /// As many bytes are read at once.
    private static let pieceSize = 256 << 10
}

private func firstLineFeed(in bytes: ArraySlice<UInt8>) -> Int? {
    bytes.withUnsafeBytes { buffer in
        guard let start = buffer.baseAddress, let found = memchr(start, 0x0A, buffer.count) else {
            return nil
        }
        return bytes.startIndex + (UnsafeRawPointer(found) - start)
    }
}
