package import Diagnostics

extension RuleID {
    /// An edit that cannot be applied.
    package static let impossibleEdit: RuleID = "impossible-edit"
}

/// Returns a model source after edits; every byte that no edit is about stays as it is.
///
/// ```swift
/// let text = try edited(contents, [.rename(.entity("Stop").appending(.attribute, "label"), to: "caption")], path: path)
/// ```
///
/// - Parameters:
///   - contents: the bytes of a `contents` file.
///   - edits: the edits, in their order.
///   - path: the path of the file, for messages.
/// - Returns: the bytes afterwards.
/// - Throws: ``EditFault`` for the first edit that has nothing to change, or something in its way.
package func edited(
    _ contents: [UInt8],
    _ edits: [ModelEdit],
    path: String
) throws(EditFault) -> [UInt8] {
    var editor = SourceEditor(try SourceTree(contents, path: path))
    for edit in edits { try editor.apply(edit) }
    return Array(editor.tree.text.utf8)
}

/// Returns the edits that lead from one model source to another.
///
/// What a source says is compared, not its form: comments, line ends, the order of XML attributes and what is not known
/// of Xcode's sources are not part of edits.
///
/// - Throws: ``EditFault`` for sources that cannot be taken apart.
package func edits(
    from old: [UInt8],
    to new: [UInt8],
    path: String
) throws(EditFault) -> [ModelEdit] {
    let (before, after) = (try SourceTree(old, path: path), try SourceTree(new, path: path))
    return try EditDifference(from: before, to: after).edits
}

/// Returns what would be left without meaning when an element is removed, as edits name it.
///
/// - Throws: ``EditFault`` when there is no such element.
package func references(
    to path: ElementPath,
    in contents: [UInt8],
    path file: String
) throws(EditFault) -> [ElementPath] {
    let editor = SourceEditor(try SourceTree(contents, path: file))
    _ = try editor.require(path)
    return editor.references(to: path)
}
