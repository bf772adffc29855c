import Diagnostics
import Essentials

/// Describes how two sets of objects differ, regardless of their keys, in a person's words.
func differences(expected: ObjectGraph, found: ObjectGraph) -> [String] {
    let (left, right) = (expected.colours(), found.colours())
    var unmatched = Dictionary(grouping: right.indices, by: { right[$0] })
    var missing: [ObjectGraph.Object] = []
    var titles: [String: String] = [:]
    for (index, colour) in left.enumerated() {
        let object = expected.objects[index]
        if let partner = unmatched[colour]?.popLast() {
            titles[found.objects[partner].reference] = expected.title(of: object)
        } else {
            missing.append(object)
        }
    }
    let surplus = unmatched.values.flatMap(\.self).sorted().map { found.objects[$0] }
    let partners = partners(missing, surplus, expected, found)
    // An object that is reported as different is not reported again for all objects that refer to it.
    for (place, partner) in partners {
        titles[surplus[partner].reference] = expected.title(of: missing[place])
    }
    var lines: [String] = []
    for (place, object) in missing.enumerated() {
        guard let partner = partners[place] else {
            lines.append("\(expected.place(of: object))\(expected.title(of: object)) is missing")
            continue
        }
        let other = surplus[partner]
        let names = RowPairing.Names(
            values: Set(object.values.keys).union(other.values.keys).sorted(),
            links: Set(object.links.keys).union(other.links.keys).sorted()
        )
        lines += differences(object, other, names, expected, found, titles)
    }
    let matched = Set(partners.values)
    lines += surplus.indices.filter { !matched.contains($0) }
        .map { "\(found.title(of: surplus[$0])) is unexpected" }
    // Objects whose own values and links agree differ only because a neighbour does.
    return lines.isEmpty && !missing.isEmpty ? ["objects are linked differently"] : lines
}

/// Pairs each missing object with an unexpected one, the most similar first.
private func partners(
    _ missing: [ObjectGraph.Object],
    _ surplus: [ObjectGraph.Object],
    _ expected: ObjectGraph,
    _ found: ObjectGraph
) -> [Int: Int] {
    // People read the first of many differences: beyond this number only titles are compared, in order.
    let isLarge = missing.count * surplus.count > 250_000
    guard !isLarge else { return partnersByTitle(missing, surplus, expected, found) }
    let (values, links) = (
        propertyNames(missing + surplus, \.values.keys),
        propertyNames(missing + surplus, \.links.keys)
    )
    let names = missing.map { row in
        RowPairing.Names(values: values[row.entity] ?? [], links: links[row.entity] ?? [])
    }
    return RowPairing(missing, surplus, names).partners()
}

private func propertyNames<Keys: Collection<String>>(
    _ objects: [ObjectGraph.Object],
    _ keys: (ObjectGraph.Object) -> Keys
) -> [String: [String]] {
    objects.reduce(into: [String: Set<String>]()) { names, object in
        names[object.entity, default: []].formUnion(keys(object))
    }.mapValues { $0.sorted() }
}

private func partnersByTitle(
    _ missing: [ObjectGraph.Object],
    _ surplus: [ObjectGraph.Object],
    _ expected: ObjectGraph,
    _ found: ObjectGraph
) -> [Int: Int] {
    var places = Dictionary(grouping: surplus.indices.reversed()) {
        found.plainTitle(of: surplus[$0])
    }
    var partners: [Int: Int] = [:]
    for (left, object) in missing.enumerated() {
        partners[left] = places[expected.plainTitle(of: object)]?.popLast()
    }
    return partners
}

/// How an object differs from the one found for it, in some of their values and links.
func differences(
    _ left: ObjectGraph.Object,
    _ right: ObjectGraph.Object,
    _ names: RowPairing.Names,
    _ expected: ObjectGraph,
    _ found: ObjectGraph,
    _ titles: [String: String]
) -> [String] {
    let title = expected.title(of: left, asIn: found, right)
    let place = { (name: String) in expected.place(of: left, name) }
    let values = names.values.compactMap { name in
        difference(place(name) + title, name, left.values[name]?.words, right.values[name]?.words)
    }
    let links = names.links.compactMap { name in
        linkDifference(
            place(name) + title,
            name,
            left.links[name]?.map(expected.title) ?? [],
            right.links[name]?.map { titles[$0] ?? found.title(of: $0) } ?? [],
            isOrdered: expected.isOrdered(name, of: left)
        )
    }
    return values + links
}

private func linkDifference(
    _ title: String,
    _ name: String,
    _ expected: [String],
    _ found: [String],
    isOrdered: Bool
) -> String? {
    let (one, other) = (expected.sorted(), found.sorted())
    func list(_ titles: [String]) -> String? {
        titles.isEmpty ? nil : titles.joined(separator: ", ")
    }
    guard isOrdered, one == other, expected != found else {
        return difference(title, name, list(one), list(other))
    }
    let (wanted, order) = (expected.joined(separator: ", "), found.joined(separator: ", "))
    return "\(title): \(name) has the order \(order), expected \(wanted)"
}

private func difference(_ title: String, _ name: String, _ expected: String?, _ found: String?)
    -> String?
{
    guard !haveSameBytes(expected, found) else { return nil }
    return switch distinguished(expected, found) {
    case (let expected?, let found?): "\(title): \(name) is \(found), expected \(expected)"
    case (let expected?, nil): "\(title): \(name) is missing, expected \(expected)"
    case (nil, let found?): "\(title): \(name) is \(found), expected none"
    case (nil, nil): nil
    }
}

extension ObjectGraph.Value {
    var words: String {
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
