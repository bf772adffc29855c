/// Returns words to add to a message about a name that nothing has: what was probably meant, or nothing.
///
/// - Parameters:
///   - name: the name that was not found.
///   - names: the existing names.
/// - Returns: `; did you mean 'NAME'` where one is near, else an empty text.
package func suggestion(for name: String, among names: some Sequence<String>) -> String {
    nearestName(to: name, among: names).map { "; did you mean '\($0)'" } ?? ""
}

/// Returns the name that differs least from a name, by letters added, left out, replaced or swapped.
///
/// Capitals do not count. A name that differs in more than a third of its letters is not near; of `V1` and `V2` no one
/// is nearer to `V3`, and neither is `V2` alone: names that differ only in a number denote different versions.
package func nearestName(to name: String, among names: some Sequence<String>) -> String? {
    // Names are short; the cost of the comparison is capped.
    let letters = Array(name.lowercased().unicodeScalars.prefix(256))
    var nearest: (name: String, distance: Int)?
    for candidate in names {
        let other = Array(candidate.lowercased().unicodeScalars.prefix(256))
        let limit = max(letters.count, other.count) / 3
        guard abs(letters.count - other.count) <= limit, !hasOtherNumber(letters, other) else {
            continue
        }
        let most = min(limit, nearest.map { $0.distance - 1 } ?? .max)
        if let distance = distance(letters, other, most: most) {
            nearest = (candidate, distance)
        }
    }
    return nearest?.name
}

private func hasOtherNumber(_ one: [Unicode.Scalar], _ two: [Unicode.Scalar]) -> Bool {
    one.count == two.count && one != two
        && zip(one, two).allSatisfy { first, second in
            first == second
                || first.properties.numericType != nil && second.properties.numericType != nil
        }
}

/// The least number of letters added, left out, replaced or swapped with their neighbours; `nil` when it is above a number.
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
        // What follows is nowhere less than the least of two lines.
        guard min(line.min() ?? 0, last.min() ?? 0) <= most else { return nil }
        (before, last, line) = (last, line, before)
    }
    return last[two.count] <= most ? last[two.count] : nil
}
