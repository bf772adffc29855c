import Diagnostics
import ModelEditing
import ModelLoading
import XMLReading

/// The source of one side, with its elements.
struct SourceText {
    /// The source, taken apart so that it can be edited.
    let tree: SourceTree
    /// The root element.
    let root: SourceElement
    /// What key paths of the source lead through.
    let graph: EntityGraph
}

/// An element of a side, and the text that it stands in.
struct SourceElement {
    /// An attribute.
    struct Attribute {
        var name: String
        /// The value, in which names of what was renamed are those of the base.
        var value: String
        /// The value as it stands in the file.
        let written: String
        /// The entity whose properties a predicate or an expression names; `nil` for what is neither.
        var subject: String?
    }

    let name: String
    /// The name in the base of what was renamed since.
    var formerName: String?
    var attributes: [Attribute]
    var children: [SourceElement]
    /// The character data of an element without children.
    let text: String
    /// Whether a comment stands before the element.
    var hasComment = false
    /// The element in its source.
    let node: SourceNode

    subscript(attribute: String) -> String? {
        attributes.first { $0.name == attribute }?.value
    }
}

extension SourceText {
    /// Reads a side.
    ///
    /// - Throws: `MergeFault` when the text is no XML, or not in UTF-8, in which Xcode writes it.
    init(_ text: [UInt8], path: String, name: String) throws(MergeFault) {
        do throws(SourceFault) {
            tree = try SourceTree(source: text, path: path)
        } catch {
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
            // Declarations of name spaces have no value of their own.
            let isSpace = Vocabulary.isNameSpace(attribute.name)
            let value = isSpace ? attribute.text : attribute.value
            let isText = Vocabulary.namesProperties(attribute.name, of: node.name)
            return Attribute(
                name: attribute.name,
                value: value,
                written: value,
                subject: isText ? subject : nil
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
