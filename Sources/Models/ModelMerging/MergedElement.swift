import ModelEditing

/// An element of the merged file.
struct MergedElement {
    /// An attribute and the side whose text it is written in.
    struct Attribute {
        var side: MergeSide
        var source: SourceElement.Attribute
    }

    /// The side whose tags and white space are written.
    var side: MergeSide
    /// The element of that side.
    var source: SourceElement
    /// The element of the other side, where there is one.
    var other: SourceElement?
    /// The white space and the comments before it, and the side that has them.
    var gap: (side: MergeSide, text: String)
    /// The side whose character data is written.
    var textSide: MergeSide
    var attributes: [Attribute]
    var children: [MergedChild]
    /// What both sides changed about the element itself, each in its way.
    var clash: MergeClash?

    /// An element as one side has it.
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

    /// Puts a comment of theirs above the element where only they have one.
    mutating func takeComment(of theirs: SourceElement, since base: SourceElement?) {
        guard theirs.hasComment, !source.hasComment, base?.hasComment != true else { return }
        gap = (.theirs, theirs.node.gap)
    }
}

/// A child of a merged element.
enum MergedChild {
    case element(MergedElement)
    /// What each side makes of something that both changed.
    case conflict(ours: [MergedElement], theirs: [MergedElement], MergeClash)
}

/// What two sides changed, each in its way.
struct MergeClash {
    /// The element of the model, such as `Person.name`.
    var element: String
    /// What each side makes of it.
    var message: String

    /// Both in one line.
    var text: String { element.isEmpty ? message : "\(element): \(message)" }
}
