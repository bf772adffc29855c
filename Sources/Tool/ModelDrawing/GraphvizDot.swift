import Diagnostics
import XMLReading

extension Diagram {
    /// The diagram in Graphviz' DOT language.
    package var dot: String {
        var text = [
            "digraph model {", "    rankdir=LR;",
            "    node [shape=plain, fontname=\"Helvetica\", fontsize=11];",
            "    edge [fontname=\"Helvetica\", fontsize=9];",
        ]
        text += boxes.indices.map(dotBox)
        text += lines.map(dotLine)
        return (text + ["}"]).joined(separator: "\n")
    }

    private func dotBox(_ index: Int) -> String {
        let box = boxes[index]
        let title = box.isAbstract ? "<i>\(label(box.title))</i>" : label(box.title)
        let rows = box.rows.enumerated().map { number, row in
            "<tr><td align=\"left\" port=\"r\(number)\"><font color=\"\(row.mark.color)\">"
                + "\(label(row.name))  \(label(row.kind))</font></td></tr>"
        }.joined()
        return "    e\(index) [label=<<table border=\"1\" cellborder=\"0\" cellspacing=\"0\""
            + " color=\"\(box.mark.color)\"><tr><td bgcolor=\"#e8e8ed\"><b>\(title)</b>"
            + "</td></tr>\(rows)</table>>];"
    }

    private func dotLine(_ line: Line) -> String {
        let ends = "    e\(line.from) -> e\(line.to)"
        let color = "color=\"\(line.mark.color)\""
        switch line.kind {
        case .inheritance: return "\(ends) [arrowhead=empty, style=dashed, \(color)];"
        case .composite(let attribute):
            return "\(ends) [label=\"\(string(attribute))\", arrowhead=none, style=dotted,"
                + " arrowtail=odiamond, dir=back, \(color)];"
        case .relationship(let ties):
            let names = [ties.name, ties.inverse].compactMap(\.self)
            let label = names.map(string).joined(separator: " / ")
            let tail = ties.inverseCount.map { ", taillabel=\"\($0.rawValue)\"" } ?? ""
            let head = ties.inverse == nil ? "vee" : "none"
            return "\(ends) [label=\"\(label)\", headlabel=\"\(ties.count.rawValue)\"\(tail),"
                + " arrowhead=\(head), \(color)];"
        }
    }

    /// Graphviz replaces `\N` and the like in labels of both kinds.
    private func label(_ text: String) -> String { markup(plain(text, escaping: "\\")) }

    private func string(_ text: String) -> String { plain(text, escaping: "\\\"") }

    /// A text on one line, with a backslash before some characters; these are compared as scalars, as Graphviz reads
    /// bytes: a combining mark hides a quote in a character.
    private func plain(_ text: String, escaping signs: String) -> String {
        var plain = ""
        for scalar in text.escaping(\.isObeyed, as: { _ in " " }).unicodeScalars {
            if signs.unicodeScalars.contains(scalar) { plain += "\\" }
            let isBreak = scalar.properties.generalCategory == .control
            plain.unicodeScalars.append(isBreak ? " " : scalar)
        }
        return plain
    }
}

extension Diagram.Box {
    fileprivate var title: String {
        switch shape {
        case .entity: parent.map { "\(name) : \($0)" } ?? name
        case .composite: "«\(name)»"
        }
    }
}

extension Diagram.Mark {
    fileprivate var color: String {
        switch self {
        case .same: "#444444"
        case .added: "#1a7f37"
        case .removed: "#cf222e"
        case .changed: "#9a6700"
        }
    }
}
