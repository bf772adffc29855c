import ObjectModel
import ModelEditing

/// Merges by edits of our side's source: everything outside them stays byte for byte.
struct MergedText {
    private let tree: SourceTree
    private let names: MergedNames
    private var clashes: [MergeClash] = []
    private(set) var bytes: [UInt8] = []
    /// The conflicts, each with the offset of its first byte.
    private(set) var conflicts: [(clash: MergeClash, offset: Int)] = []

    init(
        _ root: MergedElement,
        into ours: SourceText,
        renamed: (ours: Renaming, theirs: Renaming)
    ) {
        tree = ours.tree
        names = MergedNames(root, ours: renamed.ours, theirs: renamed.theirs)
        let node = node(for: root, depth: 0, of: nil)
        for byte in tree.source(of: node).utf8 {
            if byte == 0, conflicts.count < clashes.count {
                conflicts.append((clashes[conflicts.count], bytes.count))
            } else {
                bytes.append(byte)
            }
        }
    }

    /// Marks the beginning of a conflict with what no XML can contain.
    private static let mark = "\u{0}"

    /// Edits a copy of an element, in the source of its side.
    private mutating func node(
        for element: MergedElement,
        depth: Int,
        of entity: String?
    ) -> SourceNode {
        let source = element.source.node
        let node = copy(source, of: element.side)
        node.gap = text(element.gap.text, of: element.gap.side)
        setAttributes(of: node, to: element, in: entity)
        if let clash = element.clash { write(clash, above: node, element) }
        let around = source.name == "entity" ? element.former ?? element["name"] : entity
        setChildren(of: node, to: element, depth: depth, in: around)
        // An element that the other side emptied ends as that side wrote it.
        let isEmptied = element.textSide != element.side || !source.children.isEmpty
        if element.children.isEmpty, isEmptied,
            let other = element.other?.node, other.children.isEmpty
        {
            let form = copy(other, of: element.side.other)
            (node.close, node.tail, node.endTag) = (form.close, form.tail, form.endTag)
        }
        return node
    }

    /// A copy of an element without its children, with the line ends of our side.
    private func copy(_ node: SourceNode, of side: MergeSide) -> SourceNode {
        SourceNode(
            node.name,
            gap: text(node.gap, of: side),
            attributes: node.attributes.map {
                .init(name: $0.name, value: $0.value, text: text($0.text, of: side))
            },
            close: text(node.close, of: side),
            tail: text(node.tail, of: side),
            endTag: node.endTag
        )
    }

    private func text(_ text: String, of side: MergeSide) -> String {
        guard side == .theirs, text.utf8.contains(0x0A) || text.utf8.contains(0x0D) else {
            return text
        }
        let plain = String(text.unicodeScalars.filter { $0 != "\r" }.map(Character.init))
        guard tree.lineEnd != "\n" else { return plain }
        return plain.split(separator: "\n", omittingEmptySubsequences: false)
            .joined(separator: tree.lineEnd)
    }

    private func setAttributes(of node: SourceNode, to element: MergedElement, in entity: String?) {
        let values = element.attributes.map { names.value(of: $0, in: element, of: entity) }
        if let other = element.other?.node,
            zip(element.attributes, values).allSatisfy({
                other[$0.source.name] == $1
            }), other.attributes.count == values.count,
            node.attributes.count != values.count
                || !zip(element.attributes, values).allSatisfy({ node[$0.source.name] == $1 })
        {
            // Only the other side changed the tag: it is kept as that side wrote it.
            node.attributes = copy(other, of: element.side.other).attributes
            return
        }
        let wanted = Set(element.attributes.map(\.source.name))
        for attribute in node.attributes where !wanted.contains(attribute.name) {
            tree.set(attribute.name, nil, of: node)
        }
        for (attribute, value) in zip(element.attributes, values) {
            let (name, written) = (attribute.source.name, attribute.source.written)
            if attribute.side == element.side, value == written { continue }
            if Vocabulary.isNameSpace(name) {
                node.attributes.removeAll { $0.name == name }
                node.attributes.append(.init(name: name, value: "", text: written))
            } else {
                tree.set(name, value, of: node)
            }
        }
    }

    private struct Child {
        var node: SourceNode
        /// The index among the children of the edited element; `nil` for one that is added.
        var place: Int?
        var notes: String
    }

    private mutating func setChildren(
        of node: SourceNode,
        to element: MergedElement,
        depth: Int,
        in entity: String?
    ) {
        let former = element.source.node.children
        let places = Dictionary(firstOf: former.enumerated().map { (ObjectIdentifier($1), $0) })
        var (children, notes): ([Child], String) = ([], "")
        func add(_ elements: [MergedElement], _ text: inout MergedText) {
            for element in elements {
                let node = text.node(for: element, depth: depth + 1, of: entity)
                let place = places[ObjectIdentifier(element.source.node)]
                children.append(Child(node: node, place: place, notes: notes))
                notes = ""
            }
        }
        for child in element.children {
            switch child {
            case .element(let element): add([element], &self)
            case .conflict(let ours, let theirs, let clash):
                let indent = lineBreak(before: (ours + theirs).first)
                clashes.append(clash)
                notes +=
                    indent + Self.mark + "<!-- <<<<<<< ours" + indent + commented(clash) + " -->"
                add(ours, &self)
                notes += indent + "<!-- =======" + (theirs.isEmpty ? indent + "removed" : "")
                notes += hidden(theirs, depth: depth + 1, of: entity)
                notes += indent + ">>>>>>> theirs -->"
            }
        }
        place(children, in: node, former, of: element.side, depth: depth)
        guard !notes.isEmpty else { return }
        if node.endTag.isEmpty {
            let end = tree.lineEnd + String(repeating: tree.indent, count: depth)
            (node.close, node.tail, node.endTag) = (">", end, "</\(node.name)>")
        }
        node.tail = notes + node.tail
    }

    /// Removes, moves and adds children, each by an edit of the source.
    private func place(
        _ children: [Child],
        in node: SourceNode,
        _ former: [SourceNode],
        of side: MergeSide,
        depth: Int
    ) {
        let kept = children.filter { $0.place != nil }
        let stays = Dictionary(
            firstOf: kept.compactMap { child in child.place.map { ($0, child.node) } }
        )
        node.children = former.indices.map { stays[$0] ?? copy(former[$0], of: side) }
        for (index, child) in node.children.enumerated() where stays[index] == nil {
            tree.remove(child, from: node)
        }
        if node.children.map(ObjectIdentifier.init) != kept.map({ ObjectIdentifier($0.node) }) {
            let gaps = node.children.map(\.gap)
            node.children = kept.map(\.node)
            for (child, gap) in zip(node.children, gaps)
            where !gap.contains("<") && !child.gap.contains("<") { child.gap = gap }
        }
        for (index, child) in children.enumerated() {
            if child.place == nil {
                let gap = child.node.gap
                tree.insert(child.node, into: node, depth: depth + 1, at: index)
                if gap.contains("<") { child.node.gap = gap }
            }
            child.node.gap = child.notes + child.node.gap
        }
    }

    /// Writes their version of the tag of an element whose content is merged.
    private mutating func write(
        _ clash: MergeClash,
        above node: SourceNode,
        _ element: MergedElement
    ) {
        let indent = lineBreak(before: element)
        clashes.append(clash)
        node.gap +=
            Self.mark + "<!-- <<<<<<< ours: the next tag" + indent + commented(clash) + indent
        node.gap += "=======" + indent
        if let other = element.other?.node {
            let tag = copy(other, of: element.side.other)
            var text = "<" + tag.name
            for attribute in tag.attributes { text += attribute.text }
            node.gap += withoutComments(text + tag.close)
        }
        node.gap += indent + ">>>>>>> theirs -->" + indent
    }

    /// Their version of an element, for a comment; its own conflicts are not part of the file.
    private func hidden(_ elements: [MergedElement], depth: Int, of entity: String?) -> String {
        var other = self
        var text = ""
        for element in elements {
            other.node(for: element, depth: depth, of: entity).write(to: &text)
        }
        return withoutComments(text.replacing(Self.mark, with: ""))
    }

    private func commented(_ clash: MergeClash) -> String {
        clash.text.replacing("--", with: "- -").replacing("--", with: "- -")
    }

    /// Escapes hyphens so that a text may be in a comment; values keep their meaning.
    private func withoutComments(_ text: String) -> String {
        var hidden: [UInt8] = []
        let hyphen = UInt8(ascii: "-")
        for byte in text.utf8 {
            if byte == hyphen, hidden.last == hyphen {
                hidden += Array("&#45;".utf8)
            } else {
                hidden.append(byte)
            }
        }
        return String(decoding: hidden, as: UTF8.self)
    }

    private func lineBreak(before element: MergedElement?) -> String {
        let gap = element?.source.node.gap ?? ""
        return tree.lineEnd + String(gap.reversed().prefix { $0 == " " || $0 == "\t" }.reversed())
    }
}
