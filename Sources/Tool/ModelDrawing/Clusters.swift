extension Diagram {
    /// What boxes stand together in a frame.
    package enum Grouping: String, CaseIterable, Sendable, Hashable {
        /// In a large picture, those of a configuration if nearly each has one, and else those with links.
        case automatic = "auto"
        /// Those of a configuration.
        case configurations
        /// Those that have more links with each other than with the rest.
        case links
        /// Each stands alone.
        case none
    }

    /// Boxes that stand together.
    package struct Cluster: Sendable, Hashable {
        /// What stands above them; `nil` where a box stands without a frame.
        package var title: String?
        /// The indexes of the boxes, in their order.
        package var boxes: [Int]
    }

    /// Pictures of more boxes are divided.
    static let automaticCount = 30
    /// Pictures of more boxes cannot be read anyway; they are not divided.
    private static let greatestCount = 2000

    /// All boxes as they stand together; none where the picture is not divided.
    package var clusters: [Cluster] {
        guard grouping != .none, boxes.count <= Self.greatestCount else { return [] }
        if grouping == .automatic, boxes.count <= Self.automaticCount { return [] }
        let found = clusters(byConfiguration: isDividedByConfigurations)
        return found.count { $0.title != nil } > 1 ? found : []
    }

    private var isDividedByConfigurations: Bool {
        switch grouping {
        case .configurations: return true
        case .links, .none: return false
        case .automatic:
            let sole = boxes.filter { $0.configurations.count == 1 }
            return Set(sole.flatMap(\.configurations)).count > 1
                && sole.count * 5 >= boxes.count * 4
        }
    }

    private func clusters(byConfiguration isByConfiguration: Bool) -> [Cluster] {
        var clusters: [Cluster] = []
        var rest = Array(boxes.indices)
        if isByConfiguration {
            var numbers: [String: Int] = [:]
            rest = []
            for (index, box) in boxes.enumerated() {
                guard box.configurations.count == 1, let name = box.configurations.first else {
                    rest.append(index)
                    continue
                }
                let number = numbers[name] ?? clusters.count
                numbers[name] = number
                if number == clusters.count { clusters.append(Cluster(title: name, boxes: [])) }
                clusters[number].boxes.append(index)
            }
        }
        let linked = Set(lines.flatMap { [$0.from, $0.to] })
        let lone = rest.filter { !linked.contains($0) }
        let most = isByConfiguration ? 0 : max(14, boxes.count / 10)
        let groups = Communities(
            members: rest.filter(linked.contains),
            links: lines.map { ($0.from, $0.to) },
            most: most
        )
        clusters += titled(groups.groups)
        if lone.count > 1 {
            clusters.append(Cluster(title: "without links", boxes: lone))
        } else {
            clusters += lone.map { Cluster(title: nil, boxes: [$0]) }
        }
        return clusters
    }
}

// Names of clusters.
extension Diagram {
    private func titled(_ groups: [[Int]]) -> [Cluster] {
        let common = commonStart(of: Array(boxes.indices))
        var taken: Set<String> = []
        return groups.map { group in
            guard group.count > 1 else { return Cluster(title: nil, boxes: group) }
            let start = commonStart(of: group)
            if start.count > max(2, common.count), taken.insert(start).inserted {
                return Cluster(title: "\(start)…", boxes: group)
            }
            let members = Set(group)
            var links: [Int: Int] = [:]
            for line in lines where members.contains(line.from) && members.contains(line.to) {
                links[line.from, default: 0] += 1
                links[line.to, default: 0] += 1
            }
            let middle = group.max { (links[$0] ?? 0, -$0) < (links[$1] ?? 0, -$1) } ?? group[0]
            return Cluster(title: "around \(boxes[middle].name)", boxes: group)
        }
    }

    /// The words with which all of the names begin.
    private func commonStart(of group: [Int]) -> String {
        let names = group.map { Array(boxes[$0].name) }
        guard var start = names.first else { return "" }
        for name in names {
            let same = zip(start, name).prefix { $0 == $1 }.count
            start.removeSubrange(same...)
        }
        // A word ends where each name goes on with a new one.
        while !start.isEmpty {
            let goesOn = names.contains { name in
                name.count > start.count && !name[start.count].isUppercase
                    && !name[start.count].isNumber && start.last != "_"
            }
            let isCut = start.last?.isUppercase == true && names.contains { $0.count > start.count }
            guard goesOn || isCut else { break }
            start.removeLast()
        }
        return String(start)
    }
}
