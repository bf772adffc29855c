package import struct Essentials.Data

/// Reads a binary property list (`bplist00`).
///
/// Every offset is checked, every object is decoded once, and both the work and the size of the value, with shared
/// parts counted each time, stay within the approximate `budget` in bytes: a small file cannot expand without bound.
package func readBinaryPropertyList(
    _ bytes: Data,
    budget: Int = 100_000_000
) throws(PropertyListError) -> PropertyList {
    var reader = try BinaryReader(bytes: Array(bytes), budget: budget)
    return try reader.object(reader.topObject, depth: 0).value
}

private struct BinaryReader {
    struct Weighed {
        var value: PropertyList
        var weight: Int
    }

    enum State {
        case open
        case done(Weighed)
    }

    /// The cost of a reference beyond its content.
    static let objectCost = 32
    static let greatestDepth = 128

    let bytes: [UInt8]
    let budget: Int
    var work = 0
    var objects: [Int: State] = [:]
    let offsetSize: Int
    let referenceSize: Int
    let objectCount: Int
    let topObject: Int
    let tableOffset: Int

    init(bytes: [UInt8], budget: Int) throws(PropertyListError) {
        (self.bytes, self.budget) = (bytes, budget)
        guard bytes.starts(with: Array("bplist00".utf8)) else { throw .unknownFormat }
        let trailer = bytes.count - 32
        guard trailer >= 8 else { throw .malformed("it is too short", offset: bytes.count) }
        offsetSize = Int(bytes[trailer + 6])
        referenceSize = Int(bytes[trailer + 7])
        guard (1...8).contains(offsetSize), (1...8).contains(referenceSize) else {
            throw .malformed("its trailer is invalid", offset: trailer)
        }
        func number(_ position: Int) throws(PropertyListError) -> Int {
            let value = bytes[position..<(position + 8)].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            guard value <= UInt64(bytes.count) else {
                throw .malformed("its trailer is invalid", offset: position)
            }
            return Int(value)
        }
        objectCount = try number(trailer + 8)
        topObject = try number(trailer + 16)
        tableOffset = try number(trailer + 24)
        guard tableOffset >= 8, tableOffset <= trailer,
            objectCount <= (trailer - tableOffset) / offsetSize
        else { throw .malformed("its trailer is invalid", offset: trailer) }
    }

    mutating func object(_ index: Int, depth: Int) throws(PropertyListError) -> Weighed {
        switch objects[index] {
        case .done(let weighed): return weighed
        case .open: throw .tooDeep
        case nil: break
        }
        guard depth <= Self.greatestDepth else { throw .tooDeep }
        guard index < objectCount else {
            throw .malformed("object \(index) does not exist", offset: tableOffset)
        }
        let entry = tableOffset + index * offsetSize
        let offset = try bitPattern(at: entry, size: offsetSize)
        guard offset >= 8, offset < tableOffset else {
            throw .malformed("the offset of object \(index) is outside the file", offset: entry)
        }
        objects[index] = .open
        let weighed = try decode(at: Int(offset), depth: depth)
        guard weighed.weight <= budget else { throw .tooLarge }
        objects[index] = .done(weighed)
        return weighed
    }

    private mutating func decode(at offset: Int, depth: Int) throws(PropertyListError) -> Weighed {
        let marker = bytes[offset]
        let low = Int(marker & 0x0F)
        switch marker >> 4 {
        case 0x0: return leaf(try singleton(marker, offset: offset), bytes: 0)
        case 0x1: return leaf(try integer(sizeExponent: low, offset: offset), bytes: 0)
        case 0x2: return leaf(try real(sizeExponent: low, offset: offset), bytes: 0)
        case 0x3:
            guard low == 3 else { break }
            let bits = try bitPattern(at: offset + 1, size: 8)
            return leaf(.date(Double(bitPattern: bits)), bytes: 0)
        case 0x4:
            let range = try content(at: offset, low: low, unit: 1)
            return leaf(.data(Data(bytes[range])), bytes: range.count)
        case 0x5, 0x6, 0x7:
            let range = try content(at: offset, low: low, unit: marker >> 4 == 6 ? 2 : 1)
            return leaf(try string(range, kind: marker >> 4), bytes: range.count)
        case 0x8:
            guard low < 8 else { break }
            let value = try bitPattern(at: offset + 1, size: low + 1)
            guard let uid = UInt32(exactly: value) else { break }
            return leaf(.uid(uid), bytes: 0)
        case 0xA, 0xC:
            let range = try content(at: offset, low: low, unit: referenceSize)
            let elements = try elements(in: range, depth: depth)
            let value = PropertyList.array(elements.values)
            return Weighed(
                value: marker >> 4 == 0xA ? value : .set(elements.values),
                weight: elements.weight
            )
        case 0xD: return try dictionary(at: offset, low: low, depth: depth)
        default: break
        }
        throw .malformed("an object has the unknown kind \(marker)", offset: offset)
    }

    private mutating func dictionary(
        at offset: Int,
        low: Int,
        depth: Int
    ) throws(PropertyListError) -> Weighed {
        let range = try content(at: offset, low: low, unit: 2 * referenceSize)
        let middle = range.lowerBound + range.count / 2
        let keys = try elements(in: range.lowerBound..<middle, depth: depth)
        let values = try elements(in: middle..<range.upperBound, depth: depth)
        var result: [String: PropertyList] = [:]
        for (key, value) in zip(keys.values, values.values) {
            guard case .string(let key) = key else {
                throw .malformed("a dictionary has a key that is not a string", offset: offset)
            }
            // As in Apple's reader, the first of two equal keys counts.
            if result[key] == nil { result[key] = value }
        }
        return Weighed(value: .dictionary(result), weight: add(keys.weight, values.weight))
    }

    private mutating func elements(
        in range: Range<Int>,
        depth: Int
    ) throws(PropertyListError) -> (values: [PropertyList], weight: Int) {
        var values: [PropertyList] = []
        values.reserveCapacity(range.count / referenceSize)
        var weight = Self.objectCost
        for position in stride(from: range.lowerBound, to: range.upperBound, by: referenceSize) {
            let reference = try bitPattern(at: position, size: referenceSize)
            let element = try object(Int(clamping: reference), depth: depth + 1)
            weight = add(weight, element.weight)
            guard weight <= budget else { throw .tooLarge }
            values.append(element.value)
        }
        return (values, weight)
    }

    private func leaf(_ value: PropertyList, bytes: Int) -> Weighed {
        Weighed(value: value, weight: Self.objectCost + bytes)
    }

    private func add(_ left: Int, _ right: Int) -> Int {
        let (sum, overflows) = left.addingReportingOverflow(right)
        return overflows ? .max : sum
    }

    private func singleton(_ marker: UInt8, offset: Int) throws(PropertyListError) -> PropertyList {
        switch marker {
        case 0x00: return .null
        case 0x08: return .boolean(false)
        case 0x09: return .boolean(true)
        default: throw .malformed("an object has the unknown kind \(marker)", offset: offset)
        }
    }

    private func integer(sizeExponent: Int, offset: Int) throws(PropertyListError) -> PropertyList {
        guard sizeExponent <= 4 else { throw .malformed("an integer is too wide", offset: offset) }
        guard sizeExponent == 4 else {
            let bits = try bitPattern(at: offset + 1, size: 1 << sizeExponent)
            return .integer(Int64(bitPattern: bits))
        }
        let high = try bitPattern(at: offset + 1, size: 8)
        let low = try bitPattern(at: offset + 9, size: 8)
        if high == 0 { return low > UInt64(Int64.max) ? .largeInteger(low) : .integer(Int64(low)) }
        if high == .max, low > UInt64(Int64.max) { return .integer(Int64(bitPattern: low)) }
        throw .malformed("an integer does not fit 64 bits", offset: offset)
    }

    private func real(sizeExponent: Int, offset: Int) throws(PropertyListError) -> PropertyList {
        switch sizeExponent {
        case 2:
            let bits = try bitPattern(at: offset + 1, size: 4)
            return .real32(Float(bitPattern: UInt32(truncatingIfNeeded: bits)))
        case 3: return .real64(Double(bitPattern: try bitPattern(at: offset + 1, size: 8)))
        default: throw .malformed("a real number has an unknown width", offset: offset)
        }
    }

    private func string(_ range: Range<Int>, kind: UInt8) throws(PropertyListError) -> PropertyList
    {
        let content = bytes[range]
        switch kind {
        case 5:
            guard content.allSatisfy({ $0 < 0x80 }) else {
                throw .malformed("an ASCII string is not ASCII", offset: range.lowerBound)
            }
            return .string(String(decoding: content, as: UTF8.self))
        case 6:
            let units = stride(from: range.lowerBound, to: range.upperBound, by: 2).map {
                UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1])
            }
            return .string(String(decoding: units, as: UTF16.self))
        default: return .string(String(decoding: content, as: UTF8.self))
        }
    }

    /// Returns where the content of an object with a count is, and charges for reading it.
    private mutating func content(
        at offset: Int,
        low: Int,
        unit: Int
    ) throws(PropertyListError) -> Range<Int> {
        var start = offset + 1
        var count = UInt64(low)
        if low == 0x0F {
            guard start < tableOffset, bytes[start] >> 4 == 1, bytes[start] & 0x0F <= 3 else {
                throw .malformed("a count is invalid", offset: start)
            }
            let size = 1 << Int(bytes[start] & 0x0F)
            count = try bitPattern(at: start + 1, size: size)
            start += 1 + size
        }
        guard start <= tableOffset, count <= UInt64((tableOffset - start) / unit) else {
            throw .malformed("an object reaches beyond the end", offset: offset)
        }
        let length = Int(count) * unit
        let objects = unit == 1 ? 1 : Int(count)
        work = add(work, add(length, objects * Self.objectCost))
        guard work <= budget else { throw .tooLarge }
        return start..<(start + length)
    }

    private func bitPattern(at offset: Int, size: Int) throws(PropertyListError) -> UInt64 {
        guard offset >= 0, size <= bytes.count - 32, offset <= bytes.count - 32 - size else {
            throw .malformed("an object reaches beyond the end", offset: offset)
        }
        return bytes[offset..<(offset + size)].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    }
}
