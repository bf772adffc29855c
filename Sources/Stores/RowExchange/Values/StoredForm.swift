import Diagnostics
import Essentials
import ObjectModel
import SQLiteAccess
import StoreFormat

/// A value in a column, judged by the type of its attribute; used by exports and by reading rows one by one
/// (SQLiteStores, "Values").
///
/// Pointers into the row are valid until the next step of the statement.
enum StoredForm {
    case integer(Int64)
    case boolean(Bool)
    case real(Double)
    case date(Double)
    case decimal(StoredDecimal)
    /// A text or a URI, in UTF-8.
    case text(UnsafeRawBufferPointer)
    case uuid(UUID)
    /// Bytes that are in the store, without the mark that says so.
    case bytes(UnsafeRawBufferPointer)
    /// The name of the external file that has the bytes.
    case file(String)

    enum StoredDecimal {
        case whole(Int64)
        case real(Double)
        /// Core Data's form of NaN.
        case notANumber
    }

    /// Judges a value, which is not NULL; `nil` where it is not of its attribute's type.
    init?(of attribute: Attribute, in column: Int32, of statement: Statement) {
        let kind = statement.kind(column)
        let integer = kind == .integer ? statement.integer(column) : nil
        switch attribute.type.values {
        case .integer:
            guard let integer, attribute.type.integers.contains(integer) else { return nil }
            self = .integer(integer)
        case .boolean:
            guard let integer, integer == 0 || integer == 1 else { return nil }
            self = .boolean(integer == 1)
        case .double, .float, .date:
            guard kind == .real || kind == .integer else { return nil }
            let number = statement.real(column)
            if let integer, Int64(exactly: number) != integer { return nil }
            guard attribute.type.values == .date else {
                self = .real(number)
                return
            }
            guard number.isFinite else { return nil }
            self = .date(number)
        case .decimal:
            guard let decimal = StoredDecimal(kind, column, of: statement) else { return nil }
            self = .decimal(decimal)
        case .string, .uri:
            guard kind == .text, isUTF8(statement.text(column)) else { return nil }
            self = .text(statement.text(column))
        case .uuid:
            guard kind == .blob, statement.bytes(column).count == 16 else { return nil }
            self = .uuid(UUID(uuid: statement.bytes(column).loadUnaligned(as: uuid_t.self)))
        case .binary, .transformable:
            guard kind == .blob else { return nil }
            self.init(bytes: statement.bytes(column), of: attribute)
        case .undefined, .objectID, .composite: return nil
        }
    }

    private init?(bytes: UnsafeRawBufferPointer, of attribute: Attribute) {
        guard attribute.allowsExternalBinaryDataStorage else {
            self = .bytes(bytes)
            return
        }
        switch bytes.first {
        case 1: self = .bytes(UnsafeRawBufferPointer(rebasing: bytes.dropFirst()))
        case 2:
            guard let name = externalFileName(bytes) else { return nil }
            self = .file(name)
        default: return nil
        }
    }
}

extension StoredForm.StoredDecimal {
    fileprivate init?(_ kind: Statement.CellKind, _ column: Int32, of statement: Statement) {
        switch kind {
        case .integer: self = .whole(statement.integer(column))
        case .real:
            let number = statement.real(column)
            guard DecimalValue.holds(number) else { return nil }
            self = .real(number)
        case .text where statement.text(column).elementsEqual("NaN".utf8): self = .notANumber
        case .text, .blob, .null: return nil
        }
    }

    var value: DecimalValue? {
        switch self {
        case .whole(let number): DecimalValue(String(number))
        case .real(let number): DecimalValue(number.description)
        case .notANumber: .notANumber
        }
    }
}

extension AttributeValue {
    /// Reads a value from its form; `nil` where its file is missing.
    init?(_ form: StoredForm, of attribute: Attribute, _ files: ExternalData) {
        switch form {
        case .integer(let number): self = .integer(number)
        case .boolean(let truth): self = .boolean(truth)
        case .real(let number):
            // A 32-bit attribute may hold a number that is not one, as it was stored.
            let isFloat = attribute.type.values == .float && Double(Float(number)) == number
            self = isFloat ? .float(Float(number)) : .double(number)
        case .date(let seconds): self = .date(seconds)
        case .decimal(let decimal):
            guard let number = decimal.value else { return nil }
            self = .decimal(number)
        case .text(let bytes):
            let text = String(decoding: bytes, as: UTF8.self)
            self = attribute.type.values == .uri ? .uri(text) : .string(text)
        case .uuid(let uuid): self = .uuid(uuid)
        case .bytes(let bytes): self = .binary(Data(bytes))
        case .file(let name):
            guard let data = files.read(name) else { return nil }
            self = .binary(data)
        }
    }
}

/// The files beside a store that hold its large values (SQLiteStores, "Values").
struct ExternalData: Sendable {
    /// Values of more bytes get a file of their own; values of up to 99,813 bytes were seen inline.
    static let inlineLimit = 100 << 10

    private let folder: URL

    init(folder: URL) { self.folder = folder }

    static func reference(to name: String) -> [UInt8] { [2] + Array(name.utf8) + [0] }

    func read(_ name: String) -> Data? {
        try? Data(contentsOf: folder.appendingPathComponent(name))
    }

    func write(_ bytes: [UInt8]) throws(StoreError) -> String {
        let name = UUID().uuidString
        let url = folder.appendingPathComponent(name)
        do {
            try Files.makeFolder(at: folder.path)
            try Data(bytes).write(to: url, options: .withoutOverwriting)
        } catch { throw .inaccessible(path: url.path, reason: "cannot be written: \(error)") }
        return name
    }
}

extension StoreError {
    init?(missing diagnostics: [Diagnostic]) {
        guard let first = diagnostics.first else { return nil }
        self = diagnostics.count == 1 ? .rows(first) : .incomplete(diagnostics)
    }
}

extension RuleID {
    static let unexpectedShape: RuleID = "unexpected-rows-shape"
    static let unknownEntity: RuleID = "unknown-row-entity"
    static let unknownProperty: RuleID = "unknown-row-property"
    static let wrongValue: RuleID = "wrong-row-value"
    static let outOfRange: RuleID = "row-value-out-of-range"
    static let missingValue: RuleID = "missing-row-value"
    static let duplicateID: RuleID = "duplicate-row-id"
    static let danglingReference: RuleID = "dangling-row-reference"
    static let contradiction: RuleID = "contradicting-links"
    static let duplicateValue: RuleID = "duplicate-row-value"
    static let damagedValue: RuleID = "damaged-value"
    static let unusablePredicate: RuleID = "unusable-predicate"
}
