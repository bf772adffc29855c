import ObjectModel

/// Compares rows with the objects of a store, of which they describe a part.
///
/// Each row must be another object that has the values and links that the row names; others do not count.
struct PartialComparison {
    private(set) var lines: [String] = []

    private let expected: ObjectGraph
    private let names: [RowPairing.Names]
    private let found: ObjectGraph
    /// The steps left for the search; where many rows are alike there are too many pairings.
    private var budget = 200_000

    init(_ expected: ExpectedRows, _ found: ObjectGraph) {
        self.expected = expected.graph
        names = expected.graph.objects.map { row in
            let all = (expected.named[row.reference] ?? []).sorted()
            return RowPairing.Names(
                values: all.filter { !expected.graph.isRelationship($0, of: row) },
                links: all.filter { expected.graph.isRelationship($0, of: row) }
            )
        }
        self.found = found
        let candidates = candidates()
        var assignment = Assignment()
        let order = candidates.indices.sorted {
            (candidates[$0].count, $0) < (candidates[$1].count, $1)
        }
        if !assign(order[...], candidates, &assignment) {
            assignment = bestAssignment()
            lines = differences(assignment)
            // Each row fits, but not all at once.
            if lines.isEmpty { lines = ["objects are linked differently"] }
        }
    }

    private struct Assignment {
        /// The indexes of the found objects, by the indexes of the rows.
        var partners: [Int: Int] = [:]
        var references: [String: String] = [:]
        var taken: Set<Int> = []

        mutating func take(_ place: Int, _ row: String, _ partner: Int, _ object: String) {
            partners[place] = partner
            references[row] = object
            taken.insert(partner)
        }

        mutating func release(_ place: Int, _ row: String) {
            if let partner = partners.removeValue(forKey: place) { taken.remove(partner) }
            references[row] = nil
        }
    }

    private func candidates() -> [[Int]] {
        let places = Dictionary(grouping: found.objects.indices) { found.objects[$0].entity }
        return zip(expected.objects, names).map { row, names in
            (places[row.entity] ?? []).filter { place in
                let object = found.objects[place]
                return names.values.allSatisfy { row.values[$0] == object.values[$0] }
                    && names.links.allSatisfy {
                        row.links[$0]?.count ?? 0 == object.links[$0]?.count ?? 0
                    }
            }
        }
    }

    private mutating func assign(
        _ rows: ArraySlice<Int>,
        _ candidates: [[Int]],
        _ assignment: inout Assignment
    ) -> Bool {
        guard let place = rows.first else { return true }
        let row = expected.objects[place]
        for candidate in candidates[place] where !assignment.taken.contains(candidate) {
            budget -= 1
            guard budget > 0 else { return false }
            let object = found.objects[candidate]
            assignment.take(place, row.reference, candidate, object.reference)
            let isRight = assignment.partners.allSatisfy { place, partner in
                linksFit(place, found.objects[partner], assignment)
            }
            if isRight, assign(rows.dropFirst(), candidates, &assignment) { return true }
            assignment.release(place, row.reference)
        }
        return false
    }

    private func linksFit(
        _ place: Int,
        _ object: ObjectGraph.Object,
        _ assignment: Assignment
    ) -> Bool {
        let row = expected.objects[place]
        return names[place].links.allSatisfy { name in
            let targets = row.links[name] ?? []
            let others = object.links[name] ?? []
            guard targets.count == others.count else { return false }
            if expected.isOrdered(name, of: row) {
                return zip(targets, others).allSatisfy { target, other in
                    assignment.references[target].map { $0 == other } ?? true
                }
            }
            return targets.compactMap { assignment.references[$0] }.allSatisfy(others.contains)
        }
    }

    /// Pairs each row with the object most like it, for the report when some fit none.
    private func bestAssignment() -> Assignment {
        let pairing = RowPairing(expected.objects, found.objects, names)
        var assignment = Assignment()
        for (place, partner) in pairing.partners() {
            let reference = found.objects[partner].reference
            assignment.take(place, expected.objects[place].reference, partner, reference)
        }
        return assignment
    }

    private func differences(_ assignment: Assignment) -> [String] {
        let titles = Dictionary(firstOf: assignment.references.map { ($1, expected.title(of: $0)) })
        return expected.objects.indices.flatMap { place -> [String] in
            let row = expected.objects[place]
            guard let partner = assignment.partners[place] else {
                return ["\(expected.place(of: row))\(expected.title(of: row)) is missing"]
            }
            let object = found.objects[partner]
            return MigrationTesting.differences(row, object, names[place], expected, found, titles)
        }
    }
}
