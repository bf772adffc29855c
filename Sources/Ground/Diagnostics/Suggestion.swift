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
    let letters = Array(name.lowercased().prefix(256))
    var nearest: (name: String, distance: Int)?
    for candidate in names {
        let other = Array(candidate.lowercased().prefix(256))
        let limit = max(letters.count, other.count) / 3
        guard abs(letters.count - other.count) <= limit, !hasOtherNumber(letters, other) else {
            continue
        }
        let distance = distance(letters, other)
        if distance <= limit, distance < nearest?.distance ?? .max {
            nearest = (candidate, distance)
        }
    }
    return nearest?.name
}

private func hasOtherNumber(_ one: [Character], _ two: [Character]) -> Bool {
    one.count == two.count && one != two
        && zip(one, two).allSatisfy { $0 == $1 || $0.isNumber && $1.isNumber }
}

/// The least number of letters added, left out, replaced or swapped with their neighbours.
private func distance(_ one: [Character], _ two: [Character]) -> Int {
    var before: [Int] = []
    var last = Array(0...two.count)
    for row in one.indices {
        var line = [row + 1]
        for column in two.indices {
            let isSame = one[row] == two[column]
            var least = min(line[column] + 1, last[column + 1] + 1, last[column] + (isSame ? 0 : 1))
            if row > 0, column > 0, one[row] == two[column - 1], one[row - 1] == two[column] {
                least = min(least, before[column - 1] + 1)
            }
            line.append(least)
        }
        (before, last) = (last, line)
    }
    return last[two.count]
}
