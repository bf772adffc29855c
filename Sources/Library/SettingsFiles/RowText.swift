import YAMLReading

/// Rows, or values of one, from a YAML file, as JSON.
///
/// Every value keeps its line, and the first one of a line its column, so that faults are reported there.
package struct RowText: Sendable, Hashable {
    package var path: String
    package var json: String

    package init(path: String, json: String) { (self.path, self.json) = (path, json) }
}

extension RowText {
    /// Collects the rows of entities: lists of them, or a single one.
    init(rows node: YAMLNode, path: String) {
        var writing = JSONWriting()
        writing.write(rows: node)
        self.init(path: path, json: writing.text)
    }

    init(_ node: YAMLNode, path: String) {
        var writing = JSONWriting()
        writing.write(node)
        self.init(path: path, json: writing.text)
    }
}

/// Writes nodes as JSON, each at its own line.
private struct JSONWriting {
    private(set) var text = ""
    private var line = 1

    mutating func write(rows node: YAMLNode) {
        guard let mapping = node.mapping else { return write(node) }
        write(mapping.map { ($0.key, $0.value) }) { writing, rows in
            guard rows.mapping != nil else { return writing.write(rows) }
            writing.text += "["
            writing.write(rows)
            writing.text += "]"
        }
    }

    mutating func write(_ node: YAMLNode) {
        // A list or mapping without brackets begins where its first item does.
        let inner = node.sequence?.first?.mark ?? node.mapping?.first?.key.mark
        go(to: node.mark, isOpen: inner == node.mark)
        switch node {
        case .scalar(let scalar): write(scalar)
        case .sequence(let nodes, _):
            text += "["
            for (place, node) in nodes.enumerated() {
                if place > 0 { text += ", " }
                write(node)
            }
            text += "]"
        case .mapping(let mapping, _): write(mapping.map { ($0.key, $0.value) }) { $0.write($1) }
        }
    }

    private mutating func write(
        _ entries: [(key: YAMLNode, value: YAMLNode)],
        _ write: (inout JSONWriting, YAMLNode) -> Void
    ) {
        text += "{"
        for (place, entry) in entries.enumerated() {
            if place > 0 { text += ", " }
            go(to: entry.key.mark)
            quote(entry.key.string ?? "")
            text += ": "
            write(&self, entry.value)
        }
        text += "}"
    }

    private mutating func go(to mark: YAMLNode.Mark, isOpen: Bool = false) {
        guard mark.line > line else { return }
        text += String(repeating: "\n", count: mark.line - line)
        text += String(repeating: " ", count: max(0, mark.column - (isOpen ? 2 : 1)))
        line = mark.line
    }

    /// A plain scalar has its JSON meaning, or is a text, such as `no` and `2024-01-31`.
    private mutating func write(_ scalar: YAMLNode.Scalar) {
        let word = scalar.string
        guard scalar.isPlain else { return quote(word) }
        switch word {
        case "", "~", "null": text += "null"
        case "true", "false": text += word
        default:
            let isNumber = word.wholeMatch(
                of: /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?/
            )
            if isNumber != nil { text += word } else { quote(word) }
        }
    }

    private mutating func quote(_ string: String) {
        text += "\""
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\"", "\\": text += "\\\(scalar)"
            case "\u{0}"..."\u{1F}":
                let digits = String(scalar.value, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: text.unicodeScalars.append(scalar)
            }
        }
        text += "\""
    }
}
