import SQLiteAccess

struct ScriptStatement: Hashable {
    var tokens: [SQLToken]
    /// The text from the first word to the last, without the semicolon.
    var text: String
    var line: Int
    /// The column in bytes where it starts.
    var column: Int

    static func all(in script: String) -> [ScriptStatement] {
        let bytes = Array(script.utf8)
        var line = 1
        var lineStart = 0
        var scanned = 0
        return sqlTokens(bytes).split { $0.kind == .end }.compactMap { tokens in
            guard let first = tokens.first, let last = tokens.last else { return nil }
            while scanned < first.range.lowerBound {
                if bytes[scanned] == 10 {
                    line += 1
                    lineStart = scanned + 1
                }
                scanned += 1
            }
            let range = first.range.lowerBound..<last.range.upperBound
            return ScriptStatement(
                tokens: tokens.map { token in
                    let start = token.range.lowerBound - range.lowerBound
                    var token = token
                    token.range = start..<(start + token.range.count)
                    return token
                },
                text: String(decoding: bytes[range], as: UTF8.self),
                line: line,
                column: first.range.lowerBound - lineStart + 1
            )
        }
    }
}
