package import Diagnostics
package import struct Essentials.Data

/// A property list value, as the binary and the XML format hold it.
///
/// Widths that a format distinguishes stay distinct: a 4-byte and an 8-byte real are different values.
package enum PropertyList: Sendable, Hashable {
    /// Nothing; binary only.
    case null
    case boolean(Bool)
    case integer(Int64)
    /// An integer above the greatest `Int64`.
    case largeInteger(UInt64)
    /// A 4-byte real number; binary only.
    case real32(Float)
    case real64(Double)
    /// A time, in seconds since 2001-01-01 00:00 UTC.
    case date(Double)
    case data(Data)
    case string(String)
    /// The number of an object in a keyed archive; binary only.
    case uid(UInt32)
    case array([PropertyList])
    /// Several values in an order without meaning; binary only.
    case set([PropertyList])
    case dictionary([String: PropertyList])

    package var string: String? { if case .string(let text) = self { text } else { nil } }

    package var integer: Int64? { if case .integer(let number) = self { number } else { nil } }

    package var data: Data? { if case .data(let bytes) = self { bytes } else { nil } }

    package var array: [PropertyList]? { if case .array(let values) = self { values } else { nil } }

    package var dictionary: [String: PropertyList]? {
        if case .dictionary(let values) = self { values } else { nil }
    }

    package subscript(key: String) -> PropertyList? { dictionary?[key] }
}

package enum PropertyListError: Error, Sendable, Hashable {
    case unknownFormat
    /// The binary list is damaged, or uses something that property lists do not have.
    case malformed(String, offset: Int)
    case tooLarge
    case tooDeep
    /// The XML is not well formed or not a property list; the diagnostic says what and where.
    case malformedXML(Diagnostic)
    /// The text is not an OpenStep property list; the diagnostic says what is wrong and where.
    case malformedText(Diagnostic)
    case notAnArchive(String)
}

extension PropertyListError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .unknownFormat: "the file is neither a binary nor an XML property list"
        case .malformed(let what, let offset):
            "the binary property list is damaged: \(what) (at byte \(offset))"
        case .tooLarge: "the property list expands to more memory than allowed"
        case .tooDeep: "the property list is nested too deeply or contains itself"
        case .malformedXML(let fault), .malformedText(let fault): fault.message
        case .notAnArchive(let what): "the property list is not a keyed archive: \(what)"
        }
    }
}

/// Reads a property list in either format, recognized by its first bytes.
///
/// Locations of XML faults name `path`. `budget` is the memory in bytes that the value may take, shared parts repeated.
package func readPropertyList(
    _ bytes: Data,
    path: String = "",
    budget: Int = 100_000_000
) throws(PropertyListError) -> PropertyList {
    if bytes.starts(with: Array("bplist".utf8)) {
        return try readBinaryPropertyList(bytes, budget: budget)
    }
    let marks: [UInt8] = [UInt8(ascii: "<"), 0xEF, 0xFE, 0xFF, 0x20, 0x09, 0x0A, 0x0D]
    guard let first = bytes.first, marks.contains(first) else { throw .unknownFormat }
    return try readXMLPropertyList(bytes, path: path)
}
