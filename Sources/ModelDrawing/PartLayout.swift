/// A part of a diagram that hangs together, laid out by itself.
struct PartLayout {
    /// The boxes, by their indexes in the diagram.
    private(set) var frames: [(box: Int, frame: BoxLayout.Frame)] = []
    /// The corners of the lines, by their indexes in the diagram.
    private(set) var routes: [Int: [BoxLayout.Point]] = [:]
    private(set) var width = 0.0
    private(set) var height = 0.0

    private let sizes: [(width: Double, height: Double)]
    private var graph: LayeredGraph
    /// Where each layer begins.
    private var starts: [Double] = []
    private var widths: [Double] = []

    /// The distance of two upright pieces of lines.
    private static let trackGap = 9.0
    /// The room beside boxes in which the ends of lines say what they are.
    private static let endRoom = 38.0

    init(_ diagram: Diagram, boxes: [Int], lines: [Int]) {
        let local = Dictionary(uniqueKeysWithValues: boxes.enumerated().map { ($1, $0) })
        sizes = boxes.map { BoxLayout.size(of: diagram.boxes[$0]) }
        let ends = Self.ends(of: lines, in: diagram, sizes: sizes, local)
        let edges = ends.map { end in
            diagram.isReversed(diagram.lines[end.line]) ? (end.to, end.from) : (end.from, end.to)
        }
        var layers = Layering(sizes: sizes, edges: edges).layers
        // Each layer that a line passes costs room and time.
        let most = max(1, 400_000 / max(1, ends.count))
        layers = layers.map { $0 % most }
        graph = LayeredGraph(sizes: sizes, ends: ends, layerOf: layers)
        graph.reduceCrossings()
        graph.placeNodes()
        route(ends)
        for (index, box) in boxes.enumerated() { frames.append((box, frame(of: index))) }
        let points = routes.values.joined()
        let edgesRight = frames.map { $0.frame.x + $0.frame.width } + points.map(\.x)
        let edgesDown = frames.map { $0.frame.y + $0.frame.height } + points.map(\.y)
        (width, height) = (edgesRight.max() ?? 0, edgesDown.max() ?? 0)
    }

    /// Finds the heights at which lines meet their boxes; those that meet a title share its height.
    private static func ends(
        of lines: [Int],
        in diagram: Diagram,
        sizes: [(width: Double, height: Double)],
        _ local: [Int: Int]
    ) -> [LineEnds] {
        var titles: [Int: Int] = [:]
        var taken: [Int: Int] = [:]
        let inherits = lines.map { diagram.lines[$0].kind == .inheritance }
        for (index, line) in lines.enumerated() {
            let (from, to) = diagram.rows(of: diagram.lines[line])
            if from == nil { titles[diagram.lines[line].from, default: 0] += 1 }
            // Lines to a parent come together there.
            if to == nil, !inherits[index] { titles[diagram.lines[line].to, default: 0] += 1 }
        }
        func port(_ row: Int?, _ box: Int, isShared: Bool) -> Double {
            let half = sizes[local[box] ?? 0].height / 2
            if let row { return Diagram.middle(ofRow: row) - half }
            let count = Double((titles[box] ?? 0) + 1)
            guard !isShared else { return BoxLayout.titleHeight * (count - 0.5) / count - half }
            let place = Double(taken[box, default: 0])
            taken[box, default: 0] += 1
            return BoxLayout.titleHeight * (place + 0.5) / count - half
        }
        return lines.enumerated().compactMap { index, number in
            let line = diagram.lines[number]
            guard let from = local[line.from], let to = local[line.to] else { return nil }
            let rows = diagram.rows(of: line)
            let fromPort = port(rows.from, line.from, isShared: false)
            var toPort = port(rows.to, line.to, isShared: inherits[index])
            if from == to, abs(fromPort - toPort) < 1 { toPort += 5 }
            return LineEnds(line: number, from: from, to: to, fromPort: fromPort, toPort: toPort)
        }
    }

    private mutating func route(_ ends: [LineEnds]) {
        widths = graph.layers.map { layer in layer.map { graph.nodes[$0].width }.max() ?? 0 }
        let begins = Dictionary(
            ends.map { ($0.line, $0.from) },
            uniquingKeysWith: { first, _ in first }
        )
        var x = 0.0
        for layer in graph.layers.indices {
            starts.append(x)
            let routing = GapRouting(pieces(behind: layer))
            let end = x + widths[layer]
            addCorners(behind: layer, routing, from: end + Self.endRoom)
            let room = Double(max(0, routing.count - 1)) * Self.trackGap
            x = end + 2 * Self.endRoom + room
        }
        // The layers to the right were not placed yet when lines came to them.
        for segment in graph.gaps.joined() where graph.nodes[segment.to].box != nil {
            let y = graph.nodes[segment.to].middle + segment.toPort
            routes[segment.line, default: []].append(.init(x: left(of: segment.to), y: y))
        }
        // Parts of lines are in the order of layers; a line that begins further right was led from its end.
        var firsts: [Int: Int] = [:]
        for segment in graph.gaps.joined() where firsts[segment.line] == nil {
            firsts[segment.line] = segment.from
        }
        for (line, first) in firsts where first != begins[line] { routes[line]?.reverse() }
    }

    private func pieces(behind layer: Int) -> [GapRouting.Piece] {
        graph.gaps[layer].map { segment in
            GapRouting.Piece(
                left: [graph.nodes[segment.from].middle + segment.fromPort],
                right: [graph.nodes[segment.to].middle + segment.toPort]
            )
        }
            + graph.loops[layer].map { segment in
                GapRouting.Piece(
                    left: [
                        graph.nodes[segment.from].middle + segment.fromPort,
                        graph.nodes[segment.to].middle + segment.toPort,
                    ],
                    right: []
                )
            }
    }

    private mutating func addCorners(behind layer: Int, _ routing: GapRouting, from start: Double) {
        let segments = graph.gaps[layer] + graph.loops[layer]
        for (index, segment) in segments.enumerated() {
            let isLoop = index >= graph.gaps[layer].count
            let x = start + Double(routing.tracks[index]) * Self.trackGap
            let one = graph.nodes[segment.from].middle + segment.fromPort
            let two = graph.nodes[segment.to].middle + segment.toPort
            if graph.nodes[segment.from].box != nil {
                routes[segment.line, default: []].append(.init(x: right(of: segment.from), y: one))
            }
            if isLoop || abs(one - two) >= 0.5 {
                routes[segment.line, default: []] += [.init(x: x, y: one), .init(x: x, y: two)]
            }
            if isLoop {
                routes[segment.line, default: []].append(.init(x: right(of: segment.to), y: two))
            }
        }
    }

    private func frame(of node: Int) -> BoxLayout.Frame {
        let (width, height) = sizes[node]
        return BoxLayout.Frame(
            x: left(of: node),
            y: graph.nodes[node].middle - height / 2,
            width: width,
            height: height
        )
    }

    private func left(of node: Int) -> Double {
        let layer = graph.nodes[node].layer
        return starts[layer] + (widths[layer] - graph.nodes[node].width) / 2
    }

    private func right(of node: Int) -> Double { left(of: node) + graph.nodes[node].width }
}
