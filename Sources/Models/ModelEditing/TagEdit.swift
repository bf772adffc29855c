package enum TagEdit: Sendable, Hashable {
    /// Gives the attribute a value where it has none, at Xcode's position.
    case add(String, String)
    /// With the white space before it.
    case remove(String)
    /// Renames the attribute, unless the new name exists.
    case rename(String, to: String)
    /// Replaces the value, or adds the attribute where Xcode writes it.
    case set(String, String)
    /// Replaces a certain value of an attribute in the elements of a name below the tag.
    case replace(below: String, String, String, with: String)
    /// Removes the element, where an equal one is beside it.
    case removeTwin
}

/// Changes tags of a model source by their offsets; every byte outside the edits stays as it is.
///
/// Each edit has the offset of the `<` of its tag; one whose offset has something else is left out. Edits of a group
/// belong together; the result has the indices of the groups that changed anything, or is empty for a file that cannot
/// be parsed. Messages name `path`.
package func edited(
    _ contents: [UInt8],
    tags groups: [[(offset: Int, edit: TagEdit)]],
    path: String
) -> (bytes: [UInt8], made: [Int]) {
    guard groups.contains(where: { !$0.isEmpty }), let tree = try? SourceTree(contents, path: path)
    else { return (contents, []) }
    let made = groups.indices.filter { index in
        // Every edit is tried: one of a pair may already be made.
        groups[index].map { offset, edit in
            tree.node(at: offset).map { tree.apply(edit, to: $0) } ?? false
        }.contains(true)
    }
    return (Array(tree.text.utf8), made)
}

extension SourceTree {
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
                holder.children.contains(where: { $0 !== node && $0.hasContent(of: node) })
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
    fileprivate func hasContent(of other: SourceNode) -> Bool {
        guard name == other.name, attributes.count == other.attributes.count,
            children.count == other.children.count, characters == other.characters
        else { return false }
        return attributes.allSatisfy { other[$0.name] == $0.value }
            && zip(children, other.children).allSatisfy { $0.hasContent(of: $1) }
    }
}
