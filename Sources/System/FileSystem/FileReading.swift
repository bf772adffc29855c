import Essentials

package enum FileFault: Error, Equatable {
    case tooLarge
    case unreadable(String)

    /// What is wrong; lower case, no final period.
    package var reason: String {
        switch self {
        case .tooLarge: "the file is too large"
        case .unreadable(let reason): reason
        }
    }
}

/// Reads a file of up to `limit` bytes in one go.
///
/// Asks the system only for the size and the bytes, which for many small files is most of the time.
package func readFile(_ path: String, limit: Int) throws(FileFault) -> [UInt8] {
    // A pipe without a writer must not block the reader.
    let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { throw .unreadable(systemReason(path)) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw .unreadable(systemReason(path)) }
    guard status.st_mode & S_IFMT != S_IFDIR else { throw .unreadable("it is a folder") }
    guard status.st_size <= limit else { throw .tooLarge }
    // One byte more than expected, to see the end; a pipe has no size, and a file may grow.
    var bytes = [UInt8](unsafeUninitializedCapacity: Int(status.st_size) + 1) { $1 = $0.count }
    var count = 0
    while true {
        if count == bytes.count {
            guard count <= limit else { throw .tooLarge }
            bytes.append(contentsOf: repeatElement(0, count: count + 4096))
        }
        let length = bytes.withUnsafeMutableBytes { buffer in
            let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[count...])
            return read(descriptor, rest.baseAddress, rest.count)
        }
        guard length >= 0 else {
            if errno == EINTR { continue }
            guard errno == EAGAIN else { throw .unreadable(systemReason(path)) }
            var question = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            _ = poll(&question, 1, -1)
            continue
        }
        guard length > 0 else { break }
        count += length
    }
    bytes.removeLast(bytes.count - count)
    return bytes
}

/// Why nothing is found at a path: `no such file or folder`, unless a folder on the way may not be entered or links lead
/// in a circle.
package func absence(of path: String) -> String {
    var status = stat()
    guard fileStatus(path, &status) != 0, [EACCES, ELOOP, ENAMETOOLONG].contains(errno) else {
        return "no such file or folder"
    }
    return systemReason(path)
}

/// The system's last error, in the words of `reason` where it has some.
func systemReason(_ path: String) -> String {
    switch errno {
    case ENOENT: "no such file" + (path.hasNUL ? "; " + nulWords : danglingLink(at: path))
    case EACCES: "permission denied"
    default: String(cString: strerror(errno))
    }
}
