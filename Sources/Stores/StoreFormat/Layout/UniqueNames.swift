/// Creates unique names; a name in use gets the first free number as a suffix.
///
/// Like SQLite, it ignores the case of letters.
struct UniqueNames {
    private var taken: Set<String> = []
    private var suffixes: [String: Int] = [:]

    init(reserved: Set<String> = []) { taken = Set(reserved.map { $0.uppercased() }) }

    /// Claims `base`, or `base1`, `base2`, …; returns the number that was needed, empty for none.
    mutating func claimSuffix(for base: String) -> String {
        let key = base.uppercased()
        guard !taken.insert(key).inserted else { return "" }
        var number = suffixes[key, default: 0]
        repeat { number += 1 } while !taken.insert(key + String(number)).inserted
        suffixes[key] = number
        return String(number)
    }

    mutating func claim(_ base: String) -> String { base + claimSuffix(for: base) }
}
