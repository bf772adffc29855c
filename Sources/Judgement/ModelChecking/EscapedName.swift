/// Names without white space, as fields of a line.
enum EscapedName {
    /// Writes white space, control characters, `%` and `#` as `%` with the two digits of each byte.
    static func escape(_ name: String) -> String {
        guard !name.isEmpty else { return "%" }
        guard name.unicodeScalars.contains(where: mustEscape) else { return name }
        return name.unicodeScalars.map { scalar in
            guard mustEscape(scalar) else { return String(scalar) }
            return String(scalar).utf8.map { byte in
                let digits = String(byte, radix: 16, uppercase: true)
                return "%" + (digits.count < 2 ? "0" : "") + digits
            }.joined()
        }.joined()
    }

    static func unescape(_ text: Substring) -> String? {
        if text == "%" { return "" }
        guard text.utf8.contains(UInt8(ascii: "%")) else { return String(text) }
        var bytes: [UInt8] = []
        var rest = text.utf8
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst().flatMap(hexValue),
                let low = rest.popFirst().flatMap(hexValue)
            else { return nil }
            bytes.append(high << 4 | low)
        }
        return String(validating: bytes, as: UTF8.self)
    }

    private static func mustEscape(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isWhitespace || scalar.properties.generalCategory == .control
            || scalar == "%" || scalar == "#"
    }

    private static func hexValue(_ byte: UInt8) -> UInt8? {
        Character(UnicodeScalar(byte)).hexDigitValue.map(UInt8.init)
    }
}
