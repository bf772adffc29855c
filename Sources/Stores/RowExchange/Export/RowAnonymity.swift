import Essentials
import ModelHashing
import ObjectModel
import SQLiteAccess
import StoreFormat

/// Replaces values by others of the same kind and length, equal values by equal ones, so that rows can be shown to
/// somebody who must not see what is in them.
///
/// Letters become letters of the same case, digits digits, bytes as many bytes; numbers keep their sign and their number
/// of digits. Spaces, ASCII punctuation and Boolean values stay. Without the secret the old values cannot be computed from
/// the new ones; who knows what a value may be can still tell by its length that it is not.
///
/// ```swift
/// let options = RowExportOptions(anonymity: RowAnonymity())
/// try exportRows(of: store, model: model, options: options) { print(String(decoding: $0, as: UTF8.self)) }
/// ```
package struct RowAnonymity: Sendable, Hashable {
    let secret: [UInt8]

    /// Creates a replacement with a random secret: another one gives other values.
    package init() {
        var generator = SystemRandomNumberGenerator()
        secret = (0..<32).map { _ in UInt8.random(in: 0...255, using: &generator) }
    }

    /// Creates a replacement that is the same each time.
    ///
    /// - Parameter secret: what the new values depend on; who has it can find the old ones by trying.
    package init(secret: some Sequence<UInt8>) {
        self.secret = Array(secret)
    }

    /// The name of the function in SQL.
    static let function = "momtool_anonymous"

    /// Registers the function of a kind, whether a value may live in a file, and a value.
    func register(on connection: SQLiteConnection, _ files: ExternalData) throws(StoreError) {
        let replacement = ValueReplacement(secret: secret)
        try connection.register(Self.function, arguments: 3) { values in
            let number = values[0].integer.flatMap(Int.init(exactly:))
            guard let kind = number.flatMap(AttributeType.init(rawValue:)) else { return .null }
            let isExternal = values[1].integer == 1
            return replacement.value(values[2], kind, files: isExternal ? files : nil)
        }
    }

    /// The value of a column, in SQL.
    static func expression(_ attribute: Attribute, _ column: String) -> String {
        let isExternal = attribute.allowsExternalBinaryDataStorage ? 1 : 0
        return "\(function)(\(attribute.type.rawValue), \(isExternal), \(column))"
    }
}

/// Replaces single values.
struct ValueReplacement: Sendable {
    private let permutation: SecretPermutation
    private let secret: [UInt8]

    init(secret: [UInt8]) {
        self.secret = secret
        permutation = SecretPermutation(secret: secret)
    }

    /// The value in place of another one.
    ///
    /// - Parameters:
    ///   - value: the stored value.
    ///   - type: the type of its attribute.
    ///   - files: the files beside the store, for a value that may live in one.
    /// - Returns: a value of the same kind and length; equal values get equal ones.
    func value(_ value: SQLiteValue, _ type: AttributeType, files: ExternalData?) -> SQLiteValue {
        switch value {
        case .null: return .null
        case .integer(let number):
            return type == .boolean
                ? value : .integer(integer(number, greatest: UInt64(type.integers.upperBound)))
        case .real(let number): return .real(real(number, isSingle: type == .float))
        case .text(let text):
            if type == .decimal, text == "NaN" { return value }
            return .text(type == .uri ? uri(text) : self.text(text))
        case .blob(let data):
            let bytes = Array(data)
            guard let files else { return .blob(Data(inner(bytes, type))) }
            guard bytes.first == 2 else {
                return .blob(Data(bytes.prefix(1) + inner(Array(bytes.dropFirst()), type)))
            }
            // A value in a file comes into the text with all others.
            guard let content = externalFileName(bytes).flatMap(files.read) else { return value }
            return .blob(Data([1] + inner(Array(content), type)))
        }
    }

    private func inner(_ bytes: [UInt8], _ type: AttributeType) -> [UInt8] {
        switch type {
        case .uuid where bytes.count == 16: return uuid(bytes)
        case .transformable:
            let object = bytes.withUnsafeBytes { ArchivedObject(archive: $0) }
            return object.map { self.object($0).archive } ?? self.bytes(bytes)
        default: return self.bytes(bytes)
        }
    }

    private func integer(_ number: Int64, greatest: UInt64) -> Int64 {
        let isNegative = number < 0
        let magnitude = number.magnitude
        let count = String(magnitude).utf8.count
        let power = (1..<count).reduce(UInt64(1)) { power, _ in power * 10 }
        let least = count == 1 ? (isNegative ? 1 : 0) : power
        let end = min(power.multipliedReportingOverflow(by: 10).partialValue - 1, greatest)
        // Nineteen digits have no power above them.
        let most = count >= 19 ? greatest : end
        guard magnitude >= least, magnitude <= most else {
            // What is beyond its type is damage, and stays beyond it.
            let all = UInt64(Int64.max)
            return greatest < all ? integer(number, greatest: all) : number
        }
        let place = permutation.place(of: magnitude - least, among: most - least + 1)
        let result = Int64(least + place)
        return isNegative ? -result : result
    }

    private func real(_ number: Double, isSingle: Bool) -> Double {
        guard number.isFinite, number != 0 else { return number }
        let single = Float(number)
        let isShort = isSingle && Double(single) == number
        let digits = number.magnitude
        let text = isShort ? single.magnitude.description : digits.description
        guard let result = Double(replacingDigits(of: text)), result.isFinite else { return number }
        let exact = isShort ? Double(Float(result)) : result
        return number < 0 ? -exact : exact
    }

    /// Replaces the digits of a number, so that it keeps its first and last place.
    private func replacingDigits(of text: String) -> String {
        let parts = text.split(separator: "e", omittingEmptySubsequences: false)
        let mantissa = parts[0].split(separator: ".", omittingEmptySubsequences: false)
        var letters = Letters()
        for (place, part) in mantissa.enumerated() {
            if place > 0 { letters.keep(".") }
            let isZero = part == "0"
            for (index, scalar) in part.unicodeScalars.enumerated() {
                let isEnd = place == 0 ? index == 0 : index == part.utf8.count - 1
                letters.add(scalar, isZero ? nil : isEnd ? .nonZero : .digit)
            }
        }
        return replaced(letters) + parts.dropFirst().map { "e" + $0 }.joined()
    }

    private func text(_ text: String) -> String {
        var letters = Letters()
        for scalar in text.unicodeScalars { letters.add(scalar, LetterKind(scalar)) }
        return replaced(letters)
    }

    /// The scheme of a URI stays: without it nothing could tell what kind of one it is.
    private func uri(_ text: String) -> String {
        guard let end = text.firstRange(of: "://")?.upperBound else { return self.text(text) }
        return text[..<end] + self.text(String(text[end...]))
    }

    private func replaced(_ letters: Letters) -> String {
        let replaced = permutation.digits(letters.digits.map { ($0.digit, $0.kind.count) })
        return letters.text(replaced)
    }

    private func bytes(_ bytes: [UInt8]) -> [UInt8] {
        guard !bytes.isEmpty else { return [] }
        var stream = SecretStream(secret: secret, of: bytes)
        return (0..<bytes.count).map { _ in stream.next() }
    }

    /// The variant and the version of a UUID stay.
    private func uuid(_ bytes: [UInt8]) -> [UInt8] {
        var result = self.bytes(bytes)
        result[6] = bytes[6] & 0xF0 | result[6] & 0x0F
        result[8] = bytes[8] & 0xC0 | result[8] & 0x3F
        return result
    }

    private func object(_ object: ArchivedObject) -> ArchivedObject {
        switch object {
        case .null, .boolean: return object
        case .text(let text): return .text(self.text(text))
        case .integer(let number): return .integer(integer(number, greatest: .max / 2))
        case .real(let number): return .real(real(number, isSingle: false))
        case .date(let seconds): return .date(real(seconds, isSingle: false))
        case .bytes(let data): return .bytes(Data(bytes(Array(data))))
        case .uri(let text): return .uri(uri(text))
        case .uuid(let uuid):
            let bytes = self.uuid(withUnsafeBytes(of: uuid.uuid) { Array($0) })
            return .uuid(UUID(uuid: bytes.withUnsafeBytes { $0.loadUnaligned(as: uuid_t.self) }))
        case .list(let objects): return .list(objects.map(self.object))
        case .set(let objects): return .set(objects.map(self.object))
        case .dictionary(let entries):
            return .dictionary(
                entries.map {
                    ArchivedObject.Entry(key: text($0.key), value: self.object($0.value))
                }
            )
        }
    }
}
