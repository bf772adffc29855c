/// Groups of boxes that have more links with each other than chance would give them.
///
/// Groups begin as single boxes. In each round those are joined that are the best for each other by what the modularity
/// of Newman gains; sums are integers, so that every machine finds the same.
struct Communities {
    /// The members of each group in their order, the groups by their first members.
    private(set) var groups: [[Int]]

    private var weights: [[Int: Int]]
    private var degrees: [Int]
    private let total: Int

    /// Divides boxes.
    ///
    /// - Parameters:
    ///   - members: the boxes that are divided.
    ///   - links: pairs of boxes; those of others are passed over.
    ///   - most: how many boxes a group may have.
    init(members: [Int], links: [(Int, Int)], most: Int) {
        groups = members.map { [$0] }
        weights = Array(repeating: [:], count: members.count)
        degrees = Array(repeating: 0, count: members.count)
        let numbers = Dictionary(uniqueKeysWithValues: members.enumerated().map { ($1, $0) })
        for (one, two) in links {
            guard let one = numbers[one], let two = numbers[two], one != two else { continue }
            weights[one][two, default: 0] += 1
            weights[two][one, default: 0] += 1
            degrees[one] += 1
            degrees[two] += 1
        }
        total = degrees.reduce(0, +)
        while joinBest(most: most) {}
        joinSmall(most: most + most / 4)
        groups = groups.filter { !$0.isEmpty }.map { $0.sorted() }.sorted { $0[0] < $1[0] }
    }

    /// Joins each pair whose members gain the most from each other.
    private mutating func joinBest(most: Int) -> Bool {
        let choices = groups.indices.map { choice(of: $0, most: most) }
        var hasJoined = false
        for (one, two) in choices.enumerated() {
            guard let two, one < two, choices[two] == one else { continue }
            join(one, two)
            hasJoined = true
        }
        return hasJoined
    }

    private func choice(of one: Int, most: Int) -> Int? {
        var best: (gain: Int, low: Int, high: Int, group: Int)?
        for (two, weight) in weights[one] where groups[one].count + groups[two].count <= most {
            let gain = total * weight - degrees[one] * degrees[two]
            guard gain > 0 else { continue }
            let new = (gain, min(one, two), max(one, two), two)
            // Both sides of a pair see the same order of pairs: the best pair of all is always joined.
            if let old = best, (-old.gain, old.low, old.high) <= (-gain, new.1, new.2) { continue }
            best = new
        }
        return best?.group
    }

    /// Lets groups of one or two join those that they have the most links with.
    private mutating func joinSmall(most: Int) {
        for one in groups.indices where (1...2).contains(groups[one].count) {
            let open = weights[one].filter { groups[$0.key].count + groups[one].count <= most }
            let best = open.min { (-$0.value, $0.key) < (-$1.value, $1.key) }
            if let two = best?.key { join(two, one) }
        }
    }

    private mutating func join(_ one: Int, _ two: Int) {
        groups[one] += groups[two]
        groups[two] = []
        degrees[one] += degrees[two]
        for (other, weight) in weights[two] {
            weights[other][two] = nil
            guard other != one else { continue }
            weights[one][other, default: 0] += weight
            weights[other][one, default: 0] += weight
        }
        weights[two] = [:]
        weights[one][two] = nil
    }
}
