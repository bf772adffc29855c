/// Places the boxes of a diagram and leads its lines around them.
///
/// Each part of the diagram that hangs together is laid out in layers by itself; the parts stand in rows.
struct BoxLayout {
    /// Where a box stands, in points from the upper left corner.
    struct Frame: Hashable {
        var x: Double
        var y: Double
        var width: Double
        var height: Double
    }

    /// A corner of a line.
    struct Point: Hashable {
        var x: Double
        var y: Double
    }

    static let rowHeight = 17.0
    static let titleHeight = 26.0
    static let boxGap = 26.0
    static let margin = 24.0
    /// Longer rows are cut.
    static let rowLength = 46
    /// The room between two parts.
    static let partGap = 44.0

    private(set) var frames: [Frame]
    /// The corners of each line, from where it begins to where it ends; none of those that are not drawn.
    private(set) var routes: [[Point]]
    /// The frames of clusters with what stands above them.
    private(set) var clusters: [(number: Int, title: String, frame: Frame)] = []
    private(set) var width = 0.0
    private(set) var height = 0.0

    init(_ diagram: Diagram) {
        let sheet = Sheet(diagram)
        frames = sheet.sizes.map { Frame(x: 0, y: 0, width: $0.width, height: $0.height) }
        routes = Array(repeating: [], count: diagram.lines.count)
        let groups = diagram.clusters
        let parts = groups.isEmpty ? Self.parts(of: sheet) : Self.parts(of: sheet, groups)
        // The room that all parts take, as a page of about three by two.
        let area = parts.reduce(0) {
            $0 + ($1.width + Self.partGap) * ($1.height + Self.partGap)
        }
        let wide = max(parts.map(\.width).max() ?? 0, (area * 1.5).squareRoot())
        var (x, y, rowHeight) = (Self.margin, Self.margin, 0.0)
        for part in parts {
            if x > Self.margin, x + part.width > Self.margin + wide {
                (x, y, rowHeight) = (Self.margin, y + rowHeight + Self.partGap, 0)
            }
            for (box, frame) in part.frames { frames[box] = frame.moved(x, y) }
            for (line, route) in part.routes {
                routes[line] = route.map { Point(x: $0.x + x, y: $0.y + y) }
            }
            clusters += part.clusters.map {
                ($0.number, groups[$0.number].title ?? "", $0.frame.moved(x, y))
            }
            x += part.width + Self.partGap
            rowHeight = max(rowHeight, part.height)
            width = max(width, x - Self.partGap)
            height = max(height, y + rowHeight)
        }
        width += Self.margin
        height += Self.margin
    }

    /// Lays out the boxes that lines tie together with these lines, the largest part first.
    private static func parts(of sheet: Sheet) -> [PlacedPart] {
        let diagram = sheet.diagram
        let links = diagram.lines.map { ($0.from, $0.to) }
        return connected(diagram.boxes.count, links).map { boxes, lines in
            let layout = PartLayout(sheet, boxes, lines: lines)
            var part = PlacedPart(width: layout.width, height: layout.height)
            part.frames = zip(boxes, layout.frames).map { ($0, $1) }
            part.routes = layout.routes
            return part
        }
    }

    /// Lays out the clusters that lines tie together with these lines, the largest part first.
    private static func parts(of sheet: Sheet, _ clusters: [Diagram.Cluster]) -> [PlacedPart] {
        let owner = Dictionary(
            clusters.enumerated().flatMap { index, cluster in cluster.boxes.map { ($0, index) } },
            uniquingKeysWith: { first, _ in first }
        )
        let links = sheet.diagram.lines.map { (owner[$0.from] ?? 0, owner[$0.to] ?? 0) }
        return connected(clusters.count, links).map { members, lines in
            let members = members.map { (number: $0, cluster: clusters[$0]) }
            return ClusterLayout(sheet, clusters: members, lines: lines).part
        }
    }

    /// What hangs together by links, with the indexes of those, the largest part first.
    private static func connected(
        _ count: Int,
        _ links: [(Int, Int)]
    ) -> [(members: [Int], links: [Int])] {
        var roots = Array(0..<count)
        func root(_ member: Int) -> Int {
            var member = member
            while roots[member] != member {
                roots[member] = roots[roots[member]]
                member = roots[member]
            }
            return member
        }
        for (one, two) in links { roots[root(one)] = root(two) }
        var members: [Int: [Int]] = [:]
        var own: [Int: [Int]] = [:]
        for member in 0..<count { members[root(member), default: []].append(member) }
        for (index, link) in links.enumerated() { own[root(link.0), default: []].append(index) }
        return members.map { ($0.value, own[$0.key] ?? []) }.sorted {
            (-$0.0.count, $0.0[0]) < (-$1.0.count, $1.0[0])
        }
    }
}

/// A part of a picture with all that is drawn of it.
struct PlacedPart {
    /// The boxes, by their indexes in the diagram.
    var frames: [(box: Int, frame: BoxLayout.Frame)] = []
    /// The corners of the lines, by their indexes in the diagram.
    var routes: [Int: [BoxLayout.Point]] = [:]
    /// The frames of clusters.
    var clusters: [(number: Int, frame: BoxLayout.Frame)] = []
    var width = 0.0
    var height = 0.0
}

extension BoxLayout {
    /// A diagram with the sizes of its boxes and the heights of the ends of its lines.
    struct Sheet {
        let diagram: Diagram
        let sizes: [(width: Double, height: Double)]
        let ports: LinePorts

        init(_ diagram: Diagram) {
            self.diagram = diagram
            sizes = diagram.boxes.map(BoxLayout.size)
            ports = LinePorts(diagram, sizes: sizes)
        }
    }
}

extension BoxLayout.Frame {
    /// The same frame further right and further down.
    fileprivate func moved(_ x: Double, _ y: Double) -> BoxLayout.Frame {
        BoxLayout.Frame(x: self.x + x, y: self.y + y, width: width, height: height)
    }
}

extension BoxLayout {
    /// How large a box is drawn.
    static func size(of box: Diagram.Box) -> (width: Double, height: Double) {
        let lengths = box.rows.map { row in
            min(row.name.count + row.kind.count + 1, rowLength) + row.mark.sign.count
        }
        let title = min(box.title.count, rowLength) + box.mark.sign.count
        let longest = max(lengths.max() ?? 0, title)
        return (
            max(110, Double(longest) * 7.3 + 24),
            titleHeight + Double(box.rows.count) * rowHeight + 8
        )
    }
}

extension Diagram {
    /// How far below the top of its box the middle of a row is.
    static func middle(ofRow row: Int) -> Double {
        BoxLayout.titleHeight + 4 + (Double(row) + 0.5) * BoxLayout.rowHeight
    }

    /// The rows at which a line begins and ends; `nil` where that is the title.
    func rows(of line: Line) -> (from: Int?, to: Int?) {
        func row(_ name: String?, _ box: Int) -> Int? {
            name.flatMap { name in boxes[box].rows.firstIndex { $0.name == name } }
        }
        switch line.kind {
        case .inheritance, .bundle: return (nil, nil)
        case .composite(let attribute): return (row(attribute, line.from), nil)
        case .relationship(let ties):
            return (row(ties.name, line.from), row(ties.inverse, line.to))
        }
    }

    /// Whether a line is best read from its end to its beginning: from one to many, from the parent to its children.
    func isReversed(_ line: Line) -> Bool {
        switch line.kind {
        case .inheritance: true
        case .composite, .bundle: false
        case .relationship(let ties): ties.inverseCount == .many && ties.count != .many
        }
    }
}
