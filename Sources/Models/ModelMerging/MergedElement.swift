import ModelEditing

struct MergedElement {
    /// An attribute and the side whose text it is written in.
    struct Attribute {
        var side: MergeSide
        var source: SourceElement.Attribute
    }

    /// The side whose tags and white space are written.
    var side: MergeSide
    var source: SourceElement
    var other: SourceElement?
    /// The white space and the comments before it, and their side.
    var gap: (side: MergeSide, text: String)
    var textSide: MergeSide
    var attributes: [Attribute]
    var children: [MergedChild]
    /// The contradicting changes of the element itself.
    var clash: MergeClash?

    init(_ source: SourceElement, of side: MergeSide, other: SourceElement? = nil) {
        self.side = side
        self.source = source
        self.other = other
        textSide = side
        gap = (side, source.node.gap)
        attributes = source.attributes.map { Attribute(side: side, source: $0) }
        children = source.children.map { .element(MergedElement($0, of: side)) }
    }

    subscript(attribute: String) -> String? {
        attributes.first { $0.source.name == attribute }?.source.value
    }

    /// Takes a comment of theirs above the element if only they have one.
    mutating func takeComment(of theirs: SourceElement, since base: SourceElement?) {
        guard theirs.hasComment, !source.hasComment, base?.hasComment != true else { return }
        gap = (.theirs, theirs.node.gap)
    }
}

enum MergedChild {
    case element(MergedElement)
    /// Both sides' results of contradicting changes.
    case conflict(ours: [MergedElement], theirs: [MergedElement], MergeClash)
}

struct MergeClash {
    /// The element of the model, such as `Person.name`.
    var element: String
    var message: String

    var text: String { element.isEmpty ? message : "\(element): \(message)" }
}
