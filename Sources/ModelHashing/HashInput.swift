import Crypto

/// One piece of the bytes that a hash is made of.
public struct HashComponent: Sendable, Hashable {
    /// What the piece is, as `name` or `isOptional`.
    public var label: String
    /// Its bytes.
    public var bytes: [UInt8]
    /// The pieces below it when the bytes are a hash themselves.
    public var parts: [HashComponent]
}

/// The bytes that a hash is made of, with a record of what each of them is for those who ask.
struct HashInput {
    private(set) var components: [HashComponent] = []
    private var digest = SHA256()
    private let isRecording: Bool

    init(isRecording: Bool) {
        self.isRecording = isRecording
    }

    mutating func append(_ text: String, as label: @autoclosure () -> String) {
        var text = text
        text.withUTF8 { buffer in
            digest.update(bufferPointer: UnsafeRawBufferPointer(buffer))
            if isRecording { record(Array(buffer), label()) }
        }
    }

    mutating func append(_ flag: Bool, as label: @autoclosure () -> String) {
        append([flag ? 1 : 0], as: label())
    }

    mutating func append(
        _ bytes: [UInt8],
        as label: @autoclosure () -> String,
        parts: [HashComponent] = []
    ) {
        digest.update(data: bytes)
        if isRecording { record(bytes, label(), parts) }
    }

    /// Appends an integer as four bytes, the least significant first.
    mutating func append(_ integer: Int, as label: @autoclosure () -> String) {
        let word = UInt32(truncatingIfNeeded: integer)
        append((0..<4).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) }, as: label())
    }

    mutating func append(_ part: HashedPart, as label: @autoclosure () -> String) {
        append(part.hash.bytes, as: label(), parts: part.components)
    }

    func finish() -> HashedPart {
        HashedPart(hash: VersionHash(digest: digest.finalize()), components: components)
    }

    private mutating func record(
        _ bytes: [UInt8],
        _ label: String,
        _ parts: [HashComponent] = []
    ) {
        guard !bytes.isEmpty else { return }
        components.append(HashComponent(label: label, bytes: bytes, parts: parts))
    }
}

/// A hash with the pieces that it was made of, where they were recorded.
struct HashedPart {
    var hash: VersionHash
    var components: [HashComponent]
}
