extension LayeredGraph {
    /// Puts the nodes of each layer in an order in which few lines cross.
    ///
    /// Each sweep sorts a layer by the mean position of what it is tied to in the layer before; the best order is kept.
    mutating func reduceCrossings() {
        var places = Array(repeating: 0, count: nodes.count)
        for layer in layers { for (place, node) in layer.enumerated() { places[node] = place } }
        let ties = Ties(self)
        var best = (layers: layers, crossings: crossings)
        // Large graphs get fewer rounds: each is as long as the lines are many.
        let rounds = max(2, min(24, 400_000 / max(1, nodes.count)))
        for round in 0..<rounds where best.crossings > 0 {
            let isForward = round % 2 == 0
            let order = isForward ? Array(layers.indices) : layers.indices.reversed()
            for layer in order {
                sort(layer, by: isForward ? ties.before : ties.after, beside: ties.beside, &places)
            }
            let found = crossings
            if found < best.crossings { best = (layers, found) }
        }
        layers = best.layers
    }

    private mutating func sort(
        _ layer: Int,
        by ties: [[Ties.Tie]],
        beside: [[Int]],
        _ places: inout [Int]
    ) {
        let keyed = layers[layer].map { node -> (key: Double, place: Int, node: Int) in
            let own = Double(places[node])
            let ends = ties[node].map { Double(places[$0.node]) + $0.share }
            var sum = ends.reduce(0, +)
            var weight = Double(ends.count)
            // Boxes that a line ties to another of their layer are drawn near it, as far as nothing else pulls them.
            for other in beside[node] {
                sum += Double(places[other]) * 0.3
                weight += 0.3
            }
            return (weight > 0 ? sum / weight : own, places[node], node)
        }
        layers[layer] = keyed.sorted { ($0.key, $0.place) < ($1.key, $1.place) }.map(\.node)
        for (place, node) in layers[layer].enumerated() { places[node] = place }
    }

    /// How many lines cross between the layers.
    var crossings: Int {
        var places = Array(repeating: 0, count: nodes.count)
        for layer in layers { for (place, node) in layer.enumerated() { places[node] = place } }
        return gaps.reduce(0) { sum, gap in
            let ends = gap.map { segment in
                (
                    Double(places[segment.from]) + share(segment.fromPort, of: segment.from),
                    Double(places[segment.to]) + share(segment.toPort, of: segment.to)
                )
            }
            return sum + inversions(ends.sorted { $0 < $1 }.map(\.1))
        }
    }

    /// Where a port is within its node, from -0.5 to 0.5.
    fileprivate func share(_ port: Double, of node: Int) -> Double {
        port / max(1, nodes[node].height) * 0.98
    }
}

/// What each node is tied to.
private struct Ties {
    struct Tie {
        var node: Int
        /// Where in the other node the line ends, as a part of its height.
        var share: Double
    }

    private(set) var before: [[Tie]]
    private(set) var after: [[Tie]]
    private(set) var beside: [[Int]]

    init(_ graph: LayeredGraph) {
        before = Array(repeating: [], count: graph.nodes.count)
        after = before
        beside = Array(repeating: [], count: graph.nodes.count)
        for segment in graph.gaps.joined() {
            let from = Tie(
                node: segment.from,
                share: graph.share(segment.fromPort, of: segment.from)
            )
            let to = Tie(node: segment.to, share: graph.share(segment.toPort, of: segment.to))
            before[segment.to].append(from)
            after[segment.from].append(to)
        }
        for segment in graph.loops.joined() where segment.from != segment.to {
            beside[segment.from].append(segment.to)
            beside[segment.to].append(segment.from)
        }
    }
}

/// Counts the pairs that are in the wrong order, by sorting and counting what each step passes.
private func inversions(_ values: [Double]) -> Int {
    var values = values
    var count = 0
    var width = 1
    while width < values.count {
        var sorted: [Double] = []
        sorted.reserveCapacity(values.count)
        for start in stride(from: 0, to: values.count, by: 2 * width) {
            let (middle, end) = (
                min(start + width, values.count), min(start + 2 * width, values.count)
            )
            var (left, right) = (start, middle)
            while left < middle || right < end {
                if right == end || left < middle && values[left] <= values[right] {
                    sorted.append(values[left])
                    left += 1
                } else {
                    sorted.append(values[right])
                    count += middle - left
                    right += 1
                }
            }
        }
        values = sorted
        width *= 2
    }
    return count
}
