import Essentials

/// Returns a text as one word of a shell, on one line.
///
/// Unprintable characters, such as a line break, become bytes between `$'` and `'`, which bash and zsh read back.
package func shellWord(_ text: String) -> String {
    guard text.onOneLine == text, !text.utf8.contains(UInt8(ascii: "\t")) else {
        let word = text.replacingBytes(of: "\\", with: "\\\\").replacingBytes(of: "'", with: "\\'")
        let isWritten = { (scalar: Unicode.Scalar) in scalar.value < 0x20 || scalar.isObeyed }
        return "$'"
            + word.escaping(isWritten) { scalar in
                UTF8.encode(scalar).map { $0.map { "\\x\($0.hexadecimal(2))" }.joined() } ?? ""
            } + "'"
    }
    let isPlain = text.utf8.allSatisfy { byte in
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: "._-/:+#,@".utf8.contains(byte)
        }
    }
    return isPlain && !text.isEmpty ? text : "'" + text.replacingBytes(of: "'", with: "'\\''") + "'"
}
