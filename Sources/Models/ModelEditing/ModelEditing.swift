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
    try EditedSource(contents, edits, path: path).bytes
}

/// A model source after edits, with what they left behind.
package struct EditedSource: Sendable, Hashable {
    /// The source.
    package let bytes: [UInt8]
    /// What refers to elements that were removed, and has no meaning without them.
    package let looseEnds: [ElementPath]

    /// Applies edits, in their order.
    ///
    /// - Parameters:
    ///   - contents: the bytes of a `contents` file.
    ///   - edits: the edits.
    ///   - path: the path of the file, for messages.
    ///   - knowsAll: whether settings that Xcode's sources do not have are refused.
    /// - Throws: ``EditFault`` for the first edit that has nothing to change, or something in its way.
    package init(
        _ contents: [UInt8],
        _ edits: [ModelEdit],
        path: String,
        knowsAll: Bool = false
    ) throws(EditFault) {
        let tree = try SourceTree(contents, path: path)
        var editor = SourceEditor(tree, knowsAll: knowsAll)
        for (index, edit) in edits.enumerated() {
            do throws(EditFault) {
                try editor.apply(edit)
            } catch {
                throw EditFault(saying: "\(ModelEdit.label(of: index, in: edits))\(error.wording)")
            }
        }
        bytes = Array(editor.tree.text.utf8)
        looseEnds = editor.looseEnds
    }
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
