import CFileSystem
import Essentials

/// The memory that this process takes at most, from a moment on, beside what it had then.
///
/// It counts for the process as a whole, so that nothing else may run meanwhile. What was given back to the process and
/// is taken again does not count, nor, where the system cannot begin anew, what is less than an earlier peak.
package struct PeakMemory {
    private let start: Int

    /// Begins to count.
    package init() {
        memory_release()
        // The system forgets the peak until now.
        let file = open("/proc/self/clear_refs", O_WRONLY | O_CLOEXEC)
        if file >= 0 {
            _ = write(file, "5", 1)
            close(file)
        }
        start = Self.peak
    }

    /// The bytes that were taken since at most.
    package var growth: Int { max(0, Self.peak - start) }

    private static var peak: Int {
        if let bytes = try? readFile("/proc/self/status", limit: 1 << 16) {
            let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
            let line = lines.first { $0.hasPrefix("VmHWM:") }
            if let number = line?.split(whereSeparator: \.isWhitespace).dropFirst().first,
                let kilobytes = Int(number)
            {
                return kilobytes * 1024
            }
        }
        return Int(clamping: memory_peak())
    }
}
