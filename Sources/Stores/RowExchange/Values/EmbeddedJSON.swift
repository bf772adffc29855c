import SQLiteAccess

/// JSON in a binary attribute, as SwiftData keeps arrays of structs and dictionaries.
///
/// JSON without white space, as encoders write it, is shown as JSON and read back to the same bytes; others stay bytes.
enum EmbeddedJSON {
    static let marker = "@json"

    /// Whether bytes are an object or a list in JSON without white space.
    static func isCompact(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard let first = bytes.first, first == UInt8(ascii: "[") || first == UInt8(ascii: "{"),
            isUTF8(bytes)
        else { return false }
        let reader = JSONReader(RowSource(bytes: Array(bytes), path: ""), depthLimit: 32)
        guard let value = try? reader.rawValue(), value.elementsEqual(bytes) else { return false }
        // Surrogates are left to bytes.
        let escapes = String(decoding: bytes, as: UTF8.self).replacing(#"\\"#, with: "")
        return !escapes.contains(#"\ud"#) && !escapes.contains(#"\uD"#)
    }

    /// Returns JSON without the white space between its parts.
    static func compact(_ bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var isText = false
        var isEscaped = false
        for byte in bytes {
            let isBlank = [0x20, 0x09, 0x0A, 0x0D].contains(byte)
            if isText || !isBlank { result.append(byte) }
            if byte == UInt8(ascii: "\""), !isEscaped { isText.toggle() }
            isEscaped = isText && byte == UInt8(ascii: "\\") && !isEscaped
        }
        return result
    }
}
