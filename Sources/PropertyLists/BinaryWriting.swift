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

private struct BinaryWriter {
    /// An object with its references resolved to numbers.
    enum Flat {
        case leaf(PropertyList)
        case collection(marker: UInt8, count: Int, references: [Int])
    }

    /// What tells leaves apart: `0.0` and `-0.0` are equal values, but not equal bytes.
    enum LeafKey: Hashable {
        case value(PropertyList)
        case bits(UInt8, UInt64)
    }

    var objects: [Flat] = []
    var leaves: [LeafKey: Int] = [:]

    mutating func add(_ value: PropertyList) -> Int {
        switch value {
        case .array(let elements): return addCollection(elements, marker: 0xA0)
        case .set(let elements): return addCollection(elements, marker: 0xC0)
        case .dictionary(let values):
            let keys = values.keys.sorted { $0.utf16.lexicographicallyPrecedes($1.utf16) }
            let contents = keys.map(PropertyList.string) + keys.map { values[$0] ?? .null }
            return addCollection(contents, marker: 0xD0)
        default:
            let key = leafKey(value)
            if let index = leaves[key] { return index }
            leaves[key] = objects.count
            objects.append(.leaf(value))
            return objects.count - 1
        }
    }

    private mutating func addCollection(_ contents: [PropertyList], marker: UInt8) -> Int {
        let index = objects.count
        objects.append(.leaf(.null))
        let count = marker == 0xD0 ? contents.count / 2 : contents.count
        let references = contents.map { add($0) }
        objects[index] = .collection(marker: marker, count: count, references: references)
        return index
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
        var bytes = Array("bplist00".utf8)
        var offsets: [Int] = []
        let referenceSize = leastSize(of: objects.count)
        for object in objects {
            offsets.append(bytes.count)
            switch object {
            case .leaf(let value): append(value, to: &bytes)
            case .collection(let marker, let count, let references):
                appendMarker(marker, count: count, to: &bytes)
                for reference in references {
                    append(UInt64(reference), size: referenceSize, to: &bytes)
                }
            }
        }
        let table = bytes.count
        let offsetSize = leastSize(of: table)
        for offset in offsets { append(UInt64(offset), size: offsetSize, to: &bytes) }
        bytes += [0, 0, 0, 0, 0, 0, UInt8(offsetSize), UInt8(referenceSize)]
        for number in [objects.count, 0, table] { append(UInt64(number), size: 8, to: &bytes) }
        return Data(bytes)
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
}
