import ObjectModel

package struct HashComponent: Sendable, Hashable {
    /// What the piece is, such as `name` or `isOptional`.
    package var label: String
    package var bytes: [UInt8]
    /// The pieces below it when the bytes are a hash themselves.
    package var parts: [HashComponent]
}

/// The bytes that are hashed, with an optional record of their meaning.
struct HashInput {
    private(set) var components: [HashComponent] = []
    /// All bytes in one piece: a digest that is fed bit by bit costs more than it computes.
    private(set) var bytes: [UInt8] = []
    private let isRecording: Bool

    init(isRecording: Bool) {
        self.isRecording = isRecording
        bytes.reserveCapacity(128)
    }

    mutating func append(_ text: String, as label: @autoclosure () -> String) {
        bytes += text.utf8
        if isRecording { record(Array(text.utf8), label()) }
    }

    mutating func append(_ flag: Bool, as label: @autoclosure () -> String) {
        bytes.append(flag ? 1 : 0)
        if isRecording { record([flag ? 1 : 0], label()) }
    }

    mutating func append(
        _ piece: [UInt8],
        as label: @autoclosure () -> String,
        parts: [HashComponent] = []
    ) {
        bytes += piece
        if isRecording { record(piece, label(), parts) }
    }

    /// Appends an integer as four bytes, the least significant first.
    mutating func append(_ integer: Int, as label: @autoclosure () -> String) {
        let word = UInt32(truncatingIfNeeded: integer)
        for shift in stride(from: UInt32(0), to: 32, by: 8) {
            bytes.append(UInt8(truncatingIfNeeded: word >> shift))
        }
        if isRecording { record(Array(bytes.suffix(4)), label()) }
    }

    mutating func append(_ part: HashedPart, as label: @autoclosure () -> String) {
        append(part.hash.bytes, as: label(), parts: part.components)
    }

    func finish() -> HashedPart {
        HashedPart(hash: VersionHash(digest: SHA256.hash(bytes)), components: components)
    }

    private mutating func record(_ bytes: [UInt8], _ label: String, _ parts: [HashComponent] = []) {
        guard !bytes.isEmpty else { return }
        components.append(HashComponent(label: label, bytes: bytes, parts: parts))
    }
}

/// A hash with its recorded pieces, if any.
struct HashedPart {
    var hash: VersionHash
    var components: [HashComponent]
}
