package import ObjectModel

/// Which value below a composite attribute continues which, nested composites resolved.
package struct CompositeMatching: Sendable, Hashable {
    /// A value below a composite attribute.
    package struct Leaf: Sendable, Hashable {
        /// The names from below the attribute to the value.
        package var path: [String]
        /// The element that holds the value.
        package var attribute: Attribute
        /// The renaming identifiers along the path.
        var identifiers: [String]
    }

    /// How many values below one attribute are looked at; nesting can multiply them without bound.
    package static let leafLimit = 1000

    /// The values that go on, in the order of the new version.
    package var pairs: [LeafPair]
    /// The values that continue none.
    package var added: [Leaf]
    /// The values that none continues.
    package var removed: [Leaf]
    /// Whether a side has more values than `leafLimit`, so that the rest was not compared.
    package var isTruncated: Bool

    /// A value of the old version and the one that continues it.
    package struct LeafPair: Sendable, Hashable {
        /// The value of the old version.
        package var from: Leaf
        /// The value of the new version.
        package var to: Leaf
    }

    /// Matches the values below two attributes; one that is no composite has none.
    package init(from: Attribute, to: Attribute, in matching: ModelMatching) {
        let old = Self.leaves(of: from, in: matching.from)
        let new = Self.leaves(of: to, in: matching.to)
        isTruncated = old.count > Self.leafLimit || new.count > Self.leafLimit
        var partners: [[String]: Leaf] = [:]
        for leaf in old.prefix(Self.leafLimit) where partners[leaf.identifiers] == nil {
            partners[leaf.identifiers] = leaf
        }
        pairs = []
        added = []
        for leaf in new.prefix(Self.leafLimit) {
            if let partner = partners.removeValue(forKey: leaf.identifiers) {
                pairs.append(LeafPair(from: partner, to: leaf))
            } else {
                added.append(leaf)
            }
        }
        removed = old.prefix(Self.leafLimit).filter { partners[$0.identifiers] == $0 }
    }

    /// Returns the values below an attribute, at most one more than `leafLimit`.
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

    /// Walks down for as long as `visit` says to go on.
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
        for element in type.attributes {
            let leaf = Leaf(
                path: place.path + [element.name],
                attribute: element,
                identifiers: place.identifiers + [element.matchingIdentifier]
            )
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
    return changed
        + leaves.added.map { .element(path: $0.path, .added($0.attribute)) }
        + leaves.removed.map { .element(path: $0.path, .removed($0.attribute)) }
}
