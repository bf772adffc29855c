import Essentials

/// Reads the first bytes of a file; `nil` when it cannot be read, and for what is no file: a pipe without a writer would
/// keep the reader waiting.
package func fileStart(_ path: String, _ count: Int) -> [UInt8]? {
    reading(path) { readStart(of: $0, count) }
}

/// Reads a part of a file: as many bytes as are asked for, fewer where the file ends.
package typealias FilePart = (_ offset: Int, _ count: Int) -> [UInt8]

/// Reads parts of a file; `nil` as ``fileStart(_:_:)`` has it.
package func readingParts<Value>(of path: String, _ body: (FilePart) -> Value) -> Value? {
    reading(path) { descriptor in
        body { offset, count in
            var bytes = [UInt8](repeating: 0, count: count)
            let got = pread(descriptor, &bytes, count, off_t(offset))
            bytes.removeLast(count - max(0, got))
            return bytes
        }
    }
}

private func reading<Value>(_ path: String, _ body: (Int32) -> Value) -> Value? {
    let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    guard FileIdentity(descriptor: descriptor)?.isRegular == true else { return nil }
    return body(descriptor)
}

/// Reads from an open file until it ends, or as much as is asked for was read.
package func readStart(of descriptor: Int32, _ limit: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: min(limit, 64 << 10))
    while bytes.count < limit {
        let count = read(descriptor, &piece, min(piece.count, limit - bytes.count))
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { break }
        bytes += piece[..<count]
    }
    return bytes
}
