/// Finds the entity that declares what another entity has or inherits, by name.
///
/// Numbers are given depth first, so that everything below an entity is an unbroken run behind it.
struct DeclarationIndex: Sendable, Hashable {
    /// The places of the entities that declare a name, ascending.
    private var declarers: [String: [Int]] = [:]
    /// The place behind the last entity below each entity.
    private var ends: [Int]

    init(superNumbers: [Int]) {
        ends = superNumbers.indices.map { $0 + 1 }
        for position in superNumbers.indices.reversed() where superNumbers[position] > 0 {
            let parent = superNumbers[position] - 1
            if parent < position { ends[parent] = max(ends[parent], ends[position]) }
        }
    }

    /// Notes a declaration; places must come in ascending order.
    mutating func add(_ name: String, at position: Int) {
        if declarers[name]?.last != position { declarers[name, default: []].append(position) }
    }

    /// Returns the entity itself or the nearest one above it that declares a name.
    func declarer(of name: String, for position: Int) -> Int? {
        guard let places = declarers[name] else { return nil }
        var (low, high) = (0, places.count)
        while low < high {
            let middle = (low + high) / 2
            if places[middle] <= position { low = middle + 1 } else { high = middle }
        }
        return places[..<low].last { position < ends[$0] }
    }

    /// Returns the places of an entity and everything below it.
    func hierarchy(of position: Int) -> Range<Int> {
        position..<ends[position]
    }
}
