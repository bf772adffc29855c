/// The effect of a fix on the lines of a file, for reports from which editors and reviews apply fixes.
package struct FixReplacement: Sendable, Hashable {
    package var path: String
    /// From 1.
    package var firstLine: Int
    /// None where lines are added before the first one.
    package var lineCount: Int
    /// The length of the last replaced line, in UTF-16 units, where the file ends without a line break.
    package var openEnd: Int?
    /// The new text, with line breaks.
    package var text: String

    /// Computes the effect of a fix on its file; `nil` for none on the source's text, or one too large for a report.
    package init?(of fix: Fix, in bytes: [UInt8]) {
        let fixed = applying([fix], to: bytes)
        guard !fixed.made.isEmpty, String(validating: bytes, as: UTF8.self) != nil else {
            return nil
        }
        let newline = UInt8(ascii: "\n")
        let old = bytes.split(separator: newline, omittingEmptySubsequences: false)
        let new = fixed.text.split(separator: newline, omittingEmptySubsequences: false)
        let start = zip(old, new).prefix { $0 == $1 }.count
        let shorter = min(old.count, new.count) - start
        let end = zip(old.reversed(), new.reversed()).prefix(shorter).prefix { $0 == $1 }.count
        let lines = new[start..<(new.count - end)]
        let isAtEnd = end == 0
        let text = lines.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "\n")
        guard text.utf8.count <= Self.limit else { return nil }
        self.text = lines.isEmpty || isAtEnd ? text : text + "\n"
        path = fix.path
        firstLine = start + 1
        lineCount = old.count - end - start
        if isAtEnd, let last = old.last {
            openEnd = String(decoding: last, as: UTF8.self).utf16.count
        }
    }

    private static let limit = 64 << 10
}
