import Diagnostics
import ModelEditing
import ModelLoading
import XMLReading

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
        (self.side, self.source, self.other) = (side, source, other)
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

struct SourceText {
    /// The source, parsed so that it can be edited.
    let tree: SourceTree
    let root: SourceElement
    let graph: EntityGraph
}

struct SourceElement {
    struct Attribute {
        var name: String
        /// The value, in which renamed items have their names in the base.
        var value: String
        /// The value as written in the file.
        let written: String
        /// The entities whose properties a predicate or an expression names, its own and that of `$FETCH_SOURCE`; `nil`
        /// for others.
        var subject: (entity: String, source: String?)?
    }

    let name: String
    /// The name in the base, if the element was renamed since.
    var formerName: String?
    var attributes: [Attribute]
    var children: [SourceElement]
    let text: String
    var hasComment = false
    let node: SourceNode

    subscript(attribute: String) -> String? { attributes.first { $0.name == attribute }?.value }
}

extension SourceText {
    /// Reads a side; throws if the text is not XML, or not UTF-8, which Xcode writes.
    init(_ text: [UInt8], path: String, name: String) throws(MergeFault) {
        do throws(SourceFault) { tree = try SourceTree(source: text, path: path) } catch {
            var fault: Diagnostic
            switch error {
            case .malformed(let found): fault = found.diagnostic
            case .strange(let found):
                fault = Diagnostic(.notAModel, found.message, at: FileLocation(path: path))
            }
            fault.message = "\(name): \(fault.message)"
            throw MergeFault(diagnostics: [fault])
        }
        root = SourceElement(tree.root, of: nil)
        graph = EntityGraph(tree.root)
    }
}

extension SourceElement {
    fileprivate init(_ node: SourceNode, of entity: String?) {
        name = node.name
        self.node = node
        let owner = name == "entity" ? node["name"] : entity
        let subject = name == "fetchRequest" ? node["entity"] ?? owner : owner
        attributes = node.attributes.map { attribute in
            // Namespace declarations have no value of their own.
            let isSpace = Vocabulary.isNameSpace(attribute.name)
            let value = isSpace ? attribute.text : attribute.value
            let isText = Vocabulary.namesProperties(attribute.name, of: node.name)
            return Attribute(
                name: attribute.name,
                value: value,
                written: value,
                subject: isText ? subject.map { ($0, owner) } : nil
            )
        }
        text = node.characters
        children = node.children.map { node in
            var child = SourceElement(node, of: owner)
            child.hasComment = node.gap.contains("<")
            return child
        }
    }
}
