/// Places the boxes of a diagram in columns, those that lines connect near each other.
struct BoxLayout {
    /// Where a box stands, in points from the upper left corner.
    struct Frame {
        var x: Double
        var y: Double
        var width: Double
        var height: Double
        var column: Int
    }

    static let rowHeight = 17.0
    static let titleHeight = 26.0
    static let columnGap = 96.0
    static let boxGap = 26.0
    static let margin = 24.0
    /// Longer rows are cut.
    static let rowLength = 46

    private(set) var frames: [Frame]
    private(set) var width = 0.0
    private(set) var height = 0.0

    init(_ diagram: Diagram) {
        frames = diagram.boxes.map { box in
            let lengths = box.rows.map { row in
                min(row.name.count + row.kind.count + 1, Self.rowLength) + row.mark.sign.count
            }
            let title = min(box.title.count, Self.rowLength) + box.mark.sign.count
            let longest = max(lengths.max() ?? 0, title)
            return Frame(
                x: 0,
                y: 0,
                width: max(110, Double(longest) * 7.3 + 24),
                height: Self.titleHeight + Double(box.rows.count) * Self.rowHeight + 8,
                column: 0
            )
        }
        guard !frames.isEmpty else { return }
        let neighbours = Self.neighbours(in: diagram)
        var columns = columns(of: Self.order(diagram, neighbours))
        place(columns)
        // Each sweep moves the boxes of a column towards the mean height of those they are tied to.
        for _ in 0..<6 {
            for index in columns.indices {
                let keyed = columns[index].map { box -> (key: Double, box: Int) in
                    let ends = neighbours[box].filter { frames[$0].column != index }
                    let sum = ends.reduce(0) { $0 + frames[$1].y + frames[$1].height / 2 }
                    let own = frames[box].y + frames[box].height / 2
                    return (ends.isEmpty ? own : sum / Double(ends.count), box)
                }
                columns[index] = keyed.sorted { ($0.key, $0.box) < ($1.key, $1.box) }.map(\.box)
            }
            place(columns)
        }
    }

    private static func neighbours(in diagram: Diagram) -> [[Int]] {
        var sets = Array(repeating: Set<Int>(), count: diagram.boxes.count)
        for line in diagram.lines where line.from != line.to {
            sets[line.from].insert(line.to)
            sets[line.to].insert(line.from)
        }
        return sets.map { $0.sorted() }
    }

    /// Walks from the box with the most lines to those it is tied to, and so on; lone boxes come last.
    private static func order(_ diagram: Diagram, _ neighbours: [[Int]]) -> [Int] {
        let byDegree = diagram.boxes.indices.sorted {
            (-neighbours[$0].count, diagram.boxes[$0].name, $0)
                < (-neighbours[$1].count, diagram.boxes[$1].name, $1)
        }
        var order: [Int] = []
        var seen = Array(repeating: false, count: byDegree.count)
        for start in byDegree where !seen[start] {
            seen[start] = true
            var next = order.count
            order.append(start)
            while next < order.count {
                for box in neighbours[order[next]] where !seen[box] {
                    seen[box] = true
                    order.append(box)
                }
                next += 1
            }
        }
        return order
    }

    /// Fills columns from the left, as many as make the picture about three by two.
    private func columns(of order: [Int]) -> [[Int]] {
        let total = frames.reduce(0) { $0 + $1.height + Self.boxGap }
        let meanWidth = frames.reduce(0) { $0 + $1.width } / Double(frames.count) + Self.columnGap
        let count = max(1, (total * 1.5 / meanWidth).squareRoot().rounded())
        let target = total / count
        var columns: [[Int]] = [[]]
        var filled = 0.0
        for box in order {
            let height = frames[box].height + Self.boxGap
            if filled > 0, filled + height / 2 > target {
                columns.append([])
                filled = 0
            }
            columns[columns.count - 1].append(box)
            filled += height
        }
        return columns
    }

    private mutating func place(_ columns: [[Int]]) {
        let heights = columns.map { column in
            column.reduce(-Self.boxGap) { $0 + frames[$1].height + Self.boxGap }
        }
        let tallest = heights.max() ?? 0
        var x = Self.margin
        for (index, column) in columns.enumerated() {
            var y = Self.margin + (tallest - heights[index]) / 2
            let widest = column.map { frames[$0].width }.max() ?? 0
            for box in column {
                frames[box].x = x + (widest - frames[box].width) / 2
                frames[box].y = y
                frames[box].column = index
                y += frames[box].height + Self.boxGap
            }
            x += widest + Self.columnGap
        }
        // Lines within the last column bend out to its right.
        width = x - Self.columnGap / 4
        height = tallest + 2 * Self.margin
    }
}
