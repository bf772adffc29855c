/// Boxes in layers from left to right, and the ways of the lines through the layers between their ends.
///
/// A line that passes a layer has a place of its own there, so that no box stands upon it: the layers of Sugiyama,
/// Tagawa and Toda, as Graphviz lays them out.
struct LayeredGraph {
    /// A box, or the place where a line passes a layer.
    struct Node {
        /// The index of the box; `nil` where a line passes.
        var box: Int?
        var width: Double
        var height: Double
        var layer: Int
        /// Where the middle stands.
        var middle = 0.0
    }

    /// A part of a line, from one layer to the next, or between two boxes of one layer around their right side.
    struct Segment {
        /// The index of the line in the diagram.
        var line: Int
        var from: Int
        var to: Int
        /// How far below the middles of its nodes it begins and ends.
        var fromPort: Double
        var toPort: Double
    }

    var nodes: [Node]
    var layers: [[Int]] = []
    /// The parts between a layer and the next one, by the first of them.
    var gaps: [[Segment]] = []
    /// The parts that stay in the gap to the right of a layer.
    var loops: [[Segment]] = []

    /// Height reserved for an edge that crosses a layer.
    static let passage = 12.0

    /// Puts boxes into layers and lines between them.
    ///
    /// - Parameters:
    ///   - sizes: the sizes of the boxes, and of the places where lines leave.
    ///   - boxCount: how many of them are boxes.
    ///   - ends: the lines that are drawn, with the boxes and the heights of their ends.
    ///   - layerOf: the layer of each box.
    init(
        sizes: [(width: Double, height: Double)],
        boxCount: Int,
        ends: [LineEnds],
        layerOf: [Int]
    ) {
        nodes = sizes.enumerated().map { index, size in
            Node(
                box: index < boxCount ? index : nil,
                width: size.width,
                height: size.height,
                layer: layerOf[index]
            )
        }
        let count = (layerOf.max() ?? -1) + 1
        layers = Array(repeating: [], count: count)
        gaps = Array(repeating: [], count: count)
        loops = Array(repeating: [], count: count)
        for index in nodes.indices { layers[layerOf[index]].append(index) }
        for end in ends { add(end) }
    }

    private mutating func add(_ end: LineEnds) {
        var (from, to) = ((end.from, end.fromPort), (end.to, end.toPort))
        if nodes[from.0].layer > nodes[to.0].layer { swap(&from, &to) }
        let (first, last) = (nodes[from.0].layer, nodes[to.0].layer)
        guard first < last else {
            loops[first].append(
                Segment(line: end.line, from: from.0, to: to.0, fromPort: from.1, toPort: to.1)
            )
            return
        }
        for layer in first..<last {
            var next = to
            if layer + 1 < last {
                let node = Node(box: nil, width: 0, height: Self.passage, layer: layer + 1)
                layers[layer + 1].append(nodes.count)
                next = (nodes.count, 0)
                nodes.append(node)
            }
            gaps[layer].append(
                Segment(line: end.line, from: from.0, to: next.0, fromPort: from.1, toPort: next.1)
            )
            from = next
        }
    }
}

/// The ends of a line.
struct LineEnds {
    /// The index of the line in the diagram.
    var line: Int
    /// The boxes.
    var from: Int
    var to: Int
    /// How far below the middles of the boxes it begins and ends.
    var fromPort: Double
    var toPort: Double
}
