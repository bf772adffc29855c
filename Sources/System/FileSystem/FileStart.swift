import Essentials

/// Reads the first bytes of a file; `nil` if it cannot be read or is not a regular file: a pipe without a writer would
/// block the reader.
package func fileStart(_ path: String, _ count: Int) -> [UInt8]? {
    let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    guard FileIdentity(descriptor: descriptor)?.isRegular == true else { return nil }
    return readStart(of: descriptor, count)
}

/// Reads from an open file up to its end or a limit.
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
