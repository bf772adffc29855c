/// Returns `; did you mean 'NAME'` for an unknown name with a similar existing one; otherwise an empty text.
package func suggestion(for name: String, among names: some Sequence<String>) -> String {
    nearestName(to: name, among: names).map { "; did you mean '\($0)'" } ?? ""
}

/// Returns the name that differs least from a name, by letters added, omitted, replaced or swapped.
///
/// Case does not count. A name that differs in more than a third of its letters is not near; neither `V1` nor `V2` is
/// near `V3`, nor is `V2` alone: names that differ only in their numbers denote different versions, unless one has a
/// digit more, such as `V22`. Of two that differ as much, the one with the same digits is nearer: `Shop 2` to `Shop2`,
/// not `Shop`. Where no name is near, it is the only one that ends with the name, as `Model 18.4.3` does with `18.4.3`.
package func nearestName(to name: String, among names: some Sequence<String>) -> String? {
    // Names are short; the cost of the comparison is capped.
    let letters = Array(name.lowercased().unicodeScalars.prefix(256))
    let names = Array(names)
    let digits = letters.filter(isDigit)
    var nearest: (name: String, cost: Int)?
    for candidate in names {
        // Lengths, which lower case hardly changes, rule most names out.
        let count = min(256, candidate.unicodeScalars.count)
        guard abs(letters.count - count) <= max(letters.count, count) / 3 + 1 else { continue }
        let other = Array(candidate.lowercased().unicodeScalars.prefix(256))
        let limit = max(letters.count, other.count) / 3
        let more = abs(letters.count - other.count)
        guard more <= limit else { continue }
        let hasOtherDigits = other.filter(isDigit) != digits ? 1 : 0
        let most = min(limit, (nearest?.cost ?? .max) / 2)
        guard let distance = distance(letters, other, most: most),
            distance == more || !hasOtherNumbers(letters, other)
        else { continue }
        let cost = 2 * distance + hasOtherDigits
        if cost < nearest?.cost ?? .max { nearest = (candidate, cost) }
    }
    return nearest?.name ?? onlyName(endingWith: name, among: names)
}

/// The only one of some names that ends with a name, after a space or a dash.
private func onlyName(endingWith name: String, among names: some Sequence<String>) -> String? {
    guard !name.isEmpty else { return nil }
    let tails = [" ", "-", "_"].map { $0 + name.lowercased() }
    let found = names.filter { other in
        guard other.utf8.count > name.utf8.count else { return false }
        let other = other.lowercased()
        return tails.contains { other.hasSuffix($0) }
    }
    return found.count == 1 ? found[0] : nil
}

private func isDigit(_ scalar: Unicode.Scalar) -> Bool { scalar.properties.numericType != nil }

/// Whether two names differ only in their numbers, which may have more or fewer digits.
private func hasOtherNumbers(_ one: [Unicode.Scalar], _ two: [Unicode.Scalar]) -> Bool {
    func parts(_ name: [Unicode.Scalar]) -> [ArraySlice<Unicode.Scalar>] {
        name.split(omittingEmptySubsequences: false, whereSeparator: isDigit)
            .enumerated().filter { $0.offset == 0 || !$0.element.isEmpty }.map(\.element)
    }
    return one != two && one.contains(where: isDigit) && two.contains(where: isDigit)
        && parts(one) == parts(two)
}

/// The least number of letters added, omitted, replaced or swapped with their neighbours; `nil` beyond a limit.
private func distance(_ one: [Unicode.Scalar], _ two: [Unicode.Scalar], most: Int) -> Int? {
    var before = Array(0...two.count)
    var last = before
    var line = before
    for row in one.indices {
        line[0] = row + 1
        for column in two.indices {
            let isSame = one[row] == two[column]
            var least = min(line[column] + 1, last[column + 1] + 1, last[column] + (isSame ? 0 : 1))
            if row > 0, column > 0, one[row] == two[column - 1], one[row - 1] == two[column] {
                least = min(least, before[column - 1] + 1)
            }
            line[column + 1] = least
        }
        // What follows is never less than the minimum of two rows.
        guard min(line.min() ?? 0, last.min() ?? 0) <= most else { return nil }
        (before, last, line) = (last, line, before)
    }
    return last[two.count] <= most ? last[two.count] : nil
}
