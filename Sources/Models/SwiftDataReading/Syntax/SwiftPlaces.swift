import Diagnostics
import ObjectModel

final class SwiftPlaces: SourceMap {
    private let path: String
    /// The offsets at which lines begin, in ascending order.
    private let lineStarts: [Int]

    init(path: String, bytes: [UInt8]) {
        self.path = path
        lineStarts = SwiftDataReading.lineStarts(of: bytes)
    }

    func location(of attribute: String?, ofElementAt offset: Int) -> FileLocation? {
        var (low, high) = (0, lineStarts.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if lineStarts[middle] <= offset { low = middle } else { high = middle }
        }
        return FileLocation(path: path, line: low + 1, column: offset - lineStarts[low] + 1)
    }
}

/// Returns the offsets at which the lines of a file begin, in ascending order; there is always one.
package func lineStarts(of bytes: [UInt8]) -> [Int] {
    var starts = [0]
    for index in bytes.indices {
        let isEnd =
            bytes[index] == 0x0A
            || bytes[index] == 0x0D && !(index + 1 < bytes.count && bytes[index + 1] == 0x0A)
        if isEnd { starts.append(index + 1) }
    }
    return starts
}
