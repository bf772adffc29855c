public import struct Essentials.Data
public import struct Essentials.UUID

/// A value that an attribute can hold: a default, a limit.
public enum AttributeValue: Sendable, Hashable {
    /// Integer 16, 32 and 64.
    case integer(Int64)
    /// Double.
    case double(Double)
    /// Float; distinct because compiled models hold four bytes.
    case float(Float)
    /// Decimal, with its digits as written.
    case decimal(DecimalValue)
    /// String.
    case string(String)
    /// Boolean.
    case boolean(Bool)
    /// Date, in seconds since 2001-01-01 00:00 UTC.
    case date(Double)
    /// Binary.
    case binary(Data)
    /// UUID.
    case uuid(UUID)
    /// URI, as its absolute string.
    case uri(String)

    /// Foundation's `Date.distantPast`, in seconds since 2001.
    package static let distantPast = -63_114_076_800.0
    /// An empty `NSArray` as a keyed archiver writes it.
    package static let emptyArray = Data(
        base64Encoded:
            "YnBsaXN0MDDUAQIDBAUGExZZJGFyY2hpdmVyWCRvYmplY3RzVCR0b3BYJHZlcnNpb25fEA9OU0tleWVkQXJjaGl2ZXKj"
            + "BwsNVSRudWxsViRjbGFzc1pOUy5vYmplY3RzgALSCAkKDKDSDg8QEVgkY2xhc3Nlc1okY2xhc3NuYW1lohESV05TQXJy"
            + "YXlYTlNPYmplY3TRFBVUcm9vdIABEgABhqAIERskKTJESE5VYGJnaG12gYSMlZidnwAAAAAAAAEBAAAAAAAAABcAAAAA"
            + "AAAAAAAAAAAAAACk"
    )
    /// Foundation's `Date.distantFuture`, in seconds since 2001.
    package static let distantFuture = 63_113_904_000.0

    /// The value as sources write it; `nil` for bytes, which they cannot.
    package var sourceText: String? {
        switch self {
        case .binary: nil
        case .integer(let number): String(number)
        case .double(let number): String(number)
        case .float(let number): String(number)
        case .decimal(let number): number.description
        case .string(let text), .uri(let text): text
        case .boolean(let flag): flag ? "YES" : "NO"
        case .uuid(let uuid): uuid.uuidString
        case .date(let seconds): Int64(exactly: seconds).map { String($0) } ?? String(seconds)
        }
    }
}

/// A decimal number as `NSDecimal` holds it: sign, mantissa and power of ten, digits as written.
///
/// `0.0` has mantissa 0 and exponent -1: compiled models keep the difference from `0`.
public struct DecimalValue: Sendable, Hashable {
    package var isNegative: Bool
    /// The digits, at most 38 of them.
    package var mantissa: UInt128
    /// The power of ten, -128 to 127.
    package var exponent: Int8

    package init(isNegative: Bool, mantissa: UInt128, exponent: Int8) {
        (self.isNegative, self.mantissa, self.exponent) = (isNegative, mantissa, exponent)
    }

    /// Parses a number such as `-12.50` or `1.5e3`; `nil` when the text is none or does not fit.
    package init?(_ text: String) {
        var rest = Substring(text)
        var mantissa: UInt128 = 0
        var exponent = 0
        var digits = 0
        let isNegative = rest.first == "-"
        if isNegative || rest.first == "+" { rest.removeFirst() }
        var isFraction = false
        while let character = rest.first, character != "e", character != "E" {
            rest.removeFirst()
            if character == ".", !isFraction {
                isFraction = true
                continue
            }
            guard character.isASCII, let digit = character.wholeNumberValue else { return nil }
            let (product, overflows) = mantissa.multipliedReportingOverflow(by: 10)
            let (sum, carries) = product.addingReportingOverflow(UInt128(digit))
            guard !overflows, !carries else { return nil }
            mantissa = sum
            digits += 1
            if isFraction { exponent -= 1 }
        }
        guard digits > 0 else { return nil }
        if !rest.isEmpty {
            guard let power = Int(rest.dropFirst()), power.magnitude <= 1000 else { return nil }
            exponent += power
        }
        // An exponent that is too large is moved into the digits, as far as they have room.
        while exponent > Int(Int8.max) {
            let (product, overflows) = mantissa.multipliedReportingOverflow(by: 10)
            guard !overflows else { return nil }
            (mantissa, exponent) = (product, exponent - 1)
        }
        guard let exponent = Int8(exactly: exponent) else { return nil }
        self.init(isNegative: isNegative && mantissa != 0, mantissa: mantissa, exponent: exponent)
    }

    /// NaN as `NSDecimal` marks it, which occurs only in stores.
    package static let notANumber = DecimalValue(isNegative: true, mantissa: 0, exponent: 0)

    /// Whether a number has a decimal form, which ends at about 3.4e165.
    package static func holds(_ number: Double) -> Bool {
        number == 0 || (1e-100...1e100).contains(abs(number))
            || DecimalValue(number.description) != nil
    }
}

extension DecimalValue: CustomStringConvertible {
    /// The number in plain digits, with its original decimals, or `NaN`.
    public var description: String {
        guard self != .notANumber else { return "NaN" }
        var digits = String(mantissa)
        if exponent > 0 {
            digits += String(repeating: "0", count: mantissa == 0 ? 0 : Int(exponent))
        } else if exponent < 0 {
            let decimals = -Int(exponent)
            let padding = String(repeating: "0", count: max(0, decimals + 1 - digits.count))
            digits = padding + digits
            digits.insert(".", at: digits.index(digits.endIndex, offsetBy: -decimals))
        }
        return (isNegative ? "-" : "") + digits
    }
}
