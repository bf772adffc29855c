import Diagnostics
import XMLReading

/// Writes a merged file: whatever a side left alone in the bytes of our side, the rest in those of theirs.
struct MergedText {
    private let ours: [UInt8]
    private let theirs: [UInt8]
    private let names: MergedNames
    private let hasReturns: Bool
    private(set) var bytes: [UInt8] = []
    /// The conflicts, each with the offset of its first byte.
    private(set) var conflicts: [(clash: MergeClash, offset: Int)] = []

    init(_ root: MergedElement, ours: SourceText, theirs: SourceText) {
        (self.ours, self.theirs) = (ours.bytes, theirs.bytes)
        names = MergedNames(root)
        hasReturns = ours.bytes.contains(0x0D)
        write(root, of: nil)
        let end = root.source.range.upperBound
        append((root.side == .ours ? self.ours : self.theirs)[end...], of: root.side)
    }

    private mutating func write(_ child: MergedChild, of entity: String?) {
        switch child {
        case .element(let element): write(element, of: entity)
        case .conflict(let ours, let theirs, let clash): write(ours, theirs, clash, of: entity)
        }
    }

    private mutating func write(_ element: MergedElement, of entity: String?) {
        let (source, side) = (element.source, element.side)
        append(text(element.gap.range, element.gap.side), of: element.gap.side)
        if let clash = element.clash { write(clash, above: element) }
        writeTag(element, of: entity)
        let around = source.name == "entity" ? element.former ?? element["name"] : entity
        for child in element.children { write(child, of: around) }
        guard hasEndTag(element) else { return }
        if element.children.isEmpty {
            if let form = element.emptyForm {
                append(text(form.source.tail, form.side), of: form.side)
            }
        } else if !source.isEmptyElement {
            append(text(source.tail, side), of: side)
        } else if let other = element.other, !other.isEmptyElement {
            append(text(other.tail, side.other), of: side.other)
        } else {
            append(lineBreak(before: source, side))
        }
        append("</" + String(decoding: text(source.opening, side).dropFirst(), as: UTF8.self) + ">")
    }

    private func hasEndTag(_ element: MergedElement) -> Bool {
        !element.children.isEmpty || element.emptyForm.map { !$0.source.isEmptyElement } ?? false
    }

    private mutating func writeTag(_ element: MergedElement, of entity: String?) {
        let (source, side) = (element.source, element.side)
        append(text(source.opening, side), of: side)
        for attribute in element.attributes {
            let value = names.value(of: attribute.source, in: element, of: entity)
            if value == attribute.source.written {
                append(text(attribute.source.range, attribute.side), of: attribute.side)
            } else {
                append(" \(attribute.source.name)=\"\(markup(value, in: .attribute))\"")
            }
        }
        if hasEndTag(element) == !source.isEmptyElement {
            append(text(source.closing, side), of: side)
        } else {
            append(hasEndTag(element) ? ">" : "/>")
        }
    }

    /// Writes two versions of something: ours as it is, theirs in a comment, so that the file can still be read.
    private mutating func write(
        _ ours: [MergedElement],
        _ theirs: [MergedElement],
        _ clash: MergeClash,
        of entity: String?
    ) {
        guard let first = ours.first ?? theirs.first else { return }
        let indent = lineBreak(before: first.source, first.side)
        append(indent)
        conflicts.append((clash, bytes.count))
        append("<!-- <<<<<<< ours" + indent + said(clash) + " -->")
        for element in ours { write(element, of: entity) }
        append(indent + "<!-- =======")
        if theirs.isEmpty { append(indent + "removed") }
        let start = bytes.count
        for element in theirs { write(element, of: entity) }
        hideComments(from: start)
        append(indent + ">>>>>>> theirs -->")
    }

    /// Writes what theirs makes of the tag of an element whose content is merged.
    private mutating func write(_ clash: MergeClash, above element: MergedElement) {
        let indent = lineBreak(before: element.source, element.side)
        conflicts.append((clash, bytes.count))
        append("<!-- <<<<<<< ours: the next tag" + indent + said(clash) + indent)
        append("=======" + indent)
        let start = bytes.count
        if let other = element.other {
            append(text(other.range.lowerBound..<other.closing.upperBound, element.side.other))
        }
        hideComments(from: start)
        append(indent + ">>>>>>> theirs -->" + indent)
    }

    private func said(_ clash: MergeClash) -> String {
        clash.text.replacing("--", with: "- -").replacing("--", with: "- -")
    }

    /// Writes hyphens so that what was written since a place may stand in a comment; values keep their meaning.
    private mutating func hideComments(from start: Int) {
        var hidden: [UInt8] = []
        let hyphen = UInt8(ascii: "-")
        for byte in bytes[start...] {
            if byte == hyphen, hidden.last == hyphen {
                hidden += Array("&#45;".utf8)
            } else {
                hidden.append(byte)
            }
        }
        bytes.replaceSubrange(start..., with: hidden)
    }

    /// The line break and the blanks before an element.
    private func lineBreak(before element: SourceElement, _ side: MergeSide) -> String {
        let gap = text(element.gap, side)
        let blanks = gap.reversed().prefix { $0 == 0x20 || $0 == 0x09 }.reversed()
        return "\n" + String(decoding: Array(blanks), as: UTF8.self)
    }

    private func text(_ range: Range<Int>, _ side: MergeSide) -> ArraySlice<UInt8> {
        side == .ours ? ours[range] : theirs[range]
    }

    private mutating func append(_ text: ArraySlice<UInt8>, of side: MergeSide) {
        guard side == .theirs else {
            bytes += text
            return
        }
        append(text)
    }

    private mutating func append(_ text: String) {
        append(Array(text.utf8)[...])
    }

    /// Ends lines as our side does.
    private mutating func append(_ text: ArraySlice<UInt8>) {
        for byte in text where byte != 0x0D {
            if byte == 0x0A, hasReturns { bytes.append(0x0D) }
            bytes.append(byte)
        }
    }
}

extension MergedElement {
    /// The side after whose text the element is written when it holds no others.
    fileprivate var emptyForm: (source: SourceElement, side: MergeSide)? {
        [textSide, textSide.other].compactMap { side in
            source(of: side).map { ($0, side) }
        }.first { $0.0.children.isEmpty }
    }
}
