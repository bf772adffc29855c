import Essentials
package import ObjectModel

/// As much of some bytes as a log shows: all of them, the first and the last ones, or none.
package struct HashFragment: Sendable, Hashable {
    /// The first bytes.
    package var start: [UInt8]
    /// The last bytes, when those in the middle are left out; else `nil`.
    package var end: [UInt8]?

    /// Creates a fragment; without `end` it is whole.
    package init(start: [UInt8], end: [UInt8]? = nil) {
        self.start = start
        self.end = end
    }

    /// What is left when only the number of bytes is printed.
    package static let hidden = HashFragment(start: [], end: [])

    /// Whether no byte is known.
    package var isHidden: Bool { start.isEmpty && end?.isEmpty == true }

    /// Whether every byte is known.
    package var isWhole: Bool { end == nil }

    /// Says whether some bytes may be those that the log shows.
    package func matches(_ bytes: [UInt8]) -> Bool {
        guard let end else { return bytes == start }
        return bytes.count >= start.count + end.count && bytes.starts(with: start)
            && bytes.suffix(end.count).elementsEqual(end)
    }

    /// Says whether a version hash may be the one that the log shows.
    package func matches(_ hash: VersionHash) -> Bool { matches(hash.bytes) }
}

extension HashFragment: CustomStringConvertible {
    /// The bytes in hexadecimal digits.
    package var description: String {
        isHidden ? "…" : start.hex + (end.map { "…" + $0.hex } ?? "")
    }
}
