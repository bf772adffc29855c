public import Foundation

/// A value in the metadata of a store: one of the types of property lists.
public indirect enum MetadataValue: Sendable, Hashable {
    /// A string.
    case string(String)
    /// An integer.
    case integer(Int64)
    /// A floating-point number.
    case real(Double)
    /// A truth value.
    case boolean(Bool)
    /// A point in time, in seconds since 2001-01-01 00:00 UTC.
    case date(Double)
    /// Bytes.
    case data(Data)
    /// A list.
    case array([MetadataValue])
    /// A dictionary.
    case dictionary([String: MetadataValue])

    /// Reads a binary or XML property list.
    init?(propertyList: Data) {
        guard
            let object = try? PropertyListSerialization.propertyList(
                from: propertyList,
                format: nil
            )
        else { return nil }
        self.init(object, depth: 0)
    }

    /// The value as a binary property list; `nil` when it is no dictionary or list.
    var binaryPropertyList: Data? {
        try? PropertyListSerialization.data(fromPropertyList: object, format: .binary, options: 0)
    }

    private var object: Any {
        switch self {
        case .string(let text): text
        case .integer(let number): number
        case .real(let number): number
        case .boolean(let flag): flag
        case .date(let seconds): Date(timeIntervalSinceReferenceDate: seconds)
        case .data(let data): data
        case .array(let list): list.map(\.object)
        case .dictionary(let entries): entries.mapValues(\.object)
        }
    }

    private init?(_ object: Any, depth: Int) {
        guard depth < 64 else { return nil }
        switch object {
        case let text as String: self = .string(text)
        case let flag as Bool: self = .boolean(flag)
        case let number as Int64: self = .integer(number)
        case let number as Int: self = .integer(Int64(number))
        case let number as Double: self = .real(number)
        case let date as Date: self = .date(date.timeIntervalSinceReferenceDate)
        case let data as Data: self = .data(data)
        case let list as [Any]:
            self = .array(list.compactMap { MetadataValue($0, depth: depth + 1) })
        case let entries as [String: Any]:
            self = .dictionary(entries.compactMapValues { MetadataValue($0, depth: depth + 1) })
        default: return nil
        }
    }
}
