import Diagnostics

/// Rows of cells for people; columns of numbers are aligned right, with their headings.
package enum TextTable {
    /// The width of tables and paragraphs, as that of a terminal; `nil` for any.
    @TaskLocal package static var width: Int?

    /// Whether only problems are shown: no totals, and nothing that succeeded.
    @TaskLocal package static var isQuiet = false

    /// The least width that is left of a column of more than single words.
    fileprivate static let leastWidth = 12
}

func textTable(_ rows: [[String]], heading: [String] = []) -> String {
    let rows = rows.map { $0.map(\.onOneLine) }
    let all = (heading.isEmpty ? [] : [heading]) + rows
    let columns = (0..<(all.map(\.count).max() ?? 0)).map { column in
        let cells = rows.compactMap { column < $0.count ? $0[column] : nil }
        let width = all.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0
        // People copy hashes, checksums and names, which are useless in part.
        let words = all.compactMap { column < $0.count ? $0[column] : nil }
            .filter { !$0.contains(" ") }
        return Column(
            width: width,
            least: max(TextTable.leastWidth, words.map(\.count).max() ?? 0),
            isNumeric: !cells.isEmpty && cells.allSatisfy(\.isNumber)
        )
    }
    let fitted = TextTable.width.map { fit(columns, into: $0) } ?? columns
    return all.flatMap { lines(of: $0, in: fitted) }.joined(separator: "\n")
}

/// Joins lines for people; a name in one of them cannot begin another.
func textLines(_ lines: [String]) -> String { lines.map(\.onOneLine).joined(separator: "\n") }

/// The lines of a row: a cell wider than its column continues below its beginning.
private func lines(of row: [String], in columns: [Column]) -> [String] {
    let cells = zip(row, columns).map { cell, column in
        cell.count > column.width ? pieces(of: cell, by: column.width) : [cell]
    }
    return (0..<(cells.map(\.count).max() ?? 0)).map { number in
        let parts = zip(cells, columns).map { pieces, column in
            let shown = number < pieces.count ? pieces[number] : ""
            let padding = String(repeating: " ", count: max(column.width - shown.count, 0))
            return column.isNumeric ? padding + shown : shown + padding
        }
        let line = "  " + parts.joined(separator: "  ")
        let blanks = line.utf8.reversed().prefix { $0 == UInt8(ascii: " ") }.count
        return String(Substring(line.utf8.dropLast(blanks)))
    }
}

/// Breaks a paragraph between words into lines that fit the width of tables.
func wrapped(_ text: String) -> String {
    let text = text.onOneLine
    guard let width = TextTable.width else { return text }
    return pieces(of: text, by: width).joined(separator: "\n")
}

private func pieces(of text: String, by width: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ") {
        if !line.isEmpty, line.count + 1 + word.count > width {
            lines.append(line)
            line = ""
        }
        line += (line.isEmpty ? "" : " ") + word
    }
    return lines + [line]
}

private struct Column {
    var width: Int
    var least: Int
    var isNumeric: Bool
}

/// Narrows the widest columns of words until a line fits, but leaves something of each.
private func fit(_ columns: [Column], into width: Int) -> [Column] {
    var columns = columns
    while columns.reduce(0, { $0 + $1.width + 2 }) > width {
        // People copy the first column: names and IDs.
        let widest = columns.indices.dropFirst()
            .filter { !columns[$0].isNumeric && columns[$0].width > columns[$0].least }
            .max { columns[$0].width < columns[$1].width }
        guard let widest else { break }
        columns[widest].width -= 1
    }
    return columns
}

extension String {
    fileprivate var isNumber: Bool { !isEmpty && allSatisfy { $0.isNumber || $0 == "-" } }
}
