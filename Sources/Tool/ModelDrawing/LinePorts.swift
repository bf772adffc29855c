/// The heights at which lines meet their boxes, from the middles of those.
struct LinePorts {
    /// The heights of the beginning and of the end of each line.
    private(set) var heights: [(from: Double, to: Double)] = []

    /// Finds the heights; lines that meet a title share its height.
    init(_ diagram: Diagram, sizes: [(width: Double, height: Double)]) {
        var titles: [Int: Int] = [:]
        var taken: [Int: Int] = [:]
        for line in diagram.lines {
            let (from, to) = diagram.rows(of: line)
            if from == nil { titles[line.from, default: 0] += 1 }
            // Lines to a parent come together there.
            if to == nil, line.kind != .inheritance { titles[line.to, default: 0] += 1 }
        }
        func port(_ row: Int?, _ box: Int, isShared: Bool) -> Double {
            let half = sizes[box].height / 2
            if let row { return Diagram.middle(ofRow: row) - half }
            let count = Double((titles[box] ?? 0) + 1)
            guard !isShared else { return BoxLayout.titleHeight * (count - 0.5) / count - half }
            let place = Double(taken[box, default: 0])
            taken[box, default: 0] += 1
            return BoxLayout.titleHeight * (place + 0.5) / count - half
        }
        for line in diagram.lines {
            let rows = diagram.rows(of: line)
            let from = port(rows.from, line.from, isShared: false)
            var to = port(rows.to, line.to, isShared: line.kind == .inheritance)
            if line.from == line.to, abs(from - to) < 1 { to += 5 }
            heights.append((from, to))
        }
    }
}
