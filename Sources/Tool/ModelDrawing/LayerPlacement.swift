extension LayeredGraph {
    /// Sets the heights at which nodes stand: near what they are tied to, in their order, without touching.
    mutating func placeNodes() {
        for layer in layers {
            var y = 0.0
            for (place, node) in layer.enumerated() {
                if place > 0 { y += distance(layer[place - 1], node) }
                nodes[node].middle = y
            }
        }
        var pulls: [[(node: Int, shift: Double)]] = Array(repeating: [], count: nodes.count)
        for segment in gaps.joined() {
            let shift = segment.fromPort - segment.toPort
            pulls[segment.to].append((segment.from, shift))
            pulls[segment.from].append((segment.to, -shift))
        }
        let rounds = nodes.count > 20_000 ? 2 : 12
        for round in 0..<rounds {
            for layer in round % 2 == 0 ? layers : layers.reversed() { settle(layer, pulls) }
        }
        let top = nodes.map { $0.middle - $0.height / 2 }.min() ?? 0
        for index in nodes.indices { nodes[index].middle -= top }
    }

    /// Finds the positions nearest to where the nodes of a layer are pulled, by joining those that would collide.
    private mutating func settle(
        _ layer: [Int],
        _ pulls: [[(node: Int, shift: Double)]]
    ) {
        var offset = 0.0
        var offsets: [Double] = []
        var blocks: [(sum: Double, weight: Double, count: Int)] = []
        for (place, node) in layer.enumerated() {
            if place > 0 { offset += distance(layer[place - 1], node) }
            offsets.append(offset)
            let wished = pulls[node].map { nodes[$0.node].middle + $0.shift }.sorted()
            let middle =
                wished.isEmpty
                ? nodes[node].middle
                : (wished[(wished.count - 1) / 2] + wished[wished.count / 2]) / 2
            // Bends of passing lines are seen most.
            let weight = wished.isEmpty ? 0.1 : nodes[node].box == nil ? 4.0 : 1.0
            blocks.append(((middle - offset) * weight, weight, 1))
            while blocks.count > 1 {
                let (last, before) = (blocks[blocks.count - 1], blocks[blocks.count - 2])
                guard before.sum / before.weight > last.sum / last.weight else { break }
                blocks.removeLast()
                blocks[blocks.count - 1] = (
                    before.sum + last.sum, before.weight + last.weight, before.count + last.count
                )
            }
        }
        var place = 0
        for block in blocks {
            for _ in 0..<block.count {
                nodes[layer[place]].middle = block.sum / block.weight + offsets[place]
                place += 1
            }
        }
    }

    /// The least distance of the middles of two neighbours of a layer.
    private func distance(_ above: Int, _ below: Int) -> Double {
        let halves = (nodes[above].height + nodes[below].height) / 2
        let boxes = (nodes[above].box == nil ? 0 : 1) + (nodes[below].box == nil ? 0 : 1)
        return halves + [0, 8, BoxLayout.boxGap][boxes]
    }
}
