package import ObjectModel

/// Matches the values below a composite attribute, nested composites resolved.
package struct CompositeMatching: Sendable, Hashable {
    package struct Leaf: Sendable, Hashable {
        package var path: [String]
        package var attribute: Attribute
        /// The renaming identifiers along the path; elements of one name share them.
        var identifiers: [String]
        /// The members of structs that lead to the element, where sources have them.
        var members: [String] = []
    }

    /// The limit of values below one attribute; nesting can multiply them without bound.
    package static let leafLimit = 1000

    /// In the order of the new version.
    package var pairs: [LeafPair]
    package var added: [Leaf]
    package var removed: [Leaf]
    /// Whether a side has more values than `leafLimit`, so that the rest was not compared.
    package var isTruncated: Bool

    package struct LeafPair: Sendable, Hashable {
        package var from: Leaf
        package var to: Leaf
    }

    /// Matches the values below two attributes; one that is not a composite has none.
    package init(from: Attribute, to: Attribute, in matching: ModelMatching) {
        let old = Self.leaves(of: from, in: matching.from)
        let new = Self.leaves(of: to, in: matching.to)
        isTruncated = old.count > Self.leafLimit || new.count > Self.leafLimit
        var partners = Partners(old.prefix(Self.leafLimit))
        let continued = new.prefix(Self.leafLimit).map { ($0, partners.takeSameMember(as: $0)) }
        pairs = []
        added = []
        for (leaf, partner) in continued {
            if let partner = partner ?? partners.takeFirst(for: leaf) {
                pairs.append(LeafPair(from: partner, to: leaf))
            } else {
                added.append(leaf)
            }
        }
        removed = old.prefix(Self.leafLimit).filter(partners.isLeft)
    }

    /// The values of the old version that none of the new one continues yet.
    private struct Partners {
        var leaves: [[String]: [Leaf]]

        init(_ leaves: some Sequence<Leaf>) {
            self.leaves = Dictionary(grouping: leaves, by: \.identifiers)
        }

        mutating func takeSameMember(as leaf: Leaf) -> Leaf? {
            guard !leaf.members.isEmpty else { return nil }
            return take(leaf.identifiers) { $0.members == leaf.members }
        }

        mutating func takeFirst(for leaf: Leaf) -> Leaf? { take(leaf.identifiers) { _ in true } }

        func isLeft(_ leaf: Leaf) -> Bool { leaves[leaf.identifiers]?.contains(leaf) ?? false }

        private mutating func take(_ key: [String], where fits: (Leaf) -> Bool) -> Leaf? {
            guard let index = leaves[key]?.firstIndex(where: fits) else { return nil }
            return leaves[key]?.remove(at: index)
        }
    }

    package static func leaves(of attribute: Attribute, in graph: ModelGraph) -> [Leaf] {
        var leaves: [Leaf] = []
        var budget = leafLimit * 16
        collect(attribute, Leaf(path: [], attribute: attribute, identifiers: []), [], graph) {
            leaf in
            if leaf.attribute.type != .composite { leaves.append(leaf) }
            budget -= 1
            return budget > 0 && leaves.count <= leafLimit
        }
        return leaves
    }

    /// Walks down for as long as `visit` returns true.
    ///
    /// A type that nests itself is cut where the cycle closes.
    @discardableResult
    private static func collect(
        _ attribute: Attribute,
        _ place: Leaf,
        _ open: [String],
        _ graph: ModelGraph,
        _ visit: (Leaf) -> Bool
    ) -> Bool {
        guard attribute.type == .composite, let name = attribute.compositeName,
            let type = graph.composite(name), !open.contains(name), open.count < 64
        else { return true }
        let hasTwins = type.attributes.map(\.name).holdsDuplicates
        for (index, (key, element)) in type.namedElements.enumerated() {
            var leaf = Leaf(
                path: place.path + [key],
                attribute: element,
                identifiers: place.identifiers + [element.matchingIdentifier]
            )
            if attribute.memberPaths.indices.contains(index) {
                leaf.members = attribute.memberPaths[index]
            } else if !hasTwins {
                leaf.members = leaf.path
            }
            guard visit(leaf), collect(element, leaf, open + [name], graph, visit) else {
                return false
            }
        }
        return true
    }
}

func elementChanges(
    from: Attribute,
    to: Attribute,
    _ matching: ModelMatching
) -> [AttributeChange] {
    guard from.type == .composite, to.type == .composite else { return [] }
    let leaves = CompositeMatching(from: from, to: to, in: matching)
    let changed = leaves.pairs.flatMap { pair in
        attributeChanges(from: pair.from.attribute, to: pair.to.attribute, elements: []).map {
            AttributeChange.element(
                path: pair.to.path,
                .changed(from: pair.from.attribute, to: pair.to.attribute, $0)
            )
        }
    }
    return changed + leaves.added.map { .element(path: $0.path, .added($0.attribute)) }
        + leaves.removed.map { .element(path: $0.path, .removed($0.attribute)) }
}
