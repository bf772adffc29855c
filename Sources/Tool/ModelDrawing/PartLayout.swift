/// A part of a diagram that hangs together, laid out by itself.
struct PartLayout {
    /// A line that leaves the part at its side.
    struct Exit {
        /// The index of the line in the diagram.
        var line: Int
        /// The index of the box at which it ends here.
        var box: Int
        /// How far below the middle of the box it ends.
        var port: Double
        /// Whether it leaves to the left.
        var isLeft: Bool
    }

    /// Where the boxes stand.
    private(set) var frames: [BoxLayout.Frame] = []
    /// The corners of the lines, by their indexes in the diagram; exits are led from left to right.
    private(set) var routes: [Int: [BoxLayout.Point]] = [:]
    /// How high the lines that leave do so.
    private(set) var exitHeights: [Int: Double] = [:]
    private(set) var width = 0.0
    private(set) var height = 0.0

    private let boxCount: Int
    private var graph: LayeredGraph
    /// Where each layer begins.
    private var starts: [Double] = []
    private var widths: [Double] = []
    /// The room beside boxes in which the ends of lines say what they are.
    private let sideRoom: Double

    /// The distance of two upright pieces of lines.
    private static let trackGap = 9.0
    /// The room for the longest count beside the shape at an end.
    private static let endRoom = 44.0
    /// The room beside the side at which lines leave.
    private static let exitRoom = 6.0

    /// Lays out boxes of a diagram.
    init(_ sheet: BoxLayout.Sheet, _ boxes: [Int], lines: [Int], exits: [Exit] = []) {
        let local = Dictionary(uniqueKeysWithValues: boxes.enumerated().map { ($1, $0) })
        let sizes = boxes.map { sheet.sizes[$0] }
        let ends = lines.compactMap { number -> LineEnds? in
            let line = sheet.diagram.lines[number]
            guard let from = local[line.from], let to = local[line.to] else { return nil }
            let port = sheet.ports.heights[number]
            return LineEnds(line: number, from: from, to: to, fromPort: port.from, toPort: port.to)
        }
        let edges = ends.map { end in
            sheet.diagram.isReversed(sheet.diagram.lines[end.line])
                ? (end.to, end.from) : (end.from, end.to)
        }
        let layers = Layering(sizes: sizes, edges: edges).layers
        var exits = exits
        for index in exits.indices { exits[index].box = local[exits[index].box] ?? 0 }
        self.init(sizes: sizes, ends: ends, layers: layers, exits: exits, sideRoom: Self.endRoom)
    }

    /// Lays out boxes whose layers are known.
    init(
        sizes: [(width: Double, height: Double)],
        ends: [LineEnds],
        layers: [Int],
        exits: [Exit] = [],
        sideRoom: Double
    ) {
        boxCount = sizes.count
        self.sideRoom = sideRoom
        // Each layer that a line passes costs room and time.
        let most = max(1, 400_000 / max(1, ends.count + exits.count))
        let shift = exits.contains(where: \.isLeft) ? 1 : 0
        var layers = layers.map { $0 % most + shift }
        let last = (layers.max() ?? 0) + 1
        var ends = ends
        for (index, exit) in exits.enumerated() {
            let node = boxCount + index
            layers.append(exit.isLeft ? 0 : last)
            ends.append(
                LineEnds(
                    line: exit.line,
                    from: exit.isLeft ? node : exit.box,
                    to: exit.isLeft ? exit.box : node,
                    fromPort: exit.isLeft ? 0 : exit.port,
                    toPort: exit.isLeft ? exit.port : 0
                )
            )
        }
        let passages = exits.map { _ in (width: 0.0, height: LayeredGraph.passage) }
        graph = LayeredGraph(
            sizes: sizes + passages,
            boxCount: boxCount,
            ends: ends,
            layerOf: layers
        )
        graph.reduceCrossings()
        graph.placeNodes()
        route(ends)
        finish(exits)
    }

    /// The same part at another position.
    func moved(x: Double, y: Double) -> PartLayout {
        var part = self
        for index in frames.indices {
            part.frames[index].x += x
            part.frames[index].y += y
        }
        part.routes = routes.mapValues { $0.map { .init(x: $0.x + x, y: $0.y + y) } }
        return part
    }

    private mutating func finish(_ exits: [Exit]) {
        frames = (0..<boxCount).map(frame)
        let right = (starts.last ?? 0)
        for (index, exit) in exits.enumerated() {
            let y = graph.nodes[boxCount + index].middle
            exitHeights[exit.line] = y
            if exit.isLeft {
                routes[exit.line, default: []].insert(.init(x: 0, y: y), at: 0)
            } else {
                routes[exit.line, default: []].append(.init(x: right, y: y))
            }
        }
        let points = routes.values.joined()
        width = max(frames.map { $0.x + $0.width }.max() ?? 0, points.map(\.x).max() ?? 0)
        let heights = frames.map { $0.y + $0.height } + points.map(\.y)
        height = (heights + exitHeights.values.map { $0 + LayeredGraph.passage / 2 }).max() ?? 0
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
            let tracks = x + widths[layer] + room(beside: layer)
            addCorners(behind: layer, routing, from: tracks)
            let last = tracks + Double(max(0, routing.count - 1)) * Self.trackGap
            x = last + room(beside: layer + 1)
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

    private func room(beside layer: Int) -> Double {
        guard layer < widths.count, widths[layer] == 0 else { return sideRoom }
        return Self.exitRoom
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
        let (width, height) = (graph.nodes[node].width, graph.nodes[node].height)
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
