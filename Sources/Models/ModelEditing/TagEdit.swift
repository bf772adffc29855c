/// A change of one XML tag, as fixes make them.
package enum TagEdit: Sendable, Hashable {
    /// Gives the attribute a value where it has none; it stands where Xcode has it.
    case add(String, String)
    /// Takes the attribute away.
    case remove(String)
    /// Gives the attribute another name, where none has that.
    case rename(String, to: String)
    /// Gives the attribute a value, in place of the one that it has.
    case set(String, String)
    /// Gives an attribute of the elements of a name below the tag another value, where it has a certain one.
    case replace(below: String, String, String, with: String)
    /// Takes the element away, where another one beside it says the same.
    case removeTwin
}

/// Changes tags of a model source by their offsets; every byte that no edit is about stays as it is.
///
/// An edit whose offset does not hold what it is about is left out.
///
/// - Parameters:
///   - contents: the bytes of a `contents` file.
///   - groups: the edits, each with the offset of the `<` of its tag; those of a group belong together.
///   - path: the path of the file, for messages.
/// - Returns: the bytes afterwards, and the indices of the groups of which something was edited; none in a file that
///   cannot be taken apart.
package func edited(
    _ contents: [UInt8],
    tags groups: [[(offset: Int, edit: TagEdit)]],
    path: String
) -> (bytes: [UInt8], made: [Int]) {
    guard groups.contains(where: { !$0.isEmpty }), let tree = try? SourceTree(contents, path: path)
    else { return (contents, []) }
    let made = groups.indices.filter { index in
        // Every edit is tried: one of a pair may be made already.
        groups[index].map { offset, edit in
            tree.node(at: offset).map { tree.apply(edit, to: $0) } ?? false
        }.contains(true)
    }
    return (Array(tree.text.utf8), made)
}

extension SourceTree {
    /// Edits a tag, and says whether anything changed.
    fileprivate func apply(_ edit: TagEdit, to node: SourceNode) -> Bool {
        switch edit {
        case .add(let name, let value):
            guard node[name] == nil else { return false }
            set(name, value, of: node)
        case .remove(let name):
            guard node[name] != nil else { return false }
            set(name, nil, of: node)
        case .rename(let old, let new):
            guard node[old] != nil, node[new] == nil else { return false }
            renameAttribute(old, to: new, of: node)
        case .set(let name, let value):
            guard node[name] != value else { return false }
            set(name, value, of: node)
        case .replace(let name, let attribute, let old, let new):
            let found = node.children(name).filter { $0[attribute] == old }
            guard !found.isEmpty else { return false }
            for child in found { set(attribute, new, of: child) }
        case .removeTwin:
            guard let holder = holder(of: node, in: root),
                holder.children.contains(where: { $0 !== node && $0.says(whatIsSaidBy: node) })
            else { return false }
            remove(node, from: holder)
        }
        return true
    }

    private func holder(of node: SourceNode, in parent: SourceNode) -> SourceNode? {
        if parent.children.contains(where: { $0 === node }) { return parent }
        return parent.children.lazy.compactMap { self.holder(of: node, in: $0) }.first
    }
}

extension SourceNode {
    /// Whether another element has the same name, attributes and children, however it is written.
    fileprivate func says(whatIsSaidBy other: SourceNode) -> Bool {
        guard name == other.name, attributes.count == other.attributes.count,
            children.count == other.children.count, characters == other.characters
        else { return false }
        return attributes.allSatisfy { other[$0.name] == $0.value }
            && zip(children, other.children).allSatisfy { $0.says(whatIsSaidBy: $1) }
    }
}
