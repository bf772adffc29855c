import Essentials
import ObjectModel
import PropertyLists

/// An array of plain values as SwiftData keeps it: an archive of an `NSArray`, in a transformable attribute.
///
/// What is more than that, as an array of other objects, or of another class, is no such array, and stays bytes.
struct ArchivedArray {
    /// What an element is.
    enum Element {
        case text, integer, real, boolean
    }

    /// No array with more elements is written as one.
    private static let limit = 100_000

    let element: Element

    /// Takes the class that a transformable attribute names; `nil` where it is no array of plain values.
    init?(_ attribute: Attribute) {
        guard attribute.type == .transformable,
            attribute.valueTransformerName == "NSSecureUnarchiveFromData",
            let name = attribute.customClassName, name.hasPrefix("Array<"), name.hasSuffix(">")
        else { return nil }
        switch name.dropFirst("Array<".count).dropLast() {
        case "String": element = .text
        case "Int", "Int16", "Int32", "Int64", "UInt8", "UInt16", "UInt32": element = .integer
        case "Double", "Float": element = .real
        case "Bool": element = .boolean
        default: return nil
        }
    }

    /// What is to be written, in words.
    var words: String {
        switch element {
        case .text: "a list of strings"
        case .integer, .real: "a list of numbers"
        case .boolean: "a list of true and false"
        }
    }

    /// Returns the elements of an archive; `nil` when it holds something else, or says more than they do.
    func elements(of bytes: UnsafeRawBufferPointer) -> [PropertyList]? {
        guard bytes.starts(with: "bplist00".utf8),
            let archive = try? KeyedArchive(Data(bytes)), archive.top.count == 1,
            let root = archive.root, let array = archive.instance(root),
            array.classRecord == ClassRecord("NSArray"), array.keys == ["NS.objects"],
            case .references(let references)? = array.values["NS.objects"],
            references.count <= Self.limit
        else { return nil }
        var elements: [PropertyList] = []
        for reference in references {
            guard case .plain(let value) = archive[reference], isElement(value) else { return nil }
            elements.append(value)
        }
        return elements
    }

    private typealias ClassRecord = KeyedArchive.ClassRecord

    private func isElement(_ value: PropertyList) -> Bool {
        switch (element, value) {
        case (.text, .string), (.integer, .integer), (.boolean, .boolean): true
        case (.real, .real64(let number)): number.isFinite
        default: false
        }
    }

    /// Writes elements as JSON.
    func write(_ elements: [PropertyList], into text: inout JSONText) {
        text.append("[")
        for (place, value) in elements.enumerated() {
            if place > 0 { text.append(", ") }
            switch value {
            case .string(let string): text.append(quoted: string)
            case .integer(let number): text.append(raw: String(number))
            case .boolean(let isTrue): text.append(isTrue ? "true" : "false")
            case .real64(let number): text.append(raw: number.description)
            default: text.append("null")
            }
        }
        text.append("]")
    }

    /// Reads an array from JSON; `nil` when an element is of another type.
    func read(from reader: JSONReader) throws(RowExchangeError) -> [PropertyList]? {
        try reader.expect("[")
        var elements: [PropertyList] = []
        guard try !reader.take("]") else { return elements }
        repeat {
            guard elements.count < Self.limit, let value = try readElement(from: reader) else {
                return nil
            }
            elements.append(value)
        } while try reader.take(",")
        try reader.expect("]")
        return elements
    }

    private func readElement(from reader: JSONReader) throws(RowExchangeError) -> PropertyList? {
        switch (try reader.peek(), element) {
        case (UInt8(ascii: "\"")?, .text):
            return .string(String(decoding: try reader.string(), as: UTF8.self))
        case (UInt8(ascii: "t")?, .boolean), (UInt8(ascii: "f")?, .boolean):
            return .boolean(try reader.word() == "true")
        case (UInt8(ascii: "-")?, .integer), ((0x30...0x39)?, .integer):
            let text = String(decoding: try reader.number(), as: UTF8.self)
            return Int64(text).map { .integer($0) }
        case (UInt8(ascii: "-")?, .real), ((0x30...0x39)?, .real):
            let text = String(decoding: try reader.number(), as: UTF8.self)
            return Double(text).flatMap { $0.isFinite ? .real64($0) : nil }
        default: return nil
        }
    }

    /// Returns an archive of elements.
    func bytes(of elements: [PropertyList]) -> [UInt8] {
        var archive = KeyedArchive()
        let root = archive.add(.null)
        let references = elements.map { archive.add(.plain($0)) }
        let values: KeyedArchive.Values = ["NS.objects": .references(references)]
        let record = ClassRecord("NSArray")
        archive.objects[root.index] = .instance(KeyedArchive.Instance(record, values))
        _ = archive.add(.classRecord(record))
        archive.top = ["root": .reference(root)]
        return Array(archive.binaryData)
    }
}
