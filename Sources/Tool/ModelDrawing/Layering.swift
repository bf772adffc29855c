/// Chooses the layer of each box of a connected part: what refers to many stands left of those.
///
/// Lines lead to the right, but for those that close a circle; the layers are as many as give a picture about three by
/// two, and none is much higher than the others.
struct Layering {
    private let heights: [Double]
    private let edges: [(from: Int, to: Int)]
    private let widths: [Double]

    init(sizes: [(width: Double, height: Double)], edges: [(from: Int, to: Int)]) {
        heights = sizes.map(\.height)
        widths = sizes.map(\.width)
        self.edges = edges.filter { $0.from != $0.to }
    }

    /// The layer of each box, from 0.
    var layers: [Int] {
        guard !heights.isEmpty else { return [] }
        var ranks = longestPaths(acyclic())
        tighten(&ranks)
        return balanced(ranks)
    }

    /// The edges without circles: those that lead back to where a walk came from are turned around.
    private func acyclic() -> [(from: Int, to: Int)] {
        var out: [[Int]] = Array(repeating: [], count: heights.count)
        var into = Array(repeating: 0, count: heights.count)
        for edge in edges {
            out[edge.from].append(edge.to)
            into[edge.to] += 1
        }
        let starts = heights.indices.sorted {
            (into[$0] - out[$0].count, $0) < (into[$1] - out[$1].count, $1)
        }
        var order = Array(repeating: -1, count: heights.count)
        var finished = heights.count
        var state = Array(repeating: 0, count: heights.count)
        for start in starts where state[start] == 0 {
            var stack = [(start, 0)]
            state[start] = 1
            while let (node, next) = stack.last {
                if next < out[node].count {
                    stack[stack.count - 1].1 += 1
                    let other = out[node][next]
                    if state[other] == 0 {
                        state[other] = 1
                        stack.append((other, 0))
                    }
                } else {
                    stack.removeLast()
                    finished -= 1
                    order[node] = finished
                }
            }
        }
        return edges.map { order[$0.from] < order[$0.to] ? $0 : ($0.to, $0.from) }
    }

    private func longestPaths(_ edges: [(from: Int, to: Int)]) -> [Int] {
        var out: [[Int]] = Array(repeating: [], count: heights.count)
        var waiting = Array(repeating: 0, count: heights.count)
        for edge in edges {
            out[edge.from].append(edge.to)
            waiting[edge.to] += 1
        }
        var ranks = Array(repeating: 0, count: heights.count)
        var ready = heights.indices.filter { waiting[$0] == 0 }
        while let node = ready.popLast() {
            for other in out[node] {
                ranks[other] = max(ranks[other], ranks[node] + 1)
                waiting[other] -= 1
                if waiting[other] == 0 { ready.append(other) }
            }
        }
        return ranks
    }

    /// Moves boxes to the middle of those that they are tied to, which shortens lines.
    private func tighten(_ ranks: inout [Int]) {
        var neighbours: [[Int]] = Array(repeating: [], count: heights.count)
        for edge in edges {
            neighbours[edge.from].append(edge.to)
            neighbours[edge.to].append(edge.from)
        }
        for _ in 0..<4 {
            for node in heights.indices where !neighbours[node].isEmpty {
                let sorted = neighbours[node].map { ranks[$0] }.sorted()
                let median = sorted[sorted.count / 2]
                // Beside what it is tied to, not among it: lines within a layer are the longest way round.
                let options = [median - 1, median + 1, ranks[node]].filter { $0 >= 0 }
                let cost = { (rank: Int) in
                    sorted.reduce(0) { $0 + (abs($1 - rank) == 0 ? 2 : abs($1 - rank)) }
                }
                ranks[node] = options.min { (cost($0), $0) < (cost($1), $1) } ?? ranks[node]
            }
        }
    }

    /// Cuts the boxes, in the order of their ranks, into layers of about one height.
    private func balanced(_ ranks: [Int]) -> [Int] {
        let total = heights.reduce(0) { $0 + $1 + BoxLayout.boxGap }
        let width = widths.reduce(0, +) / Double(widths.count) + 110
        let count = max(1, (total * 1.4 / width).squareRoot().rounded())
        let limit = max(total / count * 1.25, heights.max() ?? 0)
        let members = Dictionary(grouping: ranks.indices, by: { ranks[$0] })
        var result = ranks
        var layer = -1
        for rank in members.keys.sorted() {
            var filled = Double.infinity
            let members = members[rank] ?? []
            let height = members.reduce(0) { $0 + heights[$1] + BoxLayout.boxGap }
            let parts = max(1, (height / limit).rounded(.up))
            for node in members {
                if filled + heights[node] / 2 > height / parts {
                    layer += 1
                    filled = 0
                }
                result[node] = layer
                filled += heights[node] + BoxLayout.boxGap
            }
        }
        return merged(result, limit: limit)
    }

    /// Joins neighbouring layers that are low, as many small ones make a long thin picture.
    private func merged(_ layers: [Int], limit: Double) -> [Int] {
        let count = (layers.max() ?? -1) + 1
        var fill = Array(repeating: 0.0, count: count)
        for (node, layer) in layers.enumerated() { fill[layer] += heights[node] + BoxLayout.boxGap }
        var number = Array(repeating: 0, count: count)
        var current = 0
        var height = fill.first ?? 0
        for layer in 1..<max(1, count) {
            if height + fill[layer] <= limit * 0.55 {
                height += fill[layer]
            } else {
                current += 1
                height = fill[layer]
            }
            number[layer] = current
        }
        return layers.map { number[$0] }
    }
}
