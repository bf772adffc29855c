import Diagnostics
import XMLReading

extension Diagram {
    /// The diagram as SVG, drawn here: light or dark as the viewer likes, without scripts and fonts.
    package var svg: String { svg(as: nil) { _ in nil } }

    /// The diagram as SVG in a page beside others.
    ///
    /// - Parameters:
    ///   - name: what its boxes are called in their anchors, and the class of the whole; `nil` for a picture that stands
    ///     alone.
    ///   - link: where a click on the box at an index leads; `nil` for nowhere.
    /// - Returns: the picture.
    package func svg(as name: String?, linking link: (Int) -> String?) -> String {
        let layout = BoxLayout(self)
        let legend = Legend(self)
        let top = title == nil ? 0 : Self.titleRoom
        let width = max(layout.width, legend.width + 2 * BoxLayout.margin)
        let height = top + layout.height + legend.height
        let size = (length(width), length(height))
        let head = """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(size.0) \(size.1)" \
            width="\(size.0)" height="\(size.1)"\(name.map { " class=\"\($0)\"" } ?? "") role="img" aria-label="entity diagram">
            <style>
            \(svgStyle)
            </style>
            <rect class="paper" width="100%" height="100%"/>
            """
        let heading = title.map { title in
            "<text class=\"name\" x=\"\(length(BoxLayout.margin))\" y=\"30\">\(shown(title))</text>"
        }
        let group = "<g class=\"diagram\" transform=\"translate(0 \(length(top)))\">"
        let counts = LineCounts(self, layout)
        let paths = lines.indices.map { drawing(ofLine: $0, layout.routes[$0], counts.texts[$0]) }
        let boxes = boxes.indices.map { index in
            drawing(of: index, layout.frames[index], "\(name ?? "box")-\(index)", link(index))
        }
        let clusters = layout.clusters.map { drawing(ofCluster: $0.number, $0.title, $0.frame) }
        let foot = legend.drawing(at: (BoxLayout.margin, top + layout.height))
        return
            ([head] + [heading].compactMap(\.self) + [group] + clusters + paths + boxes + [
                "</g>", foot, "</svg>",
            ])
            .joined(separator: "\n")
    }

    /// The mark in a page by which a box is linked to.
    package func anchor(ofBox name: String) -> String? {
        boxes.firstIndex { $0.name == name && $0.shape == .entity }.map { "box-\($0)" }
    }

    private static let titleRoom = 26.0

    private func drawing(
        ofCluster number: Int,
        _ title: String,
        _ frame: BoxLayout.Frame
    ) -> String {
        let (width, height) = (length(frame.width), length(frame.height))
        return
            "<g class=\"cluster\" id=\"cluster-\(number)\" transform=\"translate(\(length(frame.x)) \(length(frame.y)))\">"
            + "<rect width=\"\(width)\" height=\"\(height)\" rx=\"12\"/>"
            + "<text x=\"14\" y=\"32\">\(shown(cut(title, to: BoxLayout.rowLength)))</text></g>"
    }

    private func drawing(
        of index: Int,
        _ frame: BoxLayout.Frame,
        _ anchor: String,
        _ link: String?
    ) -> String {
        let box = boxes[index]
        let (width, height) = (length(frame.width), length(frame.height))
        let rule = length(BoxLayout.titleHeight)
        let shape = box.shape == .composite ? " composite" : ""
        let place = "transform=\"translate(\(length(frame.x)) \(length(frame.y)))\""
        var text = [
            "<g class=\"box \(box.mark.rawValue)\(shape)\" id=\"\(anchor)\" \(place)>"
                + (link.map { "<a href=\"\(markup($0))\">" } ?? ""),
            "<title>\(shown(box.name))</title>",
            "<rect class=\"frame\" width=\"\(width)\" height=\"\(height)\""
                + " rx=\"\(box.shape == .composite ? 13 : 6)\"/>",
            "<path class=\"rule\" d=\"M0 \(rule)H\(width)\"/>",
            "<text class=\"title\(box.isAbstract ? " abstract" : "")\" x=\"10\" y=\"17\">"
                + "\(box.mark.sign)\(shown(cut(box.title, to: BoxLayout.rowLength)))</text>",
        ]
        for (number, row) in box.rows.enumerated() {
            let y = length(Self.middle(ofRow: number) + 4)
            let kind = cut(row.kind, to: max(6, BoxLayout.rowLength - row.name.count - 2))
            let name = cut(row.name, to: BoxLayout.rowLength - (row.kind.isEmpty ? 0 : 8))
            text.append(
                "<text class=\"row \(row.mark.rawValue)\" x=\"10\" y=\"\(y)\">\(row.mark.sign)"
                    + "\(shown(name))<tspan class=\"kind\" dx=\"7\">\(shown(kind))</tspan></text>"
            )
        }
        return (text + [link == nil ? "</g>" : "</a></g>"]).joined(separator: "\n")
    }

    private func cut(_ text: String, to length: Int) -> String {
        text.count > length ? text.prefix(max(1, length - 1)) + "…" : text
    }
}

/// A length to a tenth of a point, the same on every machine.
func length(_ value: Double) -> String {
    let tenths = Int((value * 10).rounded())
    return tenths % 10 == 0 ? "\(tenths / 10)" : "\(Double(tenths) / 10)"
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
    var title: String {
        switch shape {
        case .entity: parent.map { "\(name) : \($0)" } ?? name
        case .composite: "«\(name)»"
        }
    }
}

/// A text as markup on one line: names come from files, and a line of a log must not begin with what they say.
package func shown(_ text: String) -> String { markup(text.onOneLine) }
