/// Places the boxes of a diagram and leads its lines around them.
///
/// Each part of the diagram that hangs together is laid out in layers by itself; the parts stand in rows.
struct BoxLayout {
    /// Where a box stands, in points from the upper left corner.
    struct Frame: Hashable {
        var x: Double
        var y: Double
        var width: Double
        var height: Double
    }

    /// A corner of a line.
    struct Point: Hashable {
        var x: Double
        var y: Double
    }

    static let rowHeight = 17.0
    static let titleHeight = 26.0
    static let boxGap = 26.0
    static let margin = 24.0
    /// Longer rows are cut.
    static let rowLength = 46
    /// The room between two parts.
    static let partGap = 44.0

    private(set) var frames: [Frame]
    /// The corners of each line, from where it begins to where it ends; none of those that are not drawn.
    private(set) var routes: [[Point]]
    private(set) var width = 0.0
    private(set) var height = 0.0

    init(_ diagram: Diagram) {
        frames = diagram.boxes.map { box in
            let size = Self.size(of: box)
            return Frame(x: 0, y: 0, width: size.width, height: size.height)
        }
        routes = Array(repeating: [], count: diagram.lines.count)
        let parts = Self.parts(of: diagram).map {
            PartLayout(diagram, boxes: $0.boxes, lines: $0.lines)
        }
        // The room that all parts take, as a page of about three by two.
        let area = parts.reduce(0) {
            $0 + ($1.width + Self.partGap) * ($1.height + Self.partGap)
        }
        let wide = max(parts.map(\.width).max() ?? 0, (area * 1.5).squareRoot())
        var (x, y, rowHeight) = (Self.margin, Self.margin, 0.0)
        for part in parts {
            if x > Self.margin, x + part.width > Self.margin + wide {
                (x, y, rowHeight) = (Self.margin, y + rowHeight + Self.partGap, 0)
            }
            for (box, frame) in part.frames {
                frames[box].x = frame.x + x
                frames[box].y = frame.y + y
            }
            for (line, route) in part.routes {
                routes[line] = route.map { Point(x: $0.x + x, y: $0.y + y) }
            }
            x += part.width + Self.partGap
            rowHeight = max(rowHeight, part.height)
            width = max(width, x - Self.partGap)
            height = max(height, y + rowHeight)
        }
        width += Self.margin
        height += Self.margin
    }

    /// The boxes that lines tie together with these lines, the largest part first.
    private static func parts(of diagram: Diagram) -> [(boxes: [Int], lines: [Int])] {
        var roots = Array(diagram.boxes.indices)
        func root(_ box: Int) -> Int {
            var box = box
            while roots[box] != box {
                roots[box] = roots[roots[box]]
                box = roots[box]
            }
            return box
        }
        for line in diagram.lines { roots[root(line.from)] = root(line.to) }
        var boxes: [Int: [Int]] = [:]
        var lines: [Int: [Int]] = [:]
        for box in diagram.boxes.indices { boxes[root(box), default: []].append(box) }
        for (index, line) in diagram.lines.enumerated() {
            lines[root(line.from), default: []].append(index)
        }
        return boxes.map { ($0.value, lines[$0.key] ?? []) }.sorted {
            (-$0.boxes.count, $0.boxes[0]) < (-$1.boxes.count, $1.boxes[0])
        }
    }
}

extension BoxLayout {
    /// How large a box is drawn.
    static func size(of box: Diagram.Box) -> (width: Double, height: Double) {
        let lengths = box.rows.map { row in
            min(row.name.count + row.kind.count + 1, rowLength) + row.mark.sign.count
        }
        let title = min(box.title.count, rowLength) + box.mark.sign.count
        let longest = max(lengths.max() ?? 0, title)
        return (
            max(110, Double(longest) * 7.3 + 24),
            titleHeight + Double(box.rows.count) * rowHeight + 8
        )
    }
}

extension Diagram {
    /// How far below the top of its box the middle of a row is.
    static func middle(ofRow row: Int) -> Double {
        BoxLayout.titleHeight + 4 + (Double(row) + 0.5) * BoxLayout.rowHeight
    }

    /// The rows at which a line begins and ends; `nil` where that is the title.
    func rows(of line: Line) -> (from: Int?, to: Int?) {
        func row(_ name: String?, _ box: Int) -> Int? {
            name.flatMap { name in boxes[box].rows.firstIndex { $0.name == name } }
        }
        switch line.kind {
        case .inheritance: return (nil, nil)
        case .composite(let attribute): return (row(attribute, line.from), nil)
        case .relationship(let ties):
            return (row(ties.name, line.from), row(ties.inverse, line.to))
        }
    }

    /// Whether a line is best read from its end to its beginning: from one to many, from the parent to its children.
    func isReversed(_ line: Line) -> Bool {
        switch line.kind {
        case .inheritance: true
        case .composite: false
        case .relationship(let ties): ties.inverseCount == .many && ties.count != .many
        }
    }
}
