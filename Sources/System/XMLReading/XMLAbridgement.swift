import Essentials

/// A document in which each known element has an empty one in its place, so that it is not read once more.
///
/// Whether the known elements stand where they should is for the reader of the shorter text to say: the same bytes may
/// stand in a comment.
struct XMLAbridgement {
    /// An empty element of the shorter text, and what it stands for.
    struct StandIn {
        /// Where it begins in the shorter text.
        var offset: Int
        /// Its length.
        var length: Int
        /// The bytes that it stands for.
        var range: Range<Int>
        /// The place of its name in the path of the known elements.
        var level: Int
        /// The number of the known element.
        var number: Int
    }

    private(set) var bytes: [UInt8]
    private(set) var standIns: [StandIn] = []
    /// The names of known elements, those of the root's children first.
    let path: [String]

    /// Takes a document as it is.
    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        path = []
    }

    /// Looks for known elements in a document.
    init(_ whole: [UInt8], knowing known: any XMLKnownElements) {
        path = known.path
        bytes = []
        let starts = path.map { Array("<\($0)".utf8) }
        var written = 0
        var position = 0
        whole.withUnsafeBytes { buffer in
            while let offset = nextTag(in: buffer, from: position) {
                position = offset + 1
                let level = starts.firstIndex { begins(buffer, at: offset, with: $0) }
                guard let level, let found = known.element(level, at: offset, of: buffer) else {
                    continue
                }
                position = offset + found.length
                bytes += buffer[written..<offset]
                written = position
                let standIn = StandIn(
                    offset: bytes.count,
                    length: starts[level].count + 2,
                    range: offset..<position,
                    level: level,
                    number: found.number
                )
                standIns.append(standIn)
                bytes += starts[level]
                bytes += "/>".utf8
            }
            bytes += buffer[written...]
        }
    }
}

private func nextTag(in buffer: UnsafeRawBufferPointer, from start: Int) -> Int? {
    guard let base = buffer.baseAddress, start < buffer.count,
        let found = memchr(base + start, Int32(UInt8(ascii: "<")), buffer.count - start)
    else { return nil }
    return UnsafeRawPointer(found) - base
}

private func begins(_ buffer: UnsafeRawBufferPointer, at offset: Int, with bytes: [UInt8]) -> Bool {
    guard let base = buffer.baseAddress, buffer.count - offset >= bytes.count else { return false }
    return memcmp(base + offset, bytes, bytes.count) == 0
}
