import CSQLite

/// Whether bytes are UTF-8 (RFC 3629).
package func isUTF8(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var index = 0
    while index < bytes.count {
        // Most text is ASCII, which is checked eight bytes at a time.
        while index + 8 <= bytes.count,
            bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
        { index += 8 }
        guard index < bytes.count else { return true }
        let byte = bytes[index]
        if byte < 0x80 {
            index += 1
            continue
        }
        let (length, least, most): (Int, UInt8, UInt8)
        switch byte {
        case 0xC2...0xDF: (length, least, most) = (2, 0x80, 0xBF)
        case 0xE0: (length, least, most) = (3, 0xA0, 0xBF)
        case 0xED: (length, least, most) = (3, 0x80, 0x9F)
        case 0xE1...0xEF: (length, least, most) = (3, 0x80, 0xBF)
        case 0xF0: (length, least, most) = (4, 0x90, 0xBF)
        case 0xF1...0xF3: (length, least, most) = (4, 0x80, 0xBF)
        case 0xF4: (length, least, most) = (4, 0x80, 0x8F)
        default: return false
        }
        guard index + length <= bytes.count, bytes[index + 1] >= least, bytes[index + 1] <= most
        else { return false }
        for place in 2..<max(2, length) where bytes[index + place] & 0xC0 != 0x80 { return false }
        index += length
    }
    return true
}

/// The SQL function that checks whether a text is UTF-8, which SQLite takes on trust.
package let encodingCheck = "momtool_utf8"

extension SQLiteConnection {
    /// Registers ``encodingCheck``; it copies nothing, as it runs on every text of a store.
    func registerEncodingCheck() throws(StoreError) {
        try define(encodingCheck, 1, SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY) {
            context,
            _,
            values in
            // The bytes are those of the store: SQLite converts only between encodings.
            let start = sqlite3_value_text(values?[0])
            let count = start == nil ? 0 : Int(sqlite3_value_bytes(values?[0]))
            let isValid = isUTF8(UnsafeRawBufferPointer(start: start, count: count))
            sqlite3_result_int(context, isValid ? 1 : 0)
        }
    }
}
