/// Merges both sides' versions of an element, or returns both where they contradict each other.
///
/// `base` is `nil` when both added it; `place` is the path of the elements around it, such as `Person`.
func merged(
    base: SourceElement?,
    ours: SourceElement,
    theirs: SourceElement,
    in place: [String]
) -> MergedChild {
    let path = place + ours.pathParts
    guard ours.name == theirs.name else {
        return mergedKinds(base: base, ours: ours, theirs: theirs, path)
    }
    let before = base?.name == ours.name ? base : nil
    let attributes = AttributeMerge(base: before, ours: ours, theirs: theirs)
    let children = mergedContent(base: before, ours: ours, theirs: theirs, in: path)
    var messages = attributes.clashes + content(before, ours, theirs).clashes
    if Vocabulary.containers.contains(ours.name) {
        var element = attributes.element(preferring: .ours)
        element.children = children
        element.takeComment(of: theirs, since: base)
        if !messages.isEmpty { element.clash = MergeClash(path, messages) }
        return .element(element)
    }
    messages += children.flatMap(\.clashes).map(\.text)
    let sides = [MergeSide.ours, .theirs].map { side in
        var element = attributes.element(preferring: side)
        element.textSide = content(before, ours, theirs).side ?? side
        element.children = children.flatMap { $0.flattened(preferring: side) }.map { .element($0) }
        if side == .ours { element.takeComment(of: theirs, since: base) }
        return element
    }
    guard !messages.isEmpty else { return .element(sides[0]) }
    return .conflict(ours: [sides[0]], theirs: [sides[1]], MergeClash(path, messages))
}

private func mergedKinds(
    base: SourceElement?,
    ours: SourceElement,
    theirs: SourceElement,
    _ path: [String]
) -> MergedChild {
    if let base, ElementContent(base) == ElementContent(ours) {
        return .element(MergedElement(theirs, of: .theirs, other: ours))
    }
    if let base, ElementContent(base) == ElementContent(theirs) {
        return .element(MergedElement(ours, of: .ours, other: theirs))
    }
    let message = "this is the \(ours.name) in ours and the \(theirs.name) in theirs"
    return .conflict(
        ours: [MergedElement(ours, of: .ours)],
        theirs: [MergedElement(theirs, of: .theirs)],
        MergeClash(path, [message])
    )
}

private func mergedContent(
    base: SourceElement?,
    ours: SourceElement,
    theirs: SourceElement,
    in path: [String]
) -> [MergedChild] {
    guard Vocabulary.lists.contains(ours.name) else {
        return ChildMerge(
            base: base?.children ?? [],
            ours: ours.children,
            theirs: theirs.children,
            in: path
        ).children
    }
    // A list comes from the side that changed it.
    let side = listSide(base, ours, theirs) ?? .ours
    return (side == .ours ? ours : theirs).children.map { .element(MergedElement($0, of: side)) }
}

private func listSide(
    _ base: SourceElement?,
    _ ours: SourceElement,
    _ theirs: SourceElement
) -> MergeSide? {
    let (one, two) = (
        ours.children.map { ElementContent($0) }, theirs.children.map { ElementContent($0) }
    )
    let before = base?.children.map { ElementContent($0) }
    if one == two || two == before { return .ours }
    return one == before ? .theirs : nil
}

/// The side that changed the text, or the list, of an element; none when both did so differently.
private func content(
    _ base: SourceElement?,
    _ ours: SourceElement,
    _ theirs: SourceElement
) -> (side: MergeSide?, clashes: [String]) {
    if Vocabulary.lists.contains(ours.name), listSide(base, ours, theirs) == nil {
        return (nil, ["both sides changed its list"])
    }
    if ours.text == theirs.text || theirs.text == base?.text { return (.ours, []) }
    if ours.text == base?.text { return (.theirs, []) }
    return (nil, ["both sides changed its text"])
}

extension MergedChild {
    /// The contradicting changes in the element and everything inside it.
    var clashes: [MergeClash] {
        switch self {
        case .element(let element):
            [element.clash].compactMap(\.self) + element.children.flatMap(\.clashes)
        case .conflict(_, _, let clash): [clash]
        }
    }

    /// The elements as one side has them where the sides contradict each other.
    func flattened(preferring side: MergeSide) -> [MergedElement] {
        switch self {
        case .element(var element):
            element.children = element.children.flatMap { child in
                child.flattened(preferring: side).map { .element($0) }
            }
            return [element]
        case .conflict(let ours, let theirs, _): return side == .ours ? ours : theirs
        }
    }
}

extension MergeClash {
    init(_ path: [String], _ messages: [String]) {
        element = path.joined(separator: ".")
        message = messages.joined(separator: "; ")
    }
}

extension SourceElement {
    /// What the element adds to the path of its content.
    var pathParts: [String] {
        switch name {
        case "model", "userInfo", "elements", "uniquenessConstraints", "compoundIndexes": []
        case "entry": ["userInfo[\(self["key"] ?? "")]"]
        case "uniquenessConstraint", "compoundIndex":
            ["(" + children.compactMap { $0["value"] }.joined(separator: ", ") + ")"]
        default: [formerName ?? self["name"] ?? name]
        }
    }
}
