import ObjectModel

struct ChildMerge {
    private let base: [String: SourceElement]
    private let ours: [String: SourceElement]
    private let theirs: [String: SourceElement]
    private let path: [String]
    private let order: (base: [String], ours: [String], theirs: [String])

    init(base: [SourceElement], ours: [SourceElement], theirs: [SourceElement], in path: [String]) {
        let lists = [keyed(base), keyed(ours), keyed(theirs)]
        let maps = lists.map { list in Dictionary(firstOf: list.map { ($0.key, $0.element) }) }
        (self.base, self.ours, self.theirs) = (maps[0], maps[1], maps[2])
        order = (lists[0].map(\.key), lists[1].map(\.key), lists[2].map(\.key))
        self.path = path
    }

    var children: [MergedChild] {
        var found = Dictionary(
            firstOf: Set(order.ours + order.theirs).compactMap { key in child(key).map { (key, $0) }
            }
        )
        for name in Vocabulary.nameless.sorted() { joinReplaced(name, in: &found) }
        return mergedOrder(
            base: order.base,
            ours: order.ours,
            theirs: order.theirs,
            keeping: Set(found.keys),
            precedes: { rank($0) < rank($1) }
        ).compactMap { found[$0] }
    }

    private func child(_ key: String) -> MergedChild? {
        switch (base[key], ours[key], theirs[key]) {
        case (let base, let ours?, let theirs?):
            return merged(base: base, ours: ours, theirs: theirs, in: path)
        case (nil, let ours?, nil): return .element(MergedElement(ours, of: .ours))
        case (nil, nil, let theirs?): return .element(MergedElement(theirs, of: .theirs))
        case (let base?, let ours?, nil): return kept(ours, of: .ours, since: base)
        case (let base?, nil, let theirs?): return kept(theirs, of: .theirs, since: base)
        case (_, nil, nil): return nil
        }
    }

    private func kept(
        _ element: SourceElement,
        of side: MergeSide,
        since base: SourceElement
    ) -> MergedChild? {
        let isSame =
            ElementContent(element, isStrict: false) == ElementContent(base, isStrict: false)
        if isSame || Vocabulary.layout.contains(element.name) { return nil }
        if Vocabulary.transparent.contains(element.name) {
            return remains(element, of: side, since: base)
        }
        let whole = [MergedElement(element, of: side)]
        let message = "removed in \(side.other.rawValue) and changed in \(side.rawValue)"
        let clash = MergeClash(path + element.pathParts, [message])
        return side == .ours
            ? .conflict(ours: whole, theirs: [], clash) : .conflict(ours: [], theirs: whole, clash)
    }

    /// What remains of a container that the other side emptied.
    private func remains(
        _ element: SourceElement,
        of side: MergeSide,
        since base: SourceElement
    ) -> MergedChild? {
        var remains = MergedElement(element, of: side)
        remains.children =
            ChildMerge(
                base: base.children,
                ours: side == .ours ? element.children : [],
                theirs: side == .theirs ? element.children : [],
                in: path
            ).children
        return remains.children.isEmpty ? nil : .element(remains)
    }

    /// Treats a removal on both sides with different replacements as one conflicting change.
    private func joinReplaced(_ name: String, in found: inout [String: MergedChild]) {
        func keys(_ keys: [String], where matches: (String) -> Bool) -> [String] {
            keys.filter { $0.hasPrefix(name + " ") && matches($0) }
        }
        let gone = keys(order.base) { ours[$0] == nil && theirs[$0] == nil }
        let one = keys(order.ours) { base[$0] == nil && theirs[$0] == nil }
        let two = keys(order.theirs) { base[$0] == nil && ours[$0] == nil }
        guard !gone.isEmpty, let place = one.first, !two.isEmpty else { return }
        func elements(_ keys: [String]) -> [MergedElement] {
            keys.flatMap { found[$0]?.flattened(preferring: .ours) ?? [] }
        }
        let parts = gone.compactMap { base[$0] }.flatMap(\.pathParts)
        let clash = MergeClash(path + parts, ["both sides replaced it differently"])
        let conflict = MergedChild.conflict(ours: elements(one), theirs: elements(two), clash)
        for key in one + two { found[key] = nil }
        found[place] = conflict
    }

    /// Xcode writes attributes first, then relationships, then the rest, each by name.
    private func rank(_ key: String) -> String {
        let kinds = [
            "attribute", "relationship", "fetchedProperty", "fetchRequest", "fetchIndex",
            "compoundIndexes", "uniquenessConstraints", "userInfo",
        ]
        let name = (ours[key] ?? theirs[key])?.name ?? ""
        return "\(kinds.firstIndex(of: name) ?? kinds.count) \(key)"
    }
}
