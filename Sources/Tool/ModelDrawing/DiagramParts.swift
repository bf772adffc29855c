extension Diagram {
    /// Returns the boxes at most `depth` lines away from some, with the lines between them.
    package func around(_ names: Set<String>, depth: Int) -> Diagram {
        part(reached(boxes.indices.filter { names.contains(boxes[$0].name) }, depth: depth))
    }

    /// Returns what changed with the boxes at most `depth` lines away; `nil` for a few, so that changes prevail.
    package func changedPart(depth: Int? = nil) -> Diagram {
        let ends = lines.filter { $0.mark != .same }.flatMap { [$0.from, $0.to] }
        let middle = Set(boxes.indices.filter { boxes[$0].mark != .same } + ends)
        return part(depth.map { reached(middle, depth: $0) } ?? middle.union(company(of: middle)))
    }

    /// Returns the diagram with the changed rows and the numbers of omitted ones; an unchanged box is only a title.
    package func changedRows() -> Diagram {
        var diagram = self
        for index in boxes.indices {
            let kept =
                boxes[index].mark == .same ? [] : boxes[index].rows.filter { $0.mark != .same }
            let left = boxes[index].mark == .same ? 0 : boxes[index].rows.count - kept.count
            let unseen = boxes[index].mark == .same ? 0 : boxes[index].unseen
            let rest = [(left, "\(left) unchanged"), (unseen, "linked to \(unseen) more")]
                .filter { $0.0 > 0 }.map { Row(name: "…", kind: $0.1, mark: .same) }
            diagram.boxes[index].rows = kept + rest
        }
        return diagram
    }

    /// The boxes connected to each box, once for each line.
    private var neighbours: [[Int]] {
        var neighbours: [[Int]] = Array(repeating: [], count: boxes.count)
        for line in lines {
            neighbours[line.from].append(line.to)
            neighbours[line.to].append(line.from)
        }
        return neighbours
    }

    /// The boxes at most so many lines away from others, including these.
    private func reached(_ middle: some Sequence<Int>, depth: Int) -> Set<Int> {
        let neighbours = neighbours
        var found = Set(middle)
        var rim = Array(found)
        for _ in 0..<min(max(0, depth), boxes.count) where !rim.isEmpty {
            rim = rim.flatMap { neighbours[$0] }.filter { found.insert($0).inserted }
        }
        return found
    }

    /// A few boxes beside others: no more than these are, or eight, and no more than can be seen at once.
    ///
    /// Each of the others in turn adds the one with the most lines.
    private func company(of middle: Set<Int>) -> Set<Int> {
        let room = min(max(8, middle.count), 30 - middle.count)
        let neighbours = neighbours
        var links: [Int: Int] = [:]
        for box in middle { for other in neighbours[box] { links[other, default: 0] += 1 } }
        let choices = middle.sorted().map { box in
            Set(neighbours[box]).subtracting(middle)
                .sorted { (-(links[$0] ?? 0), $0) < (-(links[$1] ?? 0), $1) }
        }
        var found: Set<Int> = []
        for turn in 0..<(choices.map(\.count).max() ?? 0) {
            for own in choices where turn < own.count && found.count < room {
                found.insert(own[turn])
            }
        }
        return found
    }

    private func part(_ found: Set<Int>) -> Diagram {
        let neighbours = neighbours
        let kept = found.sorted()
        let numbers = Dictionary(uniqueKeysWithValues: kept.enumerated().map { ($1, $0) })
        var diagram = self
        diagram.boxes = kept.map { index in
            var box = boxes[index]
            box.unseen = Set(neighbours[index]).subtracting(found).count
            return box
        }
        diagram.lines = lines.compactMap { line in
            guard let from = numbers[line.from], let to = numbers[line.to] else { return nil }
            var line = line
            (line.from, line.to) = (from, to)
            return line
        }
        return diagram
    }
}
