import YAMLReading

/// Edits of the text of a settings file, which leave every other byte as it is.
///
/// The result is read again: unless it says what the file said but for the edits, there is none. What is written in an
/// unusual way, with aliases or keys of several lines, is so refused and never guessed.
struct SettingsEdit {
    /// The entries and items that go; a list or mapping that gets empty goes with its last one.
    var removed: Set<SettingsPath> = []
    /// Entries that get another key and a list of texts.
    var replaced: [SettingsPath: (key: String, items: [String])] = [:]

    var isEmpty: Bool { removed.isEmpty && replaced.isEmpty }

    /// Applies the edits.
    ///
    /// - Parameter text: the text of the file.
    /// - Returns: the new text, which is empty where nothing is left; `nil` where the text cannot be edited surely.
    func applied(to text: String) -> String? {
        guard !isEmpty else { return text }
        guard let root = try? parseYAML(text) else { return nil }
        let gone = outermost(removedWhole(root))
        guard !gone.contains(SettingsPath()) else { return "" }
        var expected: [SettingsPath: [SettingsValue]] = [:]
        for path in gone { expected[path] = [] }
        for (path, new) in replaced where !gone.contains(where: { $0.contains(path) }) {
            expected[path] = [
                SettingsText.value(new.key),
                .list(new.items.map(SettingsText.value)),
            ]
        }
        var lines = SettingsText(text)
        let marks = expected.keys.compactMap { path -> (path: SettingsPath, mark: YAMLNode.Mark)? in
            guard let step = path.steps.last else { return nil }
            return root.node(at: path.parent)?.mark(of: step).map { (path, $0) }
        }
        guard marks.count == expected.count else { return nil }
        // From the end, so that what is to come stays where it is.
        for (path, mark) in marks.sorted(by: {
            ($0.mark.line, $0.mark.column) > ($1.mark.line, $1.mark.column)
        }) {
            guard let holder = root.node(at: path.parent), let value = root.node(at: path) else {
                return nil
            }
            let line = replaced[path].map { SettingsText.line($0.key, $0.items) }
            guard lines.cut(mark, value, from: holder, replacing: line) else { return nil }
        }
        let result = lines.text
        guard let new = try? parseYAML(result),
            SettingsValue(new) == SettingsValue(root).changed(expected)
        else { return nil }
        return result
    }

    /// What is removed, with the lists and mappings of which nothing is left.
    private func removedWhole(_ root: YAMLNode) -> Set<SettingsPath> {
        var all = removed
        var open = removed
        while let path = open.popFirst() {
            guard !path.steps.isEmpty else { continue }
            let holder = path.parent
            let count = all.count { $0.steps.count == path.steps.count && $0.parent == holder }
            guard root.node(at: holder)?.count == count, all.insert(holder).inserted else {
                continue
            }
            open.insert(holder)
        }
        return all
    }

    private func outermost(_ paths: Set<SettingsPath>) -> Set<SettingsPath> {
        paths.filter { path in !paths.contains { $0 != path && $0.contains(path) } }
    }
}

/// The lines of a settings file, by the signs that places are counted in.
struct SettingsText {
    private var lines: [[Unicode.Scalar]]

    init(_ text: String) {
        lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
            .map { Array($0) }
    }

    var text: String {
        var text = String.UnicodeScalarView()
        for (index, line) in lines.enumerated() {
            if index > 0 { text.append("\n") }
            text.append(contentsOf: line)
        }
        return String(text)
    }

    /// A text as it is written and read again.
    static func value(_ text: String) -> SettingsValue { .text(text, isPlain: isPlainYAML(text)) }

    /// An entry with a list, in one line.
    static func line(_ key: String, _ items: [String]) -> String {
        "\(yamlText(key)): [\(items.map(yamlText).joined(separator: ", "))]"
    }

    /// Cuts an entry or an item out.
    ///
    /// - Parameters:
    ///   - mark: where it begins.
    ///   - value: its value.
    ///   - holder: the mapping or list that it is of.
    ///   - line: what stands in its place.
    /// - Returns: whether it could be found.
    mutating func cut(
        _ mark: YAMLNode.Mark,
        _ value: YAMLNode,
        from holder: YAMLNode,
        replacing line: String?
    ) -> Bool {
        guard let first = self[holder.mark] else { return false }
        guard first != "{", first != "[" else {
            return line == nil && cutFlow(mark)
        }
        var (row, column) = (mark.line - 1, mark.column - 1)
        if holder.sequence != nil {
            column = holder.mark.column - 1
            while row >= 0, !(lines[row].count > column && lines[row][column] == "-") { row -= 1 }
        }
        guard lines.indices.contains(row), lines[row].prefix(column).allSatisfy({ $0 == " " })
        else { return false }
        let end = end(ofBlockAt: row, column, isList: value.sequence != nil)
        let hasReturn = lines[row].last == "\r"
        let new = line.map { text in
            Array(
                (String(repeating: " ", count: column) + text + (hasReturn ? "\r" : ""))
                    .unicodeScalars
            )
        }
        lines.replaceSubrange(row..<end, with: new.map { [$0] } ?? [])
        return true
    }

    private subscript(mark: YAMLNode.Mark) -> Unicode.Scalar? {
        let (row, column) = (mark.line - 1, mark.column - 1)
        guard lines.indices.contains(row), lines[row].indices.contains(column) else { return nil }
        return lines[row][column]
    }

    /// The first line behind an entry or item of a block; blank lines and comments before what follows are not its own.
    private func end(ofBlockAt row: Int, _ column: Int, isList: Bool) -> Int {
        var end = row + 1
        for index in lines.indices.dropFirst(row + 1) {
            let indent = lines[index].prefix { $0 == " " }.count
            let rest = lines[index].dropFirst(indent).filter { $0 != "\r" }
            guard let first = rest.first, first != "#" else { continue }
            let isItem =
                isList && indent == column && first == "-" && rest.dropFirst().first ?? " " == " "
            guard indent > column || isItem else { break }
            end = index + 1
        }
        return end
    }

    /// Cuts an item out of brackets, with the comma behind it, or before it where it is the last one.
    private mutating func cutFlow(_ mark: YAMLNode.Mark) -> Bool {
        var signs = Array(text.unicodeScalars)
        var start = lines.prefix(mark.line - 1).reduce(0) { $0 + $1.count + 1 } + mark.column - 1
        guard signs.indices.contains(start), var end = Self.endOfFlow(signs, from: start) else {
            return false
        }
        if signs[end] == "," {
            end += 1
            while end < signs.count, signs[end] == " " { end += 1 }
        } else {
            var before = start - 1
            while before >= 0, signs[before].properties.isWhitespace { before -= 1 }
            guard before >= 0, signs[before] == "," else { return false }
            while before > 0, signs[before - 1].properties.isWhitespace { before -= 1 }
            start = before
            while end > start, signs[end - 1].properties.isWhitespace { end -= 1 }
        }
        signs.removeSubrange(start..<end)
        var view = String.UnicodeScalarView()
        view.append(contentsOf: signs)
        self = SettingsText(String(view))
        // A line of its own goes with the item.
        if mark.line <= lines.count, lines[mark.line - 1].allSatisfy(\.properties.isWhitespace) {
            lines.remove(at: mark.line - 1)
        }
        return true
    }

    /// Where an item of a flow collection ends: at its comma, or at the bracket behind it.
    private static func endOfFlow(_ signs: [Unicode.Scalar], from start: Int) -> Int? {
        var depth = 0
        var quote: Unicode.Scalar?
        var index = start
        while index < signs.count {
            let sign = signs[index]
            if let open = quote {
                if open == "\"", sign == "\\" { index += 1 }
                if sign == open { quote = nil }
            } else {
                switch sign {
                case "\"", "'":
                    let before = index > start ? signs[index - 1] : " "
                    if index == start || " [{,:".unicodeScalars.contains(before) { quote = sign }
                case "[", "{": depth += 1
                case "]", "}":
                    if depth == 0 { return index }
                    depth -= 1
                case ",": if depth == 0 { return index }
                default: break
                }
            }
            index += 1
        }
        return nil
    }
}
