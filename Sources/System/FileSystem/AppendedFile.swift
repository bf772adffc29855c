import Essentials

/// A file to which several processes may append complete lines at the same time.
///
/// A process that is killed while it writes may leave a line without its end; the next one begins a new line.
package final class AppendedFile: Sendable {
    private let descriptor: Int32
    private let path: String

    package init(_ path: String) throws(FileError) {
        self.path = path
        descriptor = open(path, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw .uncreatable(path) }
        var last: UInt8 = UInt8(ascii: "\n")
        let end = lseek(descriptor, 0, SEEK_END)
        if end > 0, pread(descriptor, &last, 1, end - 1) == 1, last != UInt8(ascii: "\n") {
            try append("")
        }
    }

    deinit { close(descriptor) }

    /// Appends a line without line breaks, in one system call.
    package func append(_ line: String) throws(FileError) {
        guard writeAll(Array((line + "\n").utf8), to: descriptor) else { throw .system(path) }
    }
}
