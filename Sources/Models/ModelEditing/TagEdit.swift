/// A change of one XML attribute of a tag, as fixes make them.
package enum TagEdit: Sendable, Hashable {
    /// Gives the attribute a value where it has none; it stands where Xcode has it.
    case add(String, String)
    /// Takes the attribute away.
    case remove(String)
    /// Gives the attribute another name, where none has that.
    case rename(String, to: String)
}

/// Changes attributes of a model source by the offsets of their tags; every byte that no edit is about stays as it is.
///
/// An edit whose offset does not hold what it is about is left out.
///
/// - Parameters:
///   - contents: the bytes of a `contents` file.
///   - edits: the edits, each with the offset of the `<` of its tag.
///   - path: the path of the file, for messages.
/// - Returns: the bytes afterwards, and how many edits were made; none in a file that cannot be taken apart.
package func edited(
    _ contents: [UInt8],
    tags edits: [(offset: Int, edit: TagEdit)],
    path: String
) -> (bytes: [UInt8], count: Int) {
    guard !edits.isEmpty, let tree = try? SourceTree(contents, path: path) else {
        return (contents, 0)
    }
    var count = 0
    for (offset, edit) in edits {
        guard let node = tree.node(at: offset) else { continue }
        switch edit {
        case .add(let name, let value):
            guard node[name] == nil else { continue }
            tree.set(name, value, of: node)
        case .remove(let name):
            guard node[name] != nil else { continue }
            tree.set(name, nil, of: node)
        case .rename(let old, let new):
            guard node[old] != nil, node[new] == nil else { continue }
            tree.renameAttribute(old, to: new, of: node)
        }
        count += 1
    }
    return (Array(tree.text.utf8), count)
}
