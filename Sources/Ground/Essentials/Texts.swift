extension BinaryInteger {
    package func hexadecimal(_ width: Int, uppercase: Bool = false) -> String {
        let digits = String(self, radix: 16, uppercase: uppercase)
        return String(repeating: "0", count: Swift.max(0, width - digits.count)) + digits
    }

    /// The number with what is counted, such as `1 row`, `2 rows` or `2 entities`; `plural` is for irregular nouns.
    package func counted(_ noun: String, _ plural: String? = nil) -> String {
        "\(self) \(self == 1 ? noun : plural ?? Self.plural(of: noun))"
    }

    private static func plural(of noun: String) -> String {
        let isVowel = noun.dropLast().last.map { "aeiou".contains($0) } ?? false
        if noun.hasSuffix("y"), !isVowel { return noun.dropLast() + "ies" }
        let takesE = ["s", "x", "ch", "sh"].contains(where: noun.hasSuffix)
        return noun + (takesE ? "es" : "s")
    }
}

extension Double {
    /// The number with some decimals, halves rounded away from zero.
    package func fixed(_ digits: Int) -> String {
        let scale = pow(10, Double(digits))
        let scaled = (magnitude * scale).rounded()
        guard scaled < 1e15 else { return "\(self)" }
        let number = Int64(scaled)
        let whole = number / Int64(scale)
        let sign = self < 0 && number > 0 ? "-" : ""
        guard digits > 0 else { return "\(sign)\(whole)" }
        let rest = String(number % Int64(scale))
        return "\(sign)\(whole)." + String(repeating: "0", count: digits - rest.count) + rest
    }
}

extension StringProtocol {
    /// The text without surrounding white space and line ends.
    package var trimmed: String {
        let isSpace = \Character.isWhitespace
        guard let start = firstIndex(where: { !$0[keyPath: isSpace] }),
            let end = lastIndex(where: { !$0[keyPath: isSpace] })
        else { return "" }
        return String(self[start...end])
    }
}

/// Whether two texts have the same bytes: for `==`, unlike SQLite, é equals e with a combining accent (U+0301).
package func haveSameBytes(_ first: String?, _ second: String?) -> Bool {
    guard let first, let second else { return first == nil && second == nil }
    let isSame = first.utf8.withContiguousStorageIfAvailable { bytes in
        second.utf8.withContiguousStorageIfAvailable { others in
            bytes.count == others.count && areEqual(bytes, others)
        }
    }
    return isSame.flatMap(\.self) ?? first.utf8.elementsEqual(second.utf8)
}

private func areEqual(_ first: UnsafeBufferPointer<UInt8>, _ second: UnsafeBufferPointer<UInt8>)
    -> Bool
{
    guard let bytes = first.baseAddress, let others = second.baseAddress else { return true }
    return memcmp(bytes, others, first.count) == 0
}

/// Returns the message of a system error, in words where there are some.
package func systemReason(_ error: any Error) -> String {
    if let error = error as? CocoaError {
        if let underlying = error.userInfo["NSUnderlyingError"] as? POSIXError {
            return String(cString: strerror(underlying.code.rawValue))
        }
        return error.words
    }
    if let error = error as? POSIXError { return String(cString: strerror(error.code.rawValue)) }
    return "\(error)"
}

extension CocoaError {
    fileprivate var words: String {
        switch code {
        case .fileReadNoSuchFile, .fileNoSuchFile: "no such file"
        case .fileReadNoPermission, .fileWriteNoPermission: "permission denied"
        case .fileReadInapplicableStringEncoding, .fileReadUnknownStringEncoding:
            "the text is in an unknown encoding"
        case .fileReadCorruptFile, .propertyListReadCorrupt: "the data is not in the correct format"
        case .fileReadTooLarge: "the file is too large"
        case .fileReadInvalidFileName, .fileWriteInvalidFileName: "the name of the file is invalid"
        case .fileWriteOutOfSpace: "no space is left on the device"
        case .fileWriteVolumeReadOnly: "the file system is read-only"
        case .fileWriteFileExists: "the file already exists"
        default: "the system's error \(code.rawValue)"
        }
    }
}

extension String {
    /// The text with all occurrences of another's bytes replaced.
    ///
    /// `replacing` compares characters, and a combining mark forms one character with the preceding sign. SQLite,
    /// shells and parsers read bytes: to them the sign is still there, and would end what contains it.
    package func replacingBytes(of old: String, with new: String) -> String {
        guard let first = old.utf8.first, utf8.contains(first) else { return self }
        let (bytes, old) = (Array(utf8), Array(old.utf8))
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count + 8)
        var index = 0
        while index < bytes.count {
            if bytes[index] == first, bytes[index...].starts(with: old) {
                result += new.utf8
                index += old.count
            } else {
                result.append(bytes[index])
                index += 1
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// The text with percent-encoded bytes decoded; `nil` if the result is not valid text.
    package var percentDecoded: String? {
        guard contains("%") else { return self }
        var bytes: [UInt8] = []
        var rest = utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            let digits = rest.prefix(2).compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
            guard digits.count == 2 else { return nil }
            bytes.append(UInt8(digits[0] << 4 | digits[1]))
            rest.removeFirst(2)
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
