/// Clusters that hang together, each laid out by itself, in layers of which each cluster is one box.
///
/// A line between two clusters leaves the one and enters the other at its border, beside all of its boxes; between
/// them it goes around all others.
struct ClusterLayout {
    private(set) var part = PlacedPart()

    private let sheet: BoxLayout.Sheet
    private let owner: [Int: Int]
    private var inner: [PartLayout] = []
    private var sizes: [(width: Double, height: Double)] = []
    private let clusters: [(number: Int, cluster: Diagram.Cluster)]

    private static let titleRoom = 46.0
    private static let padding = 14.0
    /// The room beside the borders of clusters.
    private static let sideRoom = 14.0

    init(
        _ sheet: BoxLayout.Sheet,
        clusters: [(number: Int, cluster: Diagram.Cluster)],
        lines: [Int]
    ) {
        self.sheet = sheet
        self.clusters = clusters
        owner = Dictionary(
            uniqueKeysWithValues: clusters.enumerated().flatMap { index, item in
                item.cluster.boxes.map { ($0, index) }
            }
        )
        var own: [[Int]] = Array(repeating: [], count: clusters.count)
        var between: [(line: Int, from: Int, to: Int)] = []
        for number in lines {
            let line = sheet.diagram.lines[number]
            guard let from = owner[line.from], let to = owner[line.to] else { continue }
            if from == to { own[from].append(number) } else { between.append((number, from, to)) }
        }
        let drafts = clusters.indices.map { index in
            size(of: index, PartLayout(sheet, clusters[index].cluster.boxes, lines: own[index]))
        }
        let edges = between.map { item in
            sheet.diagram.isReversed(sheet.diagram.lines[item.line])
                ? (item.to, item.from) : (item.from, item.to)
        }
        let layers = Layering(sizes: drafts, edges: edges).layers
        let exits = exits(of: between, layers)
        inner = clusters.indices.map { index in
            PartLayout(
                sheet,
                clusters[index].cluster.boxes,
                lines: own[index],
                exits: exits[index]
            )
        }
        sizes = clusters.indices.map { size(of: $0, inner[$0]) }
        place(between, layers)
    }

    private func size(of index: Int, _ layout: PartLayout) -> (width: Double, height: Double) {
        guard let title = clusters[index].cluster.title else {
            return (layout.width, layout.height)
        }
        let least = Double(min(title.count, BoxLayout.rowLength)) * 16 + 2 * Self.padding
        return (
            max(least, layout.width + 2 * Self.padding),
            layout.height + Self.titleRoom + Self.padding
        )
    }

    /// Where the boxes of a cluster begin in it.
    private func origin(of index: Int) -> BoxLayout.Point {
        guard clusters[index].cluster.title != nil else { return .init(x: 0, y: 0) }
        return .init(x: (sizes[index].width - inner[index].width) / 2, y: Self.titleRoom)
    }

    /// The lines that leave each cluster, to the side on which the other cluster stands.
    private func exits(
        of between: [(line: Int, from: Int, to: Int)],
        _ layers: [Int]
    ) -> [[PartLayout.Exit]] {
        var exits: [[PartLayout.Exit]] = Array(repeating: [], count: clusters.count)
        for item in between {
            let line = sheet.diagram.lines[item.line]
            let port = sheet.ports.heights[item.line]
            for (own, other, box, height) in [
                (item.from, item.to, line.from, port.from),
                (item.to, item.from, line.to, port.to),
            ] {
                exits[own].append(
                    PartLayout.Exit(
                        line: item.line,
                        box: box,
                        port: height,
                        isLeft: layers[own] > layers[other]
                    )
                )
            }
        }
        return exits
    }

    private mutating func place(_ between: [(line: Int, from: Int, to: Int)], _ layers: [Int]) {
        func port(_ line: Int, _ index: Int) -> Double {
            let height = inner[index].exitHeights[line] ?? 0
            return origin(of: index).y + height - sizes[index].height / 2
        }
        let ends = between.map { item in
            LineEnds(
                line: item.line,
                from: item.from,
                to: item.to,
                fromPort: port(item.line, item.from),
                toPort: port(item.line, item.to)
            )
        }
        let outer = PartLayout(sizes: sizes, ends: ends, layers: layers, sideRoom: Self.sideRoom)
        (part.width, part.height) = (outer.width, outer.height)
        var routes: [[Int: [BoxLayout.Point]]] = []
        for (index, frame) in outer.frames.enumerated() {
            let origin = origin(of: index)
            let moved = inner[index].moved(x: frame.x + origin.x, y: frame.y + origin.y)
            for (box, frame) in zip(clusters[index].cluster.boxes, moved.frames) {
                part.frames.append((box, frame))
            }
            routes.append(moved.routes)
            if clusters[index].cluster.title != nil {
                part.clusters.append((clusters[index].number, frame))
            }
        }
        for own in routes { part.routes.merge(own) { first, _ in first } }
        for item in between {
            let isLeftward = layers[item.from] > layers[item.to]
            let isRightward = layers[item.from] < layers[item.to]
            let first = routes[item.from][item.line] ?? []
            let last = routes[item.to][item.line] ?? []
            // To the left of its cluster a line is led from the border to the box, to the right the other way.
            part.routes[item.line] =
                (isLeftward ? first.reversed() : first) + (outer.routes[item.line] ?? [])
                + (isRightward ? last : last.reversed())
        }
    }
}
