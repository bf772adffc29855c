import XMLReading

extension Diagram {
    /// The diagram as SVG, drawn here: light or dark as the viewer likes, without scripts and fonts.
    public var svg: String {
        let layout = BoxLayout(self)
        let (width, height) = (number(layout.width), number(layout.height))
        let head = """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width) \(height)" \
            width="\(width)" height="\(height)" role="img" aria-label="entity diagram">
            <style>
            \(svgStyle)
            </style>
            <rect class="paper" width="100%" height="100%"/>
            <defs>
            <marker id="arrow" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" \
            markerUnits="userSpaceOnUse" orient="auto-start-reverse"><path d="M0 0.5 8 4 0 7.5" class="tip"/></marker>
            <marker id="many" viewBox="0 0 12 10" refX="12" refY="5" markerWidth="12" \
            markerHeight="10" markerUnits="userSpaceOnUse" orient="auto-start-reverse">\
            <path d="M0 5 12 0.5M0 5 12 9.5M0 5 12 5" class="tip"/></marker>
            <marker id="kind" viewBox="0 0 12 12" refX="12" refY="6" markerWidth="11" \
            markerHeight="11" markerUnits="userSpaceOnUse" orient="auto"><path d="M0.5 0.5 11.5 6 0.5 11.5Z" class="head"/></marker>
            </defs>
            """
        let paths = lines.enumerated().map { path(of: $1, number: $0, layout) }
        let boxes = boxes.indices.map { drawing(of: $0, layout.frames[$0]) }
        return ([head] + paths + boxes + ["</svg>"]).joined(separator: "\n")
    }

    private func drawing(of index: Int, _ frame: BoxLayout.Frame) -> String {
        let box = boxes[index]
        let (x, y) = (number(frame.x), number(frame.y))
        let (width, height) = (number(frame.width), number(frame.height))
        let title = number(BoxLayout.titleHeight)
        var text = [
            "<g class=\"box \(box.mark.rawValue)\" transform=\"translate(\(x) \(y))\">",
            "<title>\(markup(box.name))</title>",
            "<rect class=\"frame\" width=\"\(width)\" height=\"\(height)\" rx=\"6\"/>",
            "<path class=\"rule\" d=\"M0 \(title)H\(width)\"/>",
            "<text class=\"title\(box.isAbstract ? " abstract" : "")\" x=\"10\" y=\"17\">"
                + "\(box.mark.sign)\(markup(cut(box.title, to: BoxLayout.rowLength)))</text>",
        ]
        for (number, row) in box.rows.enumerated() {
            let y = self.number(rowMiddle(number) + 4)
            let kind = cut(row.kind, to: max(6, BoxLayout.rowLength - row.name.count - 2))
            let name = cut(row.name, to: BoxLayout.rowLength - 8)
            text.append(
                "<text class=\"row \(row.mark.rawValue)\" x=\"10\" y=\"\(y)\">\(row.mark.sign)"
                    + "\(markup(name))<tspan class=\"kind\" dx=\"7\">\(markup(kind))</tspan></text>"
            )
        }
        return (text + ["</g>"]).joined(separator: "\n")
    }

    private func rowMiddle(_ row: Int) -> Double {
        BoxLayout.titleHeight + 4 + (Double(row) + 0.5) * BoxLayout.rowHeight
    }

    private func path(of line: Line, number index: Int, _ layout: BoxLayout) -> String {
        let (from, to) = (layout.frames[line.from], layout.frames[line.to])
        let (startRow, endRow, style) = ends(of: line)
        let startY = from.y + (startRow.map(rowMiddle) ?? BoxLayout.titleHeight / 2)
        let endY = to.y + (endRow.map(rowMiddle) ?? BoxLayout.titleHeight / 2)
        // Boxes of one column are tied around their right side, others side to side.
        let isBeside = from.column == to.column
        let goesRight = isBeside || from.x < to.x
        let startX = goesRight ? from.x + from.width : from.x
        let endX = goesRight == isBeside ? to.x + to.width : to.x
        let reach =
            isBeside
            ? 34 + Double(index % 5) * 8 : max(40, abs(endX - startX) / 2)
        let first = startX + (goesRight ? reach : -reach)
        let second = isBeside ? max(startX, endX) + reach : endX + (goesRight ? -reach : reach)
        let bend = isBeside ? max(first, second) : first
        return "<path class=\"line c\(line.from % 6) \(line.mark.rawValue)\(style)"
            + " d=\"M\(number(startX)) \(number(startY))C\(number(bend)) \(number(startY))"
            + " \(number(isBeside ? bend : second)) \(number(endY)) \(number(endX)) \(number(endY))\"/>"
    }

    /// The rows at which a line begins and ends, and the rest of its class attribute with its tips.
    private func ends(of line: Line) -> (start: Int?, end: Int?, style: String) {
        switch line.kind {
        case .inheritance: return (nil, nil, " inherits\" marker-end=\"url(#kind)\"")
        case .relationship(let name, let inverse, let count, let inverseCount):
            let start = boxes[line.from].rows.firstIndex { $0.name == name }
            let end = inverse.flatMap { name in
                boxes[line.to].rows.firstIndex { $0.name == name }
            }
            let head = count == .many ? "many" : "arrow"
            let tail =
                inverseCount == .many
                ? " marker-start=\"url(#many)\""
                : inverseCount == nil ? "" : " marker-start=\"url(#arrow)\""
            return (start, end, "\" marker-end=\"url(#\(head))\"\(tail)")
        }
    }

    private func cut(_ text: String, to length: Int) -> String {
        text.count > length ? text.prefix(max(1, length - 1)) + "…" : text
    }

    /// A length to a tenth of a point, the same on every machine.
    private func number(_ value: Double) -> String {
        let tenths = Int((value * 10).rounded())
        return tenths % 10 == 0 ? "\(tenths / 10)" : "\(Double(tenths) / 10)"
    }
}

extension Diagram.Mark {
    /// Colour alone tells nothing to those who do not see it.
    var sign: String {
        switch self {
        case .same: ""
        case .added: "+ "
        case .removed: "− "
        case .changed: "~ "
        }
    }
}

extension Diagram.Box {
    /// The name, and that of the parent.
    var title: String { parent.map { "\(name) : \($0)" } ?? name }
}

private let svgStyle = """
    svg { --ink: #1d1d1f; --paper: #fff; --box: #f5f5f7; --rule: #c7c7cc; --faint: #6e6e73;
      --added: #1a7f37; --removed: #cf222e; --changed: #9a6700;
      font: 12px ui-monospace, "DejaVu Sans Mono", monospace; }
    @media (prefers-color-scheme: dark) { svg { --ink: #f5f5f7; --paper: #161618; --box: #232326;
      --rule: #48484a; --faint: #98989d; --added: #3fb950; --removed: #ff6b62; --changed: #e3b341; } }
    .paper { fill: var(--paper); }
    .frame { fill: var(--box); stroke: var(--rule); }
    .rule { stroke: var(--rule); fill: none; }
    .box text { fill: var(--ink); } .box .kind { fill: var(--faint); }
    .title { font-weight: 700; } .abstract { font-style: italic; }
    .box.added .frame { stroke: var(--added); stroke-width: 2; }
    .box.removed .frame { stroke: var(--removed); stroke-width: 2; stroke-dasharray: 5 3; }
    .box.changed .frame { stroke: var(--changed); stroke-width: 2; }
    .box text.added, .box.added .title { fill: var(--added); }
    .box text.removed, .box.removed .title { fill: var(--removed); text-decoration: line-through; }
    .box text.changed, .box.changed .title { fill: var(--changed); }
    .line { fill: none; stroke-width: 1.3; opacity: .75; } .line:hover { stroke-width: 3; opacity: 1; }
    .inherits { stroke-dasharray: 5 3; }
    .tip { fill: none; stroke: context-stroke; } .head { fill: var(--paper); stroke: context-stroke; }
    .c0 { stroke: #5b7fb5; } .c1 { stroke: #b0704f; } .c2 { stroke: #5f9468; }
    .c3 { stroke: #9270b3; } .c4 { stroke: #b3608a; } .c5 { stroke: #4d98a0; }
    .line.added { stroke: var(--added); stroke-width: 2; }
    .line.removed { stroke: var(--removed); stroke-width: 2; stroke-dasharray: 5 3; }
    .line.changed { stroke: var(--changed); stroke-width: 2; }
    """
