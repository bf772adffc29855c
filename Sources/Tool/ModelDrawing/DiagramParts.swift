extension Diagram {
    /// Returns the part of the diagram around some boxes.
    ///
    /// - Parameters:
    ///   - names: the names of the boxes in the middle.
    ///   - depth: how many lines away from them a box may be.
    /// - Returns: the boxes, and the lines between them.
    package func around(_ names: Set<String>, depth: Int) -> Diagram {
        part(boxes.indices.filter { names.contains(boxes[$0].name) }, depth: depth)
    }

    /// Returns what changed, and what lies around it.
    ///
    /// - Parameter depth: how many lines away from what changed a box may be.
    /// - Returns: the boxes, and the lines between them.
    package func changedPart(depth: Int = 1) -> Diagram {
        let ends = lines.filter { $0.mark != .same }.flatMap { [$0.from, $0.to] }
        return part(boxes.indices.filter { boxes[$0].mark != .same } + ends, depth: depth)
    }

    /// Returns the diagram with the rows that changed and the number of the others; what did not change is a title alone.
    package func changedRows() -> Diagram {
        var diagram = self
        for index in boxes.indices {
            let kept =
                boxes[index].mark == .same ? [] : boxes[index].rows.filter { $0.mark != .same }
            let left = boxes[index].mark == .same ? 0 : boxes[index].rows.count - kept.count
            let rest = Row(name: "…", kind: "\(left) unchanged", mark: .same)
            diagram.boxes[index].rows = left == 0 ? kept : kept + [rest]
        }
        return diagram
    }

    /// Returns the diagram with the rows of some boxes alone; the others are titles.
    package func rows(of names: Set<String>) -> Diagram {
        var diagram = self
        for index in boxes.indices where !names.contains(boxes[index].name) {
            diagram.boxes[index].rows = []
        }
        return diagram
    }

    private func part(_ middle: [Int], depth: Int) -> Diagram {
        var neighbours: [[Int]] = Array(repeating: [], count: boxes.count)
        for line in lines {
            neighbours[line.from].append(line.to)
            neighbours[line.to].append(line.from)
        }
        var found = Set(middle)
        var rim = Array(found)
        for _ in 0..<min(max(0, depth), boxes.count) where !rim.isEmpty {
            rim = rim.flatMap { neighbours[$0] }.filter { found.insert($0).inserted }
        }
        let kept = found.sorted()
        let numbers = Dictionary(uniqueKeysWithValues: kept.enumerated().map { ($1, $0) })
        var diagram = self
        diagram.boxes = kept.map { boxes[$0] }
        diagram.lines = lines.compactMap { line in
            guard let from = numbers[line.from], let to = numbers[line.to] else { return nil }
            var line = line
            (line.from, line.to) = (from, to)
            return line
        }
        return diagram
    }
}
