/// Where the counts at the ends of lines are written: beside the ends, where nothing else is drawn.
///
/// A count that has no room is left out: the shape at the end of the line says the same.
struct LineCounts {
    /// A count that is written.
    struct Text {
        /// What is written.
        var count: Diagram.Count
        /// Where it begins, or ends where it stands to the left of the end of a line.
        var x: Double
        /// The height of its baseline.
        var y: Double
        /// Whether it stands to the left of the end of a line.
        var isLeft: Bool
    }

    /// The counts of each line.
    private(set) var texts: [[Text]]

    /// The height of figures above their baseline.
    private static let height = 9.0
    private static let figureWidth = 6.7

    init(_ diagram: Diagram, _ layout: BoxLayout) {
        texts = Array(repeating: [], count: diagram.lines.count)
        var room = TakenRoom()
        for frame in layout.frames { room.take(frame) }
        for cluster in layout.clusters {
            var title = cluster.frame
            title.height = 40
            room.take(title)
        }
        for route in layout.routes {
            for (one, two) in zip(route, route.dropFirst()) { room.take(Self.stroke(one, two)) }
        }
        for (index, line) in diagram.lines.enumerated() {
            guard case .relationship(let ties) = line.kind, layout.routes[index].count > 1 else {
                continue
            }
            let (start, end) = LineEnd.ends(of: layout.routes[index])
            for (place, count) in [(start, ties.inverseCount), (end, ties.count)] {
                guard let count else { continue }
                let text = place.texts(of: count).first { room.isFree(Self.frame(of: $0)) }
                guard let text else { continue }
                room.take(Self.frame(of: text))
                texts[index].append(text)
            }
        }
    }

    private static func frame(of text: Text) -> BoxLayout.Frame {
        let width = Double(text.count.rawValue.count) * figureWidth
        return BoxLayout.Frame(
            x: text.isLeft ? text.x - width : text.x,
            y: text.y - height,
            width: width,
            height: height
        )
    }

    private static func stroke(_ one: BoxLayout.Point, _ two: BoxLayout.Point) -> BoxLayout.Frame {
        BoxLayout.Frame(
            x: min(one.x, two.x) - 1,
            y: min(one.y, two.y) - 1,
            width: abs(one.x - two.x) + 2,
            height: abs(one.y - two.y) + 2
        )
    }
}

extension LineCounts.Text {
    /// The count as SVG.
    var drawn: String {
        let anchor = isLeft ? " text-anchor=\"end\"" : ""
        return "<text x=\"\(length(x))\" y=\"\(length(y))\"\(anchor)>\(count.rawValue)</text>"
    }
}

/// The parts of a picture where something is drawn, in square cells, so that few are looked at.
private struct TakenRoom {
    private struct Cell: Hashable {
        var column: Int
        var row: Int
    }

    private var frames: [Cell: [BoxLayout.Frame]] = [:]
    private static let side = 64.0

    mutating func take(_ frame: BoxLayout.Frame) {
        for cell in Self.cells(of: frame) { frames[cell, default: []].append(frame) }
    }

    func isFree(_ frame: BoxLayout.Frame) -> Bool {
        Self.cells(of: frame).allSatisfy { cell in
            frames[cell, default: []].allSatisfy { taken in
                taken.x + taken.width <= frame.x || frame.x + frame.width <= taken.x
                    || taken.y + taken.height <= frame.y || frame.y + frame.height <= taken.y
            }
        }
    }

    private static func cells(of frame: BoxLayout.Frame) -> [Cell] {
        func range(_ start: Double, _ length: Double) -> ClosedRange<Int> {
            Int((start / side).rounded(.down))...Int(((start + length) / side).rounded(.down))
        }
        return range(frame.x, frame.width).flatMap { column in
            range(frame.y, frame.height).map { Cell(column: column, row: $0) }
        }
    }
}
