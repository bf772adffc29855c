import Foundation
import PropertyLists
import TestSupport
import Testing

struct BinaryListTests {
    /// A value, and the bytes of its object in a list of its own.
    static let values: [(PropertyList, String)] = [
        (.null, "00"),
        (.boolean(false), "08"),
        (.boolean(true), "09"),
        (.integer(0), "1000"),
        (.integer(255), "10ff"),
        (.integer(256), "110100"),
        (.integer(65_536), "1200010000"),
        (.integer(4_294_967_296), "130000000100000000"),
        (.integer(-1), "13ffffffffffffffff"),
        (.integer(.min), "138000000000000000"),
        (.largeInteger(.max), "140000000000000000ffffffffffffffff"),
        (.real32(1.5), "223fc00000"),
        (.real64(1.5), "233ff8000000000000"),
        (.real64(-0.0), "238000000000000000"),
        (.date(1), "333ff0000000000000"),
        (.data(Data([1, 2])), "420102"),
        (.string(""), "50"),
        (.string("name"), "546e616d65"),
        (.string("ß"), "6100df"),
        (.string("🙂"), "62d83dde42"),
        (.string("fifteen letters"), "5f100f6669667465656e206c657474657273"),
        (.uid(7), "8007"),
        (.uid(256), "810100"),
        (.uid(65_536), "8300010000"),
        (.array([]), "a0"),
        (.array([.integer(1), .integer(1)]), "a201011001"),
        (.set([.integer(1)]), "c1011001"),
        (.dictionary(["b": .integer(1), "a": .integer(2)]), "d201020304516151621002" + "1001"),
    ]

    @Test(arguments: values)
    func `a value is written in its least width and read back`(
        value: PropertyList,
        expected: String
    ) throws {
        let bytes = value.binaryData
        let length = expected.count / 2
        let hex = bytes.dropFirst(8).prefix(length).map { String(format: "%02x", $0) }.joined()
        #expect(hex == expected)
        #expect(try readPropertyList(bytes) == value)
    }

    @Test func `zeros of either sign stay apart`() throws {
        let value = PropertyList.array([.real64(0.0), .real64(-0.0), .real32(0.0), .real32(-0.0)])
        let elements = try #require(try readPropertyList(value.binaryData).array)
        let signs = elements.map { element in
            switch element {
            case .real64(let number): number.sign
            case .real32(let number): number.sign
            default: FloatingPointSign.plus
            }
        }
        #expect(signs == [.plus, .minus, .plus, .minus])
    }

    @Test func `a list with more than 255 objects has wider references`() throws {
        let value = PropertyList.array((0..<70_000).map { .string("element \($0)") })
        #expect(try readPropertyList(value.binaryData) == value)
    }

    /// A list in which every object holds the next one many times.
    private func bomb(levels: UInt8, width: UInt8) -> Data {
        var bytes = Array("bplist00".utf8)
        var offsets: [Int] = []
        for level in 0..<levels {
            offsets.append(bytes.count)
            bytes += [0xAF, 0x10, width] + [UInt8](repeating: level + 1, count: Int(width))
        }
        offsets.append(bytes.count)
        bytes += [0x10, 0x01]
        let table = bytes.count
        for offset in offsets { bytes += [UInt8(offset >> 8), UInt8(offset & 0xFF)] }
        bytes += [0, 0, 0, 0, 0, 0, 2, 1]
        for number in [offsets.count, 0, table] {
            bytes += (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
        }
        return Data(bytes)
    }

    @Test func `a number is written once, however far it lies from the others`() throws {
        let numbers: [Int64] =
            [700_000, 300, 0, 1_000, 256, 40, 1 << 40, -1, 2_000_000] + (0..<1_200) + [700_000]
        let list = PropertyList.array(numbers.map { .integer($0) })
        let bytes = list.binaryData
        #expect(try readPropertyList(bytes) == list)
        // The trailer has the number of objects: the numbers, and the list itself.
        let count = bytes.suffix(24).prefix(8).reduce(0) { $0 << 8 | Int($1) }
        #expect(count == Set(numbers).count + 1)
    }

    @Test func `shared objects may not expand without bound`() throws {
        #expect(try readPropertyList(bomb(levels: 2, width: 20)).array?.count == 20)
        #expect(throws: PropertyListError.tooLarge) {
            try readPropertyList(bomb(levels: 30, width: 20))
        }
    }

    @Test func `a list that contains itself is refused`() {
        var bytes = [UInt8]("bplist00".utf8) + [0xA1, 0x00, 0x08]
        bytes += [0, 0, 0, 0, 0, 0, 1, 1]
        bytes += [0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 10]
        #expect(throws: PropertyListError.tooDeep) { try readPropertyList(Data(bytes)) }
    }

    @Test func `deep nesting is refused`() {
        var value = PropertyList.integer(1)
        for _ in 0..<200 { value = .array([value]) }
        #expect(throws: PropertyListError.tooDeep) { try readPropertyList(value.binaryData) }
    }

    @Test func `every damaged byte and every truncation is survived`() {
        let value = PropertyList.dictionary([
            "name": .string("ß"), "numbers": .array([.integer(1), .real64(2), .integer(-3)]),
            "data": .data(Data(repeating: 7, count: 20)), "uid": .uid(3),
        ])
        let bytes = value.binaryData
        var refused = 0
        for length in 0..<bytes.count where (try? readPropertyList(bytes.prefix(length))) == nil {
            refused += 1
        }
        #expect(refused == bytes.count)
        for index in bytes.indices {
            for byte in [UInt8(0), 0x0F, 0x7F, 0x80, 0xFF] {
                var damaged = bytes
                damaged[index] = byte
                _ = try? readPropertyList(damaged)
            }
        }
    }

    @Test func `bytes of another kind are refused`() {
        #expect(throws: PropertyListError.unknownFormat) { try readPropertyList(Data("abc".utf8)) }
        #expect(throws: PropertyListError.unknownFormat) { try readPropertyList(Data()) }
    }

    static let corpusFiles = Corpus.paths { path in
        [".mom", ".cdm", ".plist", ".xccurrentversion"].contains { path.hasSuffix($0) }
            && !path.hasSuffix("/XcodeServer.mom")
            || path.hasSuffix(".momd_precompiled/XcodeServer.mom")
    }

    @Test(.enabled(if: Corpus.isPresent))
    func `every property list of the corpus is read, and written and read again`() throws {
        #expect(Self.corpusFiles.count > 80)
        for path in Self.corpusFiles {
            let bytes = try Data(contentsOf: URL(fileURLWithPath: Corpus.path(path)))
            let value = try readPropertyList(bytes)
            #expect(try readPropertyList(value.binaryData) == value, "\(path)")
        }
    }
}
