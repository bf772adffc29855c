import XMLReading

extension Diagram {
    /// The diagram in Graphviz' DOT language.
    package var dot: String {
        var text = [
            "digraph model {", "    rankdir=LR;",
            "    node [shape=plain, fontname=\"Helvetica\", fontsize=11];",
            "    edge [fontname=\"Helvetica\", fontsize=9];",
        ]
        for (index, box) in boxes.enumerated() {
            let title = box.isAbstract ? "<i>\(markup(box.title))</i>" : markup(box.title)
            let rows = box.rows.enumerated().map { number, row in
                "<tr><td align=\"left\" port=\"r\(number)\"><font color=\"\(row.mark.color)\">"
                    + "\(markup(row.name))  \(markup(row.kind))</font></td></tr>"
            }.joined()
            text.append(
                "    e\(index) [label=<<table border=\"1\" cellborder=\"0\" cellspacing=\"0\""
                    + " color=\"\(box.mark.color)\"><tr><td bgcolor=\"#e8e8ed\"><b>\(title)</b>"
                    + "</td></tr>\(rows)</table>>];"
            )
        }
        text += lines.map { line in
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
        return (text + ["}"]).joined(separator: "\n")
    }

    private func string(_ text: String) -> String {
        String(
            text.flatMap { $0 == "\"" || $0 == "\\" ? ["\\", $0] : $0.isNewline ? [" "] : [$0] }
        )
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
