/// Says how two sets of objects differ, whatever their keys, as a person would say it.
///
/// - Returns: a line for each difference; empty when the objects and links are the same.
func differences(expected: ObjectGraph, found: ObjectGraph) -> [String] {
    let (left, right) = (expected.colours(), found.colours())
    var unmatched = Dictionary(grouping: right.indices, by: { right[$0] })
    var missing: [ObjectGraph.Object] = []
    for (index, colour) in left.enumerated() where unmatched[colour]?.popLast() == nil {
        missing.append(expected.objects[index])
    }
    var surplus = unmatched.values.flatMap(\.self).sorted().map { found.objects[$0] }
    var lines: [String] = []
    for object in missing {
        guard
            let partner = surplus.indices.max(by: {
                likeness(object, surplus[$0]) < likeness(object, surplus[$1])
            }),
            likeness(object, surplus[partner]) > 0
        else {
            lines.append("\(expected.title(of: object)) is missing")
            continue
        }
        lines += differences(object, surplus.remove(at: partner), expected, found)
    }
    lines += surplus.map { "\(found.title(of: $0)) is not expected" }
    // Objects whose own values and links agree differ only because a neighbour does.
    return lines.isEmpty && !missing.isEmpty ? ["objects are linked in another way"] : lines
}

/// How much two objects are alike: what they share; 0 for objects of different entities.
private func likeness(_ left: ObjectGraph.Object, _ right: ObjectGraph.Object) -> Int {
    guard left.entity == right.entity else { return 0 }
    let values = left.values.count { right.values[$0.key] == $0.value }
    let links = left.links.count { right.links[$0.key]?.count == $0.value.count }
    return 1 + 10 * values + links
}

private func differences(
    _ left: ObjectGraph.Object,
    _ right: ObjectGraph.Object,
    _ expected: ObjectGraph,
    _ found: ObjectGraph
) -> [String] {
    let title = expected.title(of: left)
    let values = Set(left.values.keys).union(right.values.keys).sorted().compactMap { name in
        difference(title, name, left.values[name]?.words, right.values[name]?.words)
    }
    let links = Set(left.links.keys).union(right.links.keys).sorted().compactMap { name in
        let one = left.links[name]?.map(expected.title).sorted().joined(separator: ", ")
        let other = right.links[name]?.map(found.title).sorted().joined(separator: ", ")
        if one == other,
            left.links[name].map({ $0.map(expected.title) })
                != right.links[name].map({ $0.map(found.title) })
        {
            return "\(title): \(name) is in another order"
        }
        return difference(title, name, one, other)
    }
    return values + links
}

private func difference(
    _ title: String,
    _ name: String,
    _ expected: String?,
    _ found: String?
) -> String? {
    guard expected != found else { return nil }
    return switch (expected, found) {
    case (let expected?, let found?): "\(title): \(name) is \(found), expected \(expected)"
    case (let expected?, nil): "\(title): \(name) is missing, expected \(expected)"
    case (nil, let found?): "\(title): \(name) is \(found), expected none"
    case (nil, nil): nil
    }
}

extension ObjectGraph.Value {
    /// The value as a person would write it.
    fileprivate var words: String {
        switch self {
        case .null: "nil"
        case .boolean(let value): value ? "true" : "false"
        case .number(let value):
            value == value.rounded() && abs(value) < 1e15 ? String(Int64(value)) : "\(value)"
        case .text(let text): "\"\(text)\""
        case .list(let values): "[" + values.map(\.words).joined(separator: ", ") + "]"
        case .object(let values):
            "{"
                + values.keys.sorted().map { "\($0): \(values[$0]?.words ?? "")" }.joined(
                    separator: ", "
                ) + "}"
        }
    }
}
