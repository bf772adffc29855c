import Diagnostics
public import struct Foundation.Data

extension PropertyList {
    /// The value as a binary property list (`bplist00`); equal values give equal bytes.
    ///
    /// Dictionaries are written with their keys sorted by UTF-16 code units. Equal strings, numbers, dates and data
    /// are written once, integers and references in the least width that holds them (negative integers in 8 bytes),
    /// strings as ASCII where that is possible and as UTF-16 otherwise.
    public var binaryData: Data {
        var writer = BinaryWriter()
        _ = writer.add(self)
        return writer.data
    }
}

/// Collects the objects of a binary property list, then writes them.
struct BinaryWriter {
    /// An object: encoded bytes of its own, or the numbers of what it contains.
    private enum Record {
        case leaf(Range<Int>)
        case collection(marker: UInt8, count: Int, references: Range<Int>)
    }

    /// What tells leaves apart: `0.0` and `-0.0` are equal values, but not equal bytes.
    private enum LeafKey: Hashable {
        case value(PropertyList)
        case bits(UInt8, UInt64)
    }

    private var records: [Record] = []
    /// The bytes of all leaves, one after the other.
    private var leafBytes: [UInt8] = []
    /// The numbers of what collections contain, one collection after the other.
    private var references: [Int] = []
    private var strings: [String: Int] = [:]
    private var leaves: [LeafKey: Int] = [:]
    private var uids: [Int?] = []

    mutating func add(_ value: PropertyList) -> Int {
        switch value {
        case .array(let elements): return addCollection(elements, marker: 0xA0)
        case .set(let elements): return addCollection(elements, marker: 0xC0)
        case .dictionary(let values):
            let keys = values.keys.sorted(by: precedes)
            let contents = keys.map(PropertyList.string) + keys.map { values[$0] ?? .null }
            return addCollection(contents, marker: 0xD0)
        case .string(let text): return addString(text)
        case .uid(let number): return addUID(number)
        default:
            let key = leafKey(value)
            if let index = leaves[key] { return index }
            let index = addLeaf { bytes in append(value, to: &bytes) }
            leaves[key] = index
            return index
        }
    }

    mutating func addString(_ text: String) -> Int {
        if let index = strings[text] { return index }
        let index = addLeaf { bytes in appendString(text, to: &bytes) }
        strings[text] = index
        return index
    }

    /// Adds a number of an object of an archive; they are dense, so that a table finds them.
    mutating func addUID(_ number: UInt32) -> Int {
        let isDense = number < 1 << 24
        if isDense, Int(number) < uids.count, let index = uids[Int(number)] { return index }
        let key = LeafKey.bits(0x80, UInt64(number))
        if !isDense, let index = leaves[key] { return index }
        let index = addLeaf { bytes in append(.uid(number), to: &bytes) }
        guard isDense else {
            leaves[key] = index
            return index
        }
        while uids.count <= Int(number) { uids.append(nil) }
        uids[Int(number)] = index
        return index
    }

    /// Makes a place for a collection whose contents follow.
    mutating func reserve() -> Int {
        records.append(.leaf(0..<0))
        return records.count - 1
    }

    /// Fills a place with what the collection contains; of a dictionary the keys, then the values.
    mutating func fill(_ index: Int, marker: UInt8, contents: [Int]) {
        let start = references.count
        references += contents
        let count = marker == 0xD0 ? contents.count / 2 : contents.count
        let range = start..<references.count
        records[index] = .collection(marker: marker, count: count, references: range)
    }

    private mutating func addCollection(_ contents: [PropertyList], marker: UInt8) -> Int {
        let index = reserve()
        fill(index, marker: marker, contents: contents.map { add($0) })
        return index
    }

    private mutating func addLeaf(_ write: (inout [UInt8]) -> Void) -> Int {
        let start = leafBytes.count
        write(&leafBytes)
        records.append(.leaf(start..<leafBytes.count))
        return records.count - 1
    }

    private func leafKey(_ value: PropertyList) -> LeafKey {
        switch value {
        case .real32(let number): .bits(4, UInt64(number.bitPattern))
        case .real64(let number): .bits(8, number.bitPattern)
        case .date(let seconds): .bits(0, seconds.bitPattern)
        default: .value(value)
        }
    }

    var data: Data {
        let referenceSize = leastSize(of: records.count)
        var bytes = Array("bplist00".utf8)
        bytes.reserveCapacity(
            leafBytes.count + references.count * referenceSize + records.count * 4
        )
        var offsets: [Int] = []
        offsets.reserveCapacity(records.count)
        for record in records {
            offsets.append(bytes.count)
            switch record {
            case .leaf(let range): bytes += leafBytes[range]
            case .collection(let marker, let count, let range):
                appendMarker(marker, count: count, to: &bytes)
                for index in range {
                    append(UInt64(references[index]), size: referenceSize, to: &bytes)
                }
            }
        }
        let table = bytes.count
        let offsetSize = leastSize(of: table)
        for offset in offsets { append(UInt64(offset), size: offsetSize, to: &bytes) }
        bytes += [0, 0, 0, 0, 0, 0, UInt8(offsetSize), UInt8(referenceSize)]
        for number in [records.count, 0, table] { append(UInt64(number), size: 8, to: &bytes) }
        return Data(bytes)
    }
}

/// Orders keys by their UTF-16 code units.
func precedes(_ left: String, _ right: String) -> Bool {
    left.precedesByCodeUnits(right)
}

private func append(_ value: PropertyList, to bytes: inout [UInt8]) {
    switch value {
    case .null, .array, .set, .dictionary: bytes.append(0x00)
    case .boolean(let value): bytes.append(value ? 0x09 : 0x08)
    case .integer(let number): appendInteger(number, to: &bytes)
    case .largeInteger(let number):
        bytes.append(0x14)
        append(0, size: 8, to: &bytes)
        append(number, size: 8, to: &bytes)
    case .real32(let number):
        bytes.append(0x22)
        append(UInt64(number.bitPattern), size: 4, to: &bytes)
    case .real64(let number):
        bytes.append(0x23)
        append(number.bitPattern, size: 8, to: &bytes)
    case .date(let seconds):
        bytes.append(0x33)
        append(seconds.bitPattern, size: 8, to: &bytes)
    case .data(let content):
        appendMarker(0x40, count: content.count, to: &bytes)
        bytes += content
    case .string(let text): appendString(text, to: &bytes)
    case .uid(let number):
        let size = number <= 0xFF ? 1 : number <= 0xFFFF ? 2 : 4
        bytes.append(0x80 | UInt8(size - 1))
        append(UInt64(number), size: size, to: &bytes)
    }
}

private func appendInteger(_ number: Int64, to bytes: inout [UInt8]) {
    let exponent: Int =
        switch number {
        case 0...0xFF: 0
        case 0x100...0xFFFF: 1
        case 0x10000...0xFFFF_FFFF: 2
        default: 3
        }
    bytes.append(0x10 | UInt8(exponent))
    append(UInt64(bitPattern: number), size: 1 << exponent, to: &bytes)
}

private func appendString(_ text: String, to bytes: inout [UInt8]) {
    if text.utf8.allSatisfy({ $0 < 0x80 }) {
        appendMarker(0x50, count: text.utf8.count, to: &bytes)
        bytes += text.utf8
    } else {
        appendMarker(0x60, count: text.utf16.count, to: &bytes)
        for unit in text.utf16 { append(UInt64(unit), size: 2, to: &bytes) }
    }
}

private func appendMarker(_ marker: UInt8, count: Int, to bytes: inout [UInt8]) {
    bytes.append(marker | UInt8(min(count, 15)))
    if count >= 15 { appendInteger(Int64(count), to: &bytes) }
}

private func append(_ number: UInt64, size: Int, to bytes: inout [UInt8]) {
    for shift in stride(from: (size - 1) * 8, through: 0, by: -8) {
        bytes.append(UInt8(truncatingIfNeeded: number >> UInt64(shift)))
    }
}

private func leastSize(of number: Int) -> Int {
    switch number {
    case ...0xFF: 1
    case ...0xFFFF: 2
    case ...0xFFFF_FFFF: 4
    default: 8
    }
}
