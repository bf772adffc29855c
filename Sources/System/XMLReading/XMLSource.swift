package import Diagnostics

/// The text of an XML file, which finds the line and column of elements and attributes.
///
/// A class, because every element of a model refers to the text of its source.
package final class XMLSource: Sendable {
    package let path: String
    let bytes: [UInt8]
    private let lineStarts = Locked<[Int]?>(nil)
    /// The last queried tag: callers that need one attribute of many often need the others too.
    private let lastTag = Locked<TagPlaces?>(nil)

    package init(path: String, bytes: [UInt8]) { (self.path, self.bytes) = (path, bytes) }

    package func location(atOffset offset: Int) -> FileLocation {
        let starts = lineStarts.withLock { cached in
            if let cached { return cached }
            let starts = Self.lineStarts(in: bytes)
            cached = starts
            return starts
        }
        let line = starts.partitioningIndex { $0 > offset }
        return FileLocation(path: path, line: line, column: offset - starts[line - 1] + 1)
    }

    /// Returns the location of an attribute's name in the start tag at an offset; `nil` if it is missing or not UTF-8.
    package func location(ofAttribute name: String, inTagAt offset: Int) -> FileLocation? {
        guard bytes.indices.contains(offset), bytes[offset] == UInt8(ascii: "<") else { return nil }
        let place = lastTag.withLock { tag in
            if tag?.offset != offset { tag = TagPlaces(bytes: bytes, offset: offset) }
            return tag?.place(of: name)
        }
        return place.map(location(atOffset:))
    }

    package func text(of element: XMLElement) -> String {
        String(decoding: bytes(of: element), as: UTF8.self)
    }

    /// Returns the bytes of an element, tags included; none where offsets are not known.
    package func bytes(of element: XMLElement) -> ArraySlice<UInt8> {
        bytes[element.range.clamped(to: 0..<bytes.count)]
    }

    private static func lineStarts(in bytes: [UInt8]) -> [Int] {
        var starts = [0]
        for (offset, byte) in bytes.enumerated() where byte == UInt8(ascii: "\n") {
            starts.append(offset + 1)
        }
        return starts
    }
}

/// The positions of the attributes of one start tag, found on demand.
private struct TagPlaces {
    let offset: Int
    private var scanner: TagScanner
    private var places: [ArraySlice<UInt8>: Int] = [:]

    init(bytes: [UInt8], offset: Int) {
        self.offset = offset
        scanner = TagScanner(bytes: bytes[...], position: offset + 1)
        scanner.skipName()
    }

    mutating func place(of name: String) -> Int? {
        let name = ArraySlice(name.utf8)
        if let place = places[name] { return place }
        while let found = scanner.nextAttributeName() {
            places[scanner.bytes[found]] = found.lowerBound
            if scanner.bytes[found] == name { return found.lowerBound }
        }
        return nil
    }
}

/// Walks over the attribute names of a well-formed start tag.
struct TagScanner {
    let bytes: ArraySlice<UInt8>
    var position: Int

    private var current: UInt8? { position < bytes.endIndex ? bytes[position] : nil }

    mutating func skipName() { while let byte = current, !Self.endsName(byte) { position += 1 } }

    mutating func nextAttributeName() -> Range<Int>? {
        while let byte = current, Self.isSpace(byte) { position += 1 }
        let start = position
        skipName()
        guard position > start else { return nil }
        let name = start..<position
        while let byte = current, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "'") {
            position += 1
        }
        guard let quote = current else { return nil }
        position += 1
        while let byte = current, byte != quote { position += 1 }
        position += 1
        return name
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
    }

    private static func endsName(_ byte: UInt8) -> Bool {
        isSpace(byte) || byte == UInt8(ascii: "=") || byte == UInt8(ascii: ">")
            || byte == UInt8(ascii: "/")
    }
}

extension Array where Element == Int {
    /// Returns the first index whose element meets a condition that all later ones meet too.
    fileprivate func partitioningIndex(where meets: (Int) -> Bool) -> Int {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if meets(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
