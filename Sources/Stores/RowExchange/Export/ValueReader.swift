import Essentials
import ObjectModel
import SQLiteAccess
import StoreFormat

/// Reads values from JSON and binds them as stores keep them (SQLiteStores, "Values").
struct ValueReader {
    private let externalData: ExternalData

    init(_ externalData: ExternalData) { self.externalData = externalData }

    func read(
        _ attribute: Attribute,
        _ element: String,
        into parameter: Parameter,
        from reader: JSONReader
    ) throws(StoreError) {
        let first = try reader.peek()
        let mark = reader.mark
        let outcome: Outcome
        switch first {
        case UInt8(ascii: "\"")?:
            let text = try reader.string()
            outcome = try bind(text: text, attribute, into: parameter)
        case UInt8(ascii: "t")?, UInt8(ascii: "f")?:
            let isTrue = try reader.word() == "true"
            outcome = attribute.type == .boolean ? .bound : .wrong
            if outcome == .bound { try parameter.bind(integer: isTrue ? 1 : 0) }
        case UInt8(ascii: "{")?: outcome = try bindStored(attribute, into: parameter, from: reader)
        case UInt8(ascii: "[")?: outcome = try bindArray(attribute, into: parameter, from: reader)
        case nil: throw try reader.unexpected("a value")
        default:
            let text = try reader.number()
            outcome = try bind(number: text, attribute, into: parameter)
        }
        var type: String { attribute.type.sourceName ?? "value" }
        switch outcome {
        case .bound: return
        case .wrong:
            throw reader.fault(
                .wrongValue,
                "the value is not a valid \(type); write \(Self.form(of: attribute))",
                at: mark,
                element: element
            )
        case .outOfRange:
            let message = "the number does not fit into \(type)"
            throw reader.fault(.outOfRange, message, at: mark, element: element)
        }
    }

    func bind(
        _ value: AttributeValue,
        _ attribute: Attribute,
        into parameter: Parameter
    ) throws(StoreError) {
        guard case .binary(let data) = value else {
            return try parameter.statement.bind(value.cell, at: parameter.index)
        }
        try bind(bytes: Array(data), attribute, into: parameter)
    }

    private enum Outcome { case bound, wrong, outOfRange }

    /// Binds an array of plain values as SwiftData archives it.
    private func bindArray(
        _ attribute: Attribute,
        into parameter: Parameter,
        from reader: JSONReader
    ) throws(StoreError) -> Outcome {
        guard !attribute.allowsExternalBinaryDataStorage, let array = ArchivedArray(attribute),
            let object = try array.read(from: reader)
        else { return .wrong }
        try parameter.bind(blob: object.archive)
        return .bound
    }

    private func bindArchive(
        _ attribute: Attribute,
        into parameter: Parameter,
        from reader: JSONReader
    ) throws(StoreError) -> Outcome {
        try reader.expect(":")
        guard attribute.type == .transformable, let object = try ArchivedObject(from: reader) else {
            return .wrong
        }
        try reader.expect("}")
        try bind(bytes: object.archive, attribute, into: parameter)
        return .bound
    }

    private static func form(of attribute: Attribute) -> String {
        if let array = ArchivedArray(attribute) { return "\(array.words), or bytes as base64" }
        return switch attribute.type.values {
        case .integer, .double, .float: "a number"
        case .boolean: "true or false"
        case .decimal: "a number as a string"
        case .date: "a date as \"2001-01-31T12:30:00Z\""
        case .string: "a string"
        case .uri: "a URI as a string"
        case .uuid: "a UUID as a string"
        case .binary: "bytes as base64, or JSON as {\"@json\": …}"
        case .transformable: "bytes as base64, or their unarchived content as {\"@archive\": …}"
        case .undefined, .objectID, .composite: "nothing"
        }
    }

    private func bind(
        text: UnsafeRawBufferPointer,
        _ attribute: Attribute,
        into parameter: Parameter
    ) throws(StoreError) -> Outcome {
        switch attribute.type.values {
        case .string, .uri: try parameter.bind(textBytes: text)
        case .decimal where text.elementsEqual("NaN".utf8): try parameter.bind(textBytes: text)
        case .integer, .decimal:
            guard isNumber(text) else { return .wrong }
            return try bind(number: text, attribute, into: parameter)
        case .double, .float:
            let words = ["Infinity", "-Infinity"]
            guard isNumber(text) || words.contains(where: { text.elementsEqual($0.utf8) }) else {
                return .wrong
            }
            // A number means the nearest 32-bit one where the attribute holds such; a string is exact.
            guard let value = Double(String(decoding: text, as: UTF8.self)) else { return .wrong }
            try parameter.bind(real: value)
        case .date:
            guard let seconds = StoredDate.seconds(of: text) else { return .wrong }
            try parameter.bind(real: seconds)
        case .uuid:
            guard let uuid = UUID(uuidString: String(decoding: text, as: UTF8.self)) else {
                return .wrong
            }
            let bytes = withUnsafeBytes(of: uuid.uuid) { Array($0) }
            try parameter.bind(blob: bytes)
        case .binary, .transformable:
            guard let bytes = Base64.bytes(of: text) else { return .wrong }
            try bind(bytes: bytes, attribute, into: parameter)
        case .boolean, .undefined, .objectID, .composite: return .wrong
        }
        return .bound
    }

    private func bindStored(
        _ attribute: Attribute,
        into parameter: Parameter,
        from reader: JSONReader
    ) throws(StoreError) -> Outcome {
        try reader.expect("{")
        guard try reader.peek() == UInt8(ascii: "\"") else { return .wrong }
        let name = String(decoding: try reader.string(), as: UTF8.self)
        if name == ArchivedObject.marker {
            return try bindArchive(attribute, into: parameter, from: reader)
        }
        if name == EmbeddedJSON.marker {
            try reader.expect(":")
            guard attribute.type == .binary else { return .wrong }
            let bytes = try reader.rawValue()
            try reader.expect("}")
            try bind(bytes: bytes, attribute, into: parameter)
            return .bound
        }
        guard let marker = StoredMarker(rawValue: name) else { return .wrong }
        try reader.expect(":")
        guard try reader.peek() == UInt8(ascii: "\"") else { return .wrong }
        let text = try reader.string()
        switch marker {
        case .integer:
            guard isNumber(text), let number = integer(text) else { return .outOfRange }
            try parameter.bind(integer: number)
        case .real:
            let number = Double(String(decoding: text, as: UTF8.self))
            guard let number, !number.isNaN else { return .wrong }
            try parameter.bind(real: number)
        case .text: try parameter.bind(textBytes: text)
        case .encodedText:
            guard let bytes = Base64.bytes(of: text) else { return .wrong }
            let fault = bytes.withUnsafeBytes { bytes -> StoreError? in
                do throws(StoreError) {
                    try parameter.bind(textBytes: bytes)
                    return nil
                } catch { return error }
            }
            if let fault { throw fault }
        case .bytes:
            guard let bytes = Base64.bytes(of: text) else { return .wrong }
            try parameter.bind(blob: bytes)
        case .file:
            let value = ExternalData.reference(to: String(decoding: text, as: UTF8.self))
            guard attribute.allowsExternalBinaryDataStorage, externalFileName(value) != nil else {
                return .wrong
            }
            try parameter.bind(blob: value)
        }
        try reader.expect("}")
        return .bound
    }

    private func bind(
        number text: UnsafeRawBufferPointer,
        _ attribute: Attribute,
        into parameter: Parameter
    ) throws(StoreError) -> Outcome {
        switch attribute.type.values {
        case .integer:
            guard !text.contains(where: { ".eE".utf8.contains($0) }) else { return .wrong }
            guard let number = integer(text), attribute.type.integers.contains(number) else {
                return .outOfRange
            }
            try parameter.bind(integer: number)
        case .decimal:
            if let number = integer(text) {
                try parameter.bind(integer: number)
                return .bound
            }
            fallthrough
        case .double, .date:
            guard let number = Double(String(decoding: text, as: UTF8.self)), number.isFinite else {
                return .outOfRange
            }
            try parameter.bind(real: number)
        case .float:
            guard let number = Float(String(decoding: text, as: UTF8.self)), number.isFinite else {
                return .outOfRange
            }
            try parameter.bind(real: Double(number))
        case .boolean, .string, .uri, .uuid, .binary, .transformable, .undefined, .objectID,
            .composite:
            return .wrong
        }
        return .bound
    }

    /// Reads an integer; `nil` when it has decimals or does not fit 64 bits.
    private func integer(_ text: UnsafeRawBufferPointer) -> Int64? {
        let isNegative = text.first == UInt8(ascii: "-")
        var number: Int64 = 0
        for byte in isNegative ? text.dropFirst() : text[...] {
            guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { return nil }
            let digit = Int64(byte - UInt8(ascii: "0"))
            let (product, overflows) = number.multipliedReportingOverflow(by: 10)
            let (sum, carries) =
                isNegative
                ? product.subtractingReportingOverflow(digit)
                : product.addingReportingOverflow(digit)
            guard !overflows, !carries else { return nil }
            number = sum
        }
        return number
    }

    private func bind(
        bytes: [UInt8],
        _ attribute: Attribute,
        into parameter: Parameter
    ) throws(StoreError) {
        guard attribute.allowsExternalBinaryDataStorage else {
            return try parameter.bind(blob: bytes)
        }
        guard bytes.count > ExternalData.inlineLimit else {
            return try parameter.bind(blob: [1] + bytes)
        }
        let name = try externalData.write(bytes)
        try parameter.bind(blob: ExternalData.reference(to: name))
    }
}

struct Parameter {
    let statement: Statement
    let index: Int32

    func bind(integer: Int64) throws(StoreError) { try statement.bind(integer, at: index) }

    func bind(real: Double) throws(StoreError) { try statement.bind(real, at: index) }

    func bind(textBytes: UnsafeRawBufferPointer) throws(StoreError) {
        try statement.bindText(textBytes, at: index)
    }

    func bind(blob: [UInt8]) throws(StoreError) { try statement.bindBlob(blob, at: index) }
}
