/// What a fix makes of the lines of a file, for reports that editors and reviews apply fixes from.
package struct FixReplacement: Sendable, Hashable {
    /// The path of the file.
    package var path: String
    /// The first line that is replaced, from 1.
    package var firstLine: Int
    /// The number of lines that are replaced; none where lines are added before the first one.
    package var lineCount: Int
    /// The length of the last line that is replaced, in UTF-16 units, where it ends without a line end at the end of the
    /// file.
    package var openEnd: Int?
    /// What stands there afterwards, with its line ends.
    package var text: String

    /// Works out what a fix does to the bytes of its file.
    ///
    /// - Returns: `nil` for a fix that makes no text of the source other, and for one that makes more than a report should
    ///   hold.
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
