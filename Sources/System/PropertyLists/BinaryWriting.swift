import Diagnostics
package import struct Essentials.Data

extension PropertyList {
    /// The value as a binary property list (`bplist00`); equal values give equal bytes.
    ///
    /// Dictionaries are written with their keys sorted by UTF-16 code units. Equal strings, numbers, dates and data are
    /// written once, integers and references in the least width that holds them (negative integers in 8 bytes), strings
    /// as ASCII where that is possible and as UTF-16 otherwise.
    package var binaryData: Data {
        var writer = BinaryWriter()
        _ = writer.add(self)
        return writer.data
    }
}

struct BinaryWriter {
    private struct Record {
        /// The kind of collection; 0 for an object with bytes of its own.
        var marker: UInt8
        /// Where it begins in `leafBytes`, or in `references`.
        var start: Int
        /// The number of bytes, or of references.
        var count: Int

        /// The count in the marker of a collection.
        var elementCount: Int { marker == 0xD0 ? count / 2 : count }
    }

    /// Distinguishes leaves: `0.0` and `-0.0` are equal values, but not equal bytes.
    private enum LeafKey: Hashable {
        case value(PropertyList)
        case bits(UInt8, UInt64)
    }

    private var records: [Record] = []
    private var leafBytes: [UInt8] = []
    /// The indexes of the contents of collections, one collection after the other.
    private var references: [UInt32] = []
    /// With room for the names of a common archive.
    private var strings = [String: Int](minimumCapacity: 128)
    private var leaves: [LeafKey: Int] = [:]
    /// Archives have many of these, so tables find them.
    private var booleans = NumberTable()
    private var integers = NumberTable()
    private var uids: NumberTable

    /// Creates a writer of a list, or of an archive with the expected number of objects.
    init(expectingObjects count: Int = 0) { uids = NumberTable(expecting: count) }

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
        case .boolean(let flag):
            if let index = booleans[flag ? 1 : 0] { return index }
            let index = addLeaf { bytes in append(value, to: &bytes) }
            booleans[flag ? 1 : 0] = index
            return index
        case .integer(let number):
            let bits = UInt64(bitPattern: number)
            if let index = integers[bits] { return index }
            let index = addLeaf { bytes in append(value, to: &bytes) }
            integers[bits] = index
            return index
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

    mutating func addUID(_ number: UInt32) -> Int {
        if let index = uids[UInt64(number)] { return index }
        let index = addLeaf { bytes in appendUID(number, to: &bytes) }
        uids[UInt64(number)] = index
        return index
    }

    mutating func addUIDs(_ numbers: some Collection<UInt32>) -> Int {
        let index = records.count
        records.append(Record(marker: 0xA0, start: references.count, count: numbers.count))
        for number in numbers { references.append(UInt32(truncatingIfNeeded: addUID(number))) }
        return index
    }

    mutating func reserve() -> Int {
        records.append(Record(marker: 0, start: 0, count: 0))
        return records.count - 1
    }

    /// Sets the contents of a reserved collection; for a dictionary the keys, then the values.
    mutating func fill(_ index: Int, marker: UInt8, contents: [Int]) {
        records[index] = Record(marker: marker, start: references.count, count: contents.count)
        references.append(contentsOf: contents.lazy.map { UInt32(truncatingIfNeeded: $0) })
    }

    /// Adds a dictionary whose keys and then values can be replaced; returns its index and its first key's position.
    mutating func addDictionary(_ contents: [UInt32]) -> (index: Int, start: Int) {
        let start = references.count
        records.append(Record(marker: 0xD0, start: start, count: contents.count))
        references += contents
        return (records.count - 1, start)
    }

    mutating func put(_ index: Int, at place: Int) {
        references[place] = UInt32(truncatingIfNeeded: index)
    }

    private mutating func addCollection(_ contents: [PropertyList], marker: UInt8) -> Int {
        let index = reserve()
        fill(index, marker: marker, contents: contents.map { add($0) })
        return index
    }

    private mutating func addLeaf(_ write: (inout [UInt8]) -> Void) -> Int {
        let start = leafBytes.count
        write(&leafBytes)
        records.append(Record(marker: 0, start: start, count: leafBytes.count - start))
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

    /// The list: a header, the objects, a table of their offsets, and a trailer that locates the table.
    var data: Data {
        let referenceSize = leastSize(of: records.count)
        let table = records.reduce(8 + leafBytes.count) { end, record in
            guard record.marker != 0 else { return end }
            return end + markerSize(record.elementCount) + record.count * referenceSize
        }
        let offsetSize = leastSize(of: table)
        // Sized at once: an archive has ten thousand numbers, and each append would check for room.
        var data = Data(count: table + records.count * offsetSize + 32)
        data.withUnsafeMutableBytes { bytes in
            var objects = Output(bytes: bytes, place: 0)
            var offsets = Output(bytes: bytes, place: table)
            Array("bplist00".utf8).withUnsafeBytes { objects.put($0[...]) }
            references.withUnsafeBufferPointer { references in
                leafBytes.withUnsafeBytes { leafBytes in
                    putObjects(
                        references,
                        leafBytes,
                        to: &objects,
                        referenceSize,
                        offsets: &offsets,
                        offsetSize
                    )
                }
            }
            assert(objects.place == table)
            offsets.put(UInt64(offsetSize) << 8 | UInt64(referenceSize), size: 8)
            for number in [records.count, 0, table] { offsets.put(UInt64(number), size: 8) }
        }
        return data
    }

    private func putObjects(
        _ references: UnsafeBufferPointer<UInt32>,
        _ leafBytes: UnsafeRawBufferPointer,
        to output: inout Output,
        _ referenceSize: Int,
        offsets: inout Output,
        _ offsetSize: Int
    ) {
        var index = 0
        while index < records.count {
            let record = records[index]
            guard record.marker == 0 else {
                offsets.put(UInt64(output.place), size: offsetSize)
                output.putMarker(record.marker, count: record.elementCount)
                output.put(
                    references[record.start..<record.start + record.count],
                    size: referenceSize
                )
                index += 1
                continue
            }
            // Consecutive leaves have consecutive bytes.
            let shift = output.place - record.start
            var end = record.start
            while index < records.count, records[index].marker == 0 {
                offsets.put(UInt64(records[index].start + shift), size: offsetSize)
                end = records[index].start + records[index].count
                index += 1
            }
            output.put(leafBytes[record.start..<end])
        }
    }
}

/// A position in allocated bytes, where numbers are written most significant byte first.
private struct Output {
    let bytes: UnsafeMutableRawBufferPointer
    var place: Int

    mutating func put(_ content: UnsafeRawBufferPointer.SubSequence) {
        UnsafeMutableRawBufferPointer(rebasing: bytes[place..<place + content.count])
            .copyMemory(from: UnsafeRawBufferPointer(rebasing: content))
        place += content.count
    }

    mutating func putMarker(_ marker: UInt8, count: Int) {
        guard count >= 15 else {
            put(UInt64(marker | UInt8(count)), size: 1)
            return
        }
        var long: [UInt8] = []
        appendMarker(marker, count: count, to: &long)
        long.withUnsafeBytes { put($0[...]) }
    }

    mutating func put(_ numbers: UnsafeBufferPointer<UInt32>.SubSequence, size: Int) {
        for number in numbers { put(UInt64(number), size: size) }
    }

    /// Writes a number; nearly all in archives need two bytes.
    @inline(__always)
    mutating func put(_ number: UInt64, size: Int) {
        guard size != 2 else {
            let number = UInt16(truncatingIfNeeded: number).bigEndian
            bytes.storeBytes(of: number, toByteOffset: place, as: UInt16.self)
            place += 2
            return
        }
        for shift in stride(from: (size - 1) * 8, through: 0, by: -8) {
            bytes[place] = UInt8(truncatingIfNeeded: number >> UInt64(shift))
            place += 1
        }
    }
}

/// Orders keys by their UTF-16 code units.
func precedes(_ left: String, _ right: String) -> Bool { left.precedesByCodeUnits(right) }

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
    case .uid(let number): appendUID(number, to: &bytes)
    }
}

private func appendUID(_ number: UInt32, to bytes: inout [UInt8]) {
    let size = number <= 0xFF ? 1 : number <= 0xFFFF ? 2 : 4
    bytes.append(0x80 | UInt8(size - 1))
    append(UInt64(number), size: size, to: &bytes)
}

private func appendInteger(_ number: Int64, to bytes: inout [UInt8]) {
    let exponent = exponentOfSize(of: number)
    bytes.append(0x10 | UInt8(exponent))
    append(UInt64(bitPattern: number), size: 1 << exponent, to: &bytes)
}

/// The base-2 logarithm of the number of bytes of an integer.
private func exponentOfSize(of number: Int64) -> Int {
    switch number {
    case 0...0xFF: 0
    case 0x100...0xFFFF: 1
    case 0x10000...0xFFFF_FFFF: 2
    default: 3
    }
}

private func appendString(_ text: String, to bytes: inout [UInt8]) {
    // What is not ASCII takes more bytes in UTF-8 than units in UTF-16.
    if text.utf8.count == text.utf16.count {
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

private func markerSize(_ count: Int) -> Int {
    count < 15 ? 1 : 2 + (1 << exponentOfSize(of: Int64(count)))
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
