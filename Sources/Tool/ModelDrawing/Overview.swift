extension Diagram {
    /// The most names that an overview shows of a cluster.
    private static let overviewRows = 8

    /// The clusters of a large picture as boxes, in the order of ``clusters``, each with the names of what stands in it;
    /// `nil` for a picture that is not divided.
    ///
    /// A line between two of them stands for all that lead from one to the other.
    package var overview: Diagram? {
        let clusters = clusters
        guard !clusters.isEmpty else { return nil }
        var diagram = self
        diagram.grouping = .none
        diagram.boxes = clusters.map(overviewBox)
        let owner = Dictionary(
            clusters.enumerated().flatMap { number, cluster in
                cluster.boxes.map { ($0, number) }
            },
            uniquingKeysWith: { first, _ in first }
        )
        var bundles: [[Int]: [Line]] = [:]
        for line in lines {
            guard let from = owner[line.from], let to = owner[line.to], from != to else { continue }
            bundles[[min(from, to), max(from, to)], default: []].append(line)
        }
        diagram.lines = bundles.keys.sorted { ($0[0], $0[1]) < ($1[0], $1[1]) }.map { ends in
            let own = bundles[ends] ?? []
            return Line(
                from: ends[0],
                to: ends[1],
                kind: .bundle(own.count),
                mark: own.allSatisfy { $0.mark == .same } ? .same : .changed
            )
        }
        return diagram
    }

    private func overviewBox(of cluster: Cluster) -> Box {
        let members = cluster.boxes.map { boxes[$0] }
        let isSame = members.allSatisfy { box in
            box.mark == .same && box.rows.allSatisfy { $0.mark == .same }
        }
        guard let title = cluster.title else {
            let name = members.first?.name ?? ""
            return Box(
                name: name,
                parent: nil,
                isAbstract: false,
                rows: [],
                mark: members.first?.mark ?? .same
            )
        }
        // What changed comes first, then what has the most properties.
        let order = members.enumerated().sorted { left, right in
            (left.element.mark == .same ? 1 : 0, -left.element.rows.count, left.offset)
                < (right.element.mark == .same ? 1 : 0, -right.element.rows.count, right.offset)
        }.map(\.element)
        var rows = order.prefix(Self.overviewRows).map { box in
            Row(name: box.name, kind: "", mark: box.mark)
        }
        if order.count > rows.count {
            rows.append(Row(name: "…", kind: "\(order.count - rows.count) more", mark: .same))
        }
        return Box(
            name: "\(title) (\(members.count))",
            parent: nil,
            isAbstract: false,
            rows: rows,
            mark: isSame ? .same : .changed
        )
    }
}
