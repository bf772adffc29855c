/// Pairs rows with the objects that they most probably are, so that the fewest differences are reported.
///
/// A value that few objects share tells most. Once some rows are paired, their links tell what others are.
struct RowPairing {
    struct Names {
        var values: [String]
        var links: [String]
    }

    private let rows: [ObjectGraph.Object]
    private let objects: [ObjectGraph.Object]
    private let names: [Names]
    private let rowPlaces: [String: Int]
    private let objectPlaces: [String: Int]
    private let candidates: [[Candidate]]

    private struct Candidate {
        var object: Int
        /// The score by values only.
        var score: Int
    }

    private struct Pair: Hashable {
        var row: Int
        var object: Int
    }

    init(_ rows: [ObjectGraph.Object], _ objects: [ObjectGraph.Object], _ names: [Names]) {
        (self.rows, self.objects, self.names) = (rows, objects, names)
        rowPlaces = ObjectGraph.places(of: rows)
        objectPlaces = ObjectGraph.places(of: objects)
        let byEntity = Dictionary(grouping: objects.indices) { objects[$0].entity }
        let values = objects.reduce(into: [Value: Int]()) { counts, object in
            for (name, value) in object.values {
                counts[Value(entity: object.entity, name: name, value: value), default: 0] += 1
            }
        }
        candidates = rows.indices.map { place in
            let row = rows[place]
            return (byEntity[row.entity] ?? []).map { other in
                let score = names[place].values.reduce(0) { sum, name in
                    guard row.values[name] == objects[other].values[name] else { return sum }
                    guard let value = row.values[name] else { return sum + 1 }
                    let count = values[Value(entity: row.entity, name: name, value: value)] ?? 1
                    return sum + max(1, 60 / count)
                }
                return Candidate(object: other, score: score)
            }
        }
    }

    private struct Value: Hashable {
        var entity: String
        var name: String
        var value: ObjectGraph.Value
    }

    /// The indexes of the objects, by those of the rows; rows without a remaining object have none.
    ///
    /// Rows that only one object suits are paired first, and tell more about the others each time.
    func partners() -> [Int: Int] {
        let count = candidates.reduce(0) { $0 + $1.count }
        // After so many rounds, the rest is paired in the order of the rows.
        let roundLimit = max(2, 2_000_000 / max(1, count))
        var partners: [Int: Int] = [:]
        for round in 1...roundLimit {
            let scored = scores(after: partners)
            let sure = scored.filter { $0.isSure || round == roundLimit }
            let next = sure.isEmpty ? Array(scored.prefix(1)) : sure
            guard !next.isEmpty else { break }
            var taken = Set(partners.values)
            for pair in next where partners[pair.row] == nil && taken.insert(pair.object).inserted {
                partners[pair.row] = pair.object
            }
        }
        return partners
    }

    private struct Score {
        var row: Int
        var object: Int
        var score: Int
        var isSure: Bool
    }

    private func scores(after partners: [Int: Int]) -> [Score] {
        let references = references(partners)
        let votes = votes(of: partners)
        let taken = Set(partners.values)
        var scores: [Score] = []
        for (row, candidates) in candidates.enumerated() where partners[row] == nil {
            var own = candidates.filter { !taken.contains($0.object) }.map { candidate in
                let vote = votes[Pair(row: row, object: candidate.object)] ?? 0
                let score =
                    candidate.score + linkScore(row, candidate.object, references) + 40 * vote
                return Score(row: row, object: candidate.object, score: score, isSure: false)
            }
            own.sort { ($1.score, $0.object) < ($0.score, $1.object) }
            if let best = own.first, own.count == 1 || own[1].score < best.score {
                own[0].isSure = true
            }
            scores += own
        }
        return scores.sorted { ($1.score, $0.row, $0.object) < ($0.score, $1.row, $1.object) }
    }

    private func references(_ partners: [Int: Int]) -> [String: String] {
        var references: [String: String] = [:]
        for (row, object) in partners {
            references[rows[row].reference] = objects[object].reference
        }
        return references
    }

    /// The votes of paired rows on their destinations: where both lead to one object, these belong together.
    private func votes(of partners: [Int: Int]) -> [Pair: Int] {
        var votes: [Pair: Int] = [:]
        for (row, object) in partners {
            for name in names[row].links {
                guard let targets = rows[row].links[name], targets.count == 1,
                    let others = objects[object].links[name], others.count == 1,
                    let target = rowPlaces[targets[0]], let other = objectPlaces[others[0]]
                else { continue }
                votes[Pair(row: target, object: other), default: 0] += 1
            }
        }
        return votes
    }

    private func linkScore(_ row: Int, _ object: Int, _ references: [String: String]) -> Int {
        names[row].links.reduce(0) { sum, name in
            let targets = rows[row].links[name] ?? []
            let others = objects[object].links[name] ?? []
            let hits = targets.count { references[$0].map(others.contains) ?? false }
            return sum + 40 * hits + (targets.count == others.count ? 1 : 0)
        }
    }
}
