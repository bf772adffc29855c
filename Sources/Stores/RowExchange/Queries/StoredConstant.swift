import Essentials
import ObjectModel
import SQLiteAccess
import StoreFormat

extension SQLOperand {
    /// A constant in the form in which it is stored.
    ///
    /// `marker` is `@archive`, whose text is JSON, `@bytes`, `@date`, `@hex`, `@uri` or `@uuid`. Throws if the text is
    /// not such a value.
    package init(constant marker: String, _ text: String) throws(UntranslatablePredicate) {
        switch marker {
        case ArchivedObject.marker: self.init(bytes: try Self.archive(text), type: .transformable)
        case "@bytes":
            guard case .bytes(let bytes)? = ArchivedObject.text(text).asBytes else {
                throw UntranslatablePredicate("'\(text)' is not base64")
            }
            self.init(bytes: bytes, type: .binary)
        case "@hex": self.init(bytes: try Self.bytes(hex: text), type: .binary)
        case "@uuid":
            guard case .uuid(let uuid)? = ArchivedObject.text(text).asUUID else {
                throw UntranslatablePredicate("'\(text)' is not a UUID")
            }
            self.init(bytes: withUnsafeBytes(of: uuid.uuid) { Array($0) }, type: .uuid)
        case "@date":
            guard let seconds = StoredDate.seconds(typed: text) else {
                throw UntranslatablePredicate("'\(text)' is not a date; write 2001-01-31T12:30:00Z")
            }
            self.init(sql: "(\(seconds))", type: .date, isStored: true)
        case "@uri": self.init(sql: quotedText(text), type: .uri, isStored: true)
        default: throw UntranslatablePredicate("there is no constant '\(marker)'")
        }
    }

    private init(bytes: some Sequence<UInt8>, type: AttributeType) {
        let digits = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        self.init(sql: "x'\(digits)'", type: type, isStored: true)
    }

    private static func archive(_ json: String) throws(UntranslatablePredicate) -> [UInt8] {
        let reader = JSONReader(RowSource(bytes: Array(json.utf8), path: ""))
        do throws(StoreError) {
            if let object = try ArchivedObject(from: reader), try reader.peek() == nil {
                return object.archive
            }
        } catch { throw UntranslatablePredicate("the archive is not understood: \(error)") }
        throw UntranslatablePredicate("the archive is not understood: \(json)")
    }

    private static func bytes(hex text: String) throws(UntranslatablePredicate) -> [UInt8] {
        let digits = text.utf8.compactMap { Character(UnicodeScalar($0)).hexDigitValue }
        guard digits.count == text.utf8.count, digits.count.isMultiple(of: 2) else {
            throw UntranslatablePredicate("'\(text)' is not two hexadecimal digits for each byte")
        }
        return stride(from: 0, to: digits.count, by: 2).map {
            UInt8(digits[$0] * 16 + digits[$0 + 1])
        }
    }
}
