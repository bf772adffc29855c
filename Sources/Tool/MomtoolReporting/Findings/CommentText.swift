import Diagnostics
import Essentials
import ModelChecking

/// Writes a table of a comment, of cells that are written as Markdown already.
func commentTable(heading: [String], _ rows: [[String]]) -> String {
    // Also in code a bar ends a cell.
    markdownTable(heading: heading, rows.map { $0.map { $0.replacingBytes(of: "|", with: "\\|") } })
}

/// Writes text as Markdown, where a word that is not plain, such as a name may be, is code: a host would turn `#1`,
/// `owner/repo#5`, an address or a hash into a link, and `:tada:` into a picture.
func prose(_ text: String) -> String {
    text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).map { line in
        words(of: line).map(word).joined(separator: " ")
    }.joined(separator: "<br>")
}

/// Writes a wording as Markdown, in the words of the command line; each command in it is one piece of code.
func prose(_ wording: Wording) -> String {
    wording.pieces.map { piece in
        switch piece {
        case .text(let text): prose(text.onOneLine)
        case .hint(let hint): prose(hint: hint.commandWords.onOneLine)
        }
    }.joined()
}

/// Writes a hint as Markdown, where each command is code: it ends with a comma, or before a word of its sentence.
private func prose(hint: String) -> String {
    let starts = ["momtool ", "git ", "sqlite3 "]
    let start = hint.indices.first { index in
        (index == hint.startIndex || hint[..<index].last == " ")
            && starts.contains(where: hint[index...].hasPrefix)
    }
    guard let start else { return prose(hint) }
    let ends = [",", " and ", " writes ", " adds ", " gives ", " shows "]
    var isQuoted = false
    let end = hint[start...].indices.first { index in
        if hint[index] == "'" { isQuoted.toggle() }
        return !isQuoted && ends.contains(where: hint[index...].hasPrefix)
    }
    let rest = end ?? hint.endIndex
    return prose(String(hint[..<start])) + codeSpan(String(hint[start..<rest]))
        + prose(hint: String(hint[rest...]))
}

/// The words of a line; text in brackets or braces, such as settings with their key, is one word, and so is a call.
private func words(of line: Substring.UnicodeScalarView) -> [Substring.UnicodeScalarView] {
    var words: [Substring.UnicodeScalarView] = []
    var depth = 0
    for piece in line.split(separator: " ", omittingEmptySubsequences: false) {
        let isValue = piece.first == "{" && words.last?.last == ":"
        if depth > 0 || isValue, let open = words.popLast() {
            words.append(line[open.startIndex..<piece.endIndex])
        } else {
            words.append(piece)
        }
        for (index, scalar) in piece.enumerated() {
            // A remark in parentheses is prose.
            let counts = depth > 0 || index > 0 || !"()".unicodeScalars.contains(scalar)
            guard counts else { continue }
            if "[{(".unicodeScalars.contains(scalar) { depth += 1 }
            if "]})".unicodeScalars.contains(scalar) { depth = max(0, depth - 1) }
        }
    }
    return words
}

private func word(_ word: Substring.UnicodeScalarView) -> String {
    let start = word.firstIndex { !"('\"".unicodeScalars.contains($0) } ?? word.endIndex
    let rest = word[start...]
    var (core, open) = (rest, rest.reduce(0) { $0 + ($1 == "(" ? 1 : $1 == ")" ? -1 : 0) })
    let marks = ")'\".,;:?!…".unicodeScalars
    while let last = core.last, marks.contains(last), last != ")" || open < 0 {
        if core.removeLast() == ")" { open += 1 }
    }
    let tail = rest[core.endIndex...]
    // The colon after a name may be the second one of a picture's.
    let isPicture = core.contains(":") && tail.contains(":")
    let body = isPlain(core) && !isPicture ? String(core) : codeSpan(String(core))
    return String(word[..<start]) + body + String(tail)
}

/// Whether a host reads a word as plain text: letters and digits, two of these around a colon, a mark between words.
private func isPlain(_ word: Substring.UnicodeScalarView) -> Bool {
    if word.count == 1, word.allSatisfy("→=+–—·×".unicodeScalars.contains) { return true }
    let parts = word.split(separator: ":", omittingEmptySubsequences: false)
    return word.isEmpty
        || parts.count < 3
            && parts.allSatisfy { part in
                let isHash = part.count > 6 && part.allSatisfy(\.properties.isHexDigit)
                let areLetters = part.allSatisfy {
                    $0.properties.isAlphabetic || "-'’".unicodeScalars.contains($0)
                }
                let areSigns = part.allSatisfy {
                    $0.properties.isAlphabetic || ("0"..."9").contains($0)
                }
                return !part.isEmpty && !isHash && (areLetters || areSigns)
            }
}

/// Writes text as code.
func codeSpan(_ text: String) -> String {
    let text = text.escaping(\.isObeyed).onOneLine
    guard !text.isEmpty else { return "" }
    let ticks = text.utf8.split { $0 != UInt8(ascii: "`") }.map(\.count).max() ?? 0
    let fence = String(repeating: "`", count: ticks + 1)
    let isOpen = [text.utf8.first, text.utf8.last].contains { $0.map("` ".utf8.contains) == true }
    return isOpen ? "\(fence) \(text) \(fence)" : "\(fence)\(text)\(fence)"
}

func markdownTable(_ report: FindingReport) -> String {
    let title = "### momtool \(report.command): \(report.summary)"
    guard !report.findings.isEmpty else { return title }
    let rows = report.findings.map { finding in
        let diagnostic = finding.diagnostic
        let place = diagnostic.location?.description ?? report.subject
        return [
            diagnostic.severity.rawValue, code(diagnostic.rule.rawValue), code(place),
            cell(finding.wholeMessage),
        ]
    }
    return title + "\n\n" + markdownTable(heading: ["", "Rule", "Place", "Finding"], rows)
}

func markdownTable(heading: [String], _ rows: [[String]]) -> String {
    let lines = [heading, heading.map { _ in "---" }] + rows
    return lines.map { "| " + $0.joined(separator: " | ") + " |" }.joined(separator: "\n")
}

func cell(_ text: String) -> String {
    var result = ""
    for scalar in text.escaping(\.isObeyed).unicodeScalars {
        switch scalar {
        case "\n": result += "<br>"
        case "|", "*", "_", "`", "[", "]", "\\": result += "\\\(scalar)"
        case "<": result += "&lt;"
        case "&": result += "&amp;"
        // A name in a model must not mention a user.
        case "@": result += "@\u{200B}"
        default: result.unicodeScalars.append(scalar)
        }
    }
    return result
}

func code(_ text: String) -> String {
    text.utf8.contains(where: "`\n|".utf8.contains) ? cell(text) : "`\(text.onOneLine)`"
}
