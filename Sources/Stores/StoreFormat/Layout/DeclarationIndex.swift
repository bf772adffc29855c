/// Finds the entity that declares what another entity has or inherits, by name.
///
/// Entities are numbered depth first, so an entity and everything below it form one range.
struct DeclarationIndex: Sendable, Hashable {
    /// The positions of the entities that declare a name, ascending.
    private var declarers: [String: [Int]] = [:]
    /// The end of the range of each entity's descendants.
    private var ends: [Int]

    init(superNumbers: [Int]) {
        ends = superNumbers.indices.map { $0 + 1 }
        for position in superNumbers.indices.reversed() where superNumbers[position] > 0 {
            let parent = superNumbers[position] - 1
            if parent < position { ends[parent] = max(ends[parent], ends[position]) }
        }
    }

    /// Notes a declaration; positions must come in ascending order.
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

    func hierarchy(of position: Int) -> Range<Int> { position..<ends[position] }
}
