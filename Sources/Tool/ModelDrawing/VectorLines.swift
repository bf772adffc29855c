import ObjectModel

extension Diagram {
    /// Draws a line along its corners, with what its ends say.
    func drawing(
        ofLine index: Int,
        _ route: [BoxLayout.Point],
        _ counts: [LineCounts.Text]
    ) -> String {
        let line = lines[index]
        guard route.count > 1 else { return "" }
        let kind =
            switch line.kind {
            case .inheritance: " inherits"
            case .composite: " composed"
            case .relationship, .bundle: ""
            }
        let title = shown(words(of: line))
        // Many lines in one are a thick one; how many, the title says.
        let style =
            if case .bundle(let count) = line.kind {
                " style=\"stroke-width: \(length(min(1 + Double(count) / 2, 5)))\""
            } else {
                ""
            }
        let way = "<path class=\"way\" d=\"\(path(route))\"\(style)/>"
        let (start, end) = LineEnd.ends(of: route)
        let signs = signs(of: line, start, end) + counts.map(\.drawn).joined()
        return "<g class=\"line c\(line.from % 6) \(line.mark.rawValue)\(kind)\">"
            + "<title>\(title)</title>\(way)\(signs)</g>"
    }

    /// What a viewer reads of a line that is pointed at.
    private func words(of line: Line) -> String {
        let (from, to) = (boxes[line.from].name, boxes[line.to].name)
        switch line.kind {
        case .inheritance: return "\(from) is a kind of \(to)"
        case .composite(let attribute): return "\(from).\(attribute) is a \(to)"
        case .bundle(let count):
            return "\(count) \(count == 1 ? "line" : "lines") between \(from) and \(to)"
        case .relationship(let ties):
            let back = ties.inverse.map { ", back by \(to).\($0)" } ?? ""
            return "\(from).\(ties.name) leads to \(ties.count.rawValue) \(to)\(back)"
        }
    }

    private func signs(of line: Line, _ start: LineEnd, _ end: LineEnd) -> String {
        switch line.kind {
        case .inheritance: return end.triangle
        case .composite: return start.diamond(from: 0, isFull: false)
        case .bundle: return ""
        case .relationship(let ties):
            let own = start.rule(ties.rule) + end.count(ties.count)
            guard let inverseCount = ties.inverseCount else { return own + end.tip }
            return own + start.count(inverseCount) + (ties.inverseRule.map(end.rule) ?? "")
        }
    }

    /// The way through the corners, rounded.
    private func path(_ route: [BoxLayout.Point]) -> String {
        var corners: [BoxLayout.Point] = []
        for point in route where corners.last != point { corners.append(point) }
        guard var last = corners.first else { return "" }
        var text = "M\(place(last))"
        for (index, corner) in corners.enumerated().dropFirst() {
            guard index + 1 < corners.count else {
                text += "L\(place(corner))"
                break
            }
            let next = corners[index + 1]
            let radius = min(6, distance(last, corner) / 2, distance(corner, next) / 2)
            text += "L\(place(point(radius, from: corner, to: last)))"
            text += "Q\(place(corner)) \(place(point(radius, from: corner, to: next)))"
            last = corner
        }
        return text
    }

    private func place(_ point: BoxLayout.Point) -> String {
        "\(length(point.x)) \(length(point.y))"
    }

    private func distance(_ one: BoxLayout.Point, _ two: BoxLayout.Point) -> Double {
        abs(one.x - two.x) + abs(one.y - two.y)
    }

    /// The point a little way along a piece that is level or upright.
    private func point(
        _ radius: Double,
        from: BoxLayout.Point,
        to: BoxLayout.Point
    ) -> BoxLayout.Point {
        let whole = max(distance(from, to), 0.001)
        return BoxLayout.Point(
            x: from.x + (to.x - from.x) * radius / whole,
            y: from.y + (to.y - from.y) * radius / whole
        )
    }
}

/// The end of a line at a box, which it meets level; lengths count from the box.
struct LineEnd {
    private let x: Double
    private let y: Double
    private let sign: Double

    init(_ point: BoxLayout.Point, towards next: BoxLayout.Point) {
        (x, y) = (point.x, point.y)
        sign = next.x < point.x ? -1 : 1
    }

    /// Both ends of a line, which has two corners at least.
    static func ends(of route: [BoxLayout.Point]) -> (start: LineEnd, end: LineEnd) {
        let last = route.count - 1
        return (
            LineEnd(route[0], towards: route[1]), LineEnd(route[last], towards: route[last - 1])
        )
    }

    private func at(_ along: Double, _ across: Double) -> String {
        "\(length(x + sign * along)) \(length(y + across))"
    }

    private func drawn(_ path: String, _ style: String = "") -> String {
        "<path class=\"way sign\(style)\" d=\"\(path)\"/>"
    }

    /// Marks the end by how many objects stand there, in the shapes of entity diagrams.
    func count(_ count: Diagram.Count) -> String {
        switch count {
        case .many: drawn("M\(at(0, -5))L\(at(10, 0))L\(at(0, 5))")
        case .exactlyOne: drawn("M\(at(6, -5))L\(at(6, 5))M\(at(9, -5))L\(at(9, 5))")
        case .one: drawn("M\(at(6, -5))L\(at(6, 5))") + circle(at: 11)
        }
    }

    /// Where how many objects stand there may be written: above the line, and else below it.
    func texts(of count: Diagram.Count) -> [LineCounts.Text] {
        [-6, 14].map { across in
            LineCounts.Text(count: count, x: x + sign * 13, y: y + across, isLeft: sign < 0)
        }
    }

    /// Marks what a deletion of the object here does to those at the other end.
    func rule(_ rule: Relationship.DeleteRule) -> String {
        switch rule {
        case .nullify: ""
        case .cascade: diamond(from: 16, isFull: true)
        case .deny: drawn("M\(at(18, -4))L\(at(26, -4))L\(at(26, 4))L\(at(18, 4))Z", " full")
        case .noAction: drawn("M\(at(18, -4))L\(at(26, 4))M\(at(18, 4))L\(at(26, -4))")
        }
    }

    func diamond(from start: Double, isFull: Bool) -> String {
        drawn(
            "M\(at(start, 0))L\(at(start + 6, -4.5))L\(at(start + 12, 0))L\(at(start + 6, 4.5))Z",
            isFull ? " full" : " hollow"
        )
    }

    /// The head that points to a parent.
    var triangle: String { drawn("M\(at(0, 0))L\(at(11, -5.5))L\(at(11, 5.5))Z", " hollow") }

    /// The head of a relationship that has no way back.
    var tip: String { drawn("M\(at(22, -4))L\(at(15, 0))L\(at(22, 4))") }

    private func circle(at along: Double) -> String {
        "<circle class=\"way sign hollow\" cx=\"\(length(x + sign * along))\" cy=\"\(length(y))\" r=\"3\"/>"
    }
}
