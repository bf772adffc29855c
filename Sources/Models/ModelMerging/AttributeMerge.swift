struct AttributeMerge {
    private let base: SourceElement?
    private let ours: SourceElement
    private let theirs: SourceElement
    /// The attributes in which the sides contradict each other.
    private let contested: Set<String>

    init(base: SourceElement?, ours: SourceElement, theirs: SourceElement) {
        (self.base, self.ours, self.theirs) = (base, ours, theirs)
        guard !Vocabulary.layout.contains(ours.name) else {
            contested = []
            return
        }
        func meanings(_ element: SourceElement?) -> [String: String] {
            var meanings: [String: String] = [:]
            for attribute in element?.attributes ?? []
            where !Vocabulary.tools.contains(attribute.name) {
                meanings[attribute.name] = Vocabulary.meaning(
                    of: attribute.value,
                    of: attribute.name
                )
            }
            return meanings
        }
        let (before, one, two) = (meanings(base), meanings(ours), meanings(theirs))
        let names = Set(before.keys).union(one.keys).union(two.keys)
        let differing = names.filter { one[$0] != two[$0] }
        guard base != nil else {
            // Incidental attributes of Xcode do not make two additions ambiguous.
            contested = differing.subtracting(Vocabulary.incidental)
            return
        }
        let oursChanged = names.filter { one[$0] != before[$0] }
        let theirsChanged = names.filter { two[$0] != before[$0] }
        let entangled = Vocabulary.entangled(
            in: ours.name,
            ours: oursChanged,
            theirs: theirsChanged
        ).reduce(into: Set<String>()) { all, group in
            let changed = group.intersection(oursChanged.union(theirsChanged))
            if !changed.isDisjoint(with: differing) { all.formUnion(changed) }
        }
        contested = oursChanged.intersection(theirsChanged).union(entangled).intersection(differing)
    }

    /// Each side's change of the attributes in which they contradict each other.
    var clashes: [String] {
        contested.sorted().map { name in
            "\(name) is \(shown(ours[name])) in ours and \(shown(theirs[name])) in theirs"
        }
    }

    /// Returns the element with all changes, without its children.
    ///
    /// `side` prevails where both contradict each other, and its text is kept.
    func element(preferring side: MergeSide) -> MergedElement {
        var element =
            side == .ours
            ? MergedElement(ours, of: .ours, other: theirs)
            : MergedElement(theirs, of: .theirs, other: ours)
        var found: [String: MergedElement.Attribute] = [:]
        for name in Set((ours.attributes + theirs.attributes).map(\.name)) {
            let chosen = sideOfValue(of: name, preferring: side)
            let source = (chosen == .ours ? ours : theirs).attributes.first { $0.name == name }
            found[name] = source.map { MergedElement.Attribute(side: chosen, source: $0) }
        }
        let (first, second) = side == .ours ? (ours, theirs) : (theirs, ours)
        element.attributes = mergedOrder(
            base: base?.attributes.map(\.name) ?? [],
            ours: first.attributes.map(\.name),
            theirs: second.attributes.map(\.name),
            keeping: Set(found.keys),
            precedes: <
        ).compactMap { found[$0] }
        return element
    }

    private func sideOfValue(of name: String, preferring side: MergeSide) -> MergeSide {
        if contested.contains(name) { return side }
        // Without the other side's type, its dependent attributes are not used either.
        if contested.contains("attributeType"), Vocabulary.typed.contains(name) { return side }
        let (before, one, two) = (base?[name], ours[name], theirs[name])
        if one == two { return side }
        if Vocabulary.layout.contains(ours.name) { return one == before ? .theirs : .ours }
        if Vocabulary.tools.contains(name) { return isLater(two, than: one) ? .theirs : .ours }
        guard base != nil else { return one == nil ? .theirs : two == nil ? .ours : side }
        if two == before { return .ours }
        if one == before { return .theirs }
        // Both rewrite it; a value whose meaning differs from before is the change.
        let old = Vocabulary.meaning(of: before, of: name)
        return Vocabulary.meaning(of: one, of: name) == old ? .theirs : .ours
    }

    private func isLater(_ two: String?, than one: String?) -> Bool {
        guard let two else { return false }
        guard let one else { return true }
        return comesBefore(one, two)
    }

    private func shown(_ value: String?) -> String {
        value.map { $0.count > 80 ? "\"\($0.prefix(80))…\"" : "\"\($0)\"" } ?? "not set"
    }
}

/// Compares versions of tools numerically; texts without numbers, such as `Automatic`, come last.
private func comesBefore(_ one: String, _ two: String) -> Bool {
    let parts = [one, two].map { text in
        text.split { !$0.isASCII || !$0.isNumber }.map { digits in digits.drop { $0 == "0" } }
    }
    for (one, two) in zip(parts[0], parts[1]) where one != two {
        return (one.count, String(one)) < (two.count, String(two))
    }
    guard parts[0].count == parts[1].count else {
        return parts[0].isEmpty ? false : parts[1].isEmpty || parts[0].count < parts[1].count
    }
    return one < two
}
