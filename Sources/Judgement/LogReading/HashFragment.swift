package import ObjectModel

/// The part of some bytes that a log shows: all of them, the first and the last ones, or none.
package struct HashFragment: Sendable, Hashable {
    package var start: [UInt8]
    /// `nil` when the bytes are complete.
    package var end: [UInt8]?

    /// What is left when only the number of bytes is printed.
    package static let hidden = HashFragment(start: [], end: [])

    package var isHidden: Bool { start.isEmpty && end?.isEmpty == true }

    package var isWhole: Bool { end == nil }

    /// Whether some bytes agree with those in the log.
    package func matches(_ bytes: [UInt8]) -> Bool {
        guard let end else { return bytes == start }
        return bytes.count >= start.count + end.count && bytes.starts(with: start)
            && bytes.suffix(end.count).elementsEqual(end)
    }

    package func matches(_ hash: VersionHash) -> Bool { matches(hash.bytes) }
}

extension HashFragment: CustomStringConvertible {
    package var description: String {
        isHidden ? "…" : start.hex + (end.map { "…" + $0.hex } ?? "")
    }
}
