package import Diagnostics

extension RuleID { package static let impossibleEdit: RuleID = "impossible-edit" }

/// Returns a model source after edits; every byte outside them stays as it is.
///
/// Messages name `path`. Throws ``EditFault`` for the first edit that has nothing to change, or something in its way.
package func edited(
    _ contents: [UInt8],
    _ edits: [ModelEdit],
    path: String
) throws(EditFault) -> [UInt8] {
    try EditedSource(contents, edits, path: path).bytes
}

/// A model source after edits, with dangling references.
package struct EditedSource: Sendable, Hashable {
    package let bytes: [UInt8]
    /// The references to removed elements, which are meaningless without them.
    package let looseEnds: [ElementPath]

    /// Applies edits, in their order, to the bytes of a `contents` file.
    ///
    /// Messages name `path`. `knowsAll` refuses settings that Xcode's sources do not have. Throws ``EditFault`` for the
    /// first edit that has nothing to change, or something in its way.
    package init(
        _ contents: [UInt8],
        _ edits: [ModelEdit],
        path: String,
        knowsAll: Bool = false
    ) throws(EditFault) {
        let tree = try SourceTree(contents, path: path)
        var editor = SourceEditor(tree, knowsAll: knowsAll)
        for (index, edit) in edits.enumerated() {
            do throws(EditFault) { try editor.apply(edit) } catch {
                throw EditFault(saying: "\(ModelEdit.label(of: index, in: edits))\(error.wording)")
            }
        }
        bytes = Array(editor.tree.text.utf8)
        looseEnds = editor.looseEnds
    }
}

/// Returns the edits that lead from one model source to another.
///
/// Content is compared, not form: comments, line ends, the order of XML attributes and unknown parts are left out.
package func edits(
    from old: [UInt8],
    to new: [UInt8],
    path: String
) throws(EditFault) -> [ModelEdit] {
    let (before, after) = (try SourceTree(old, path: path), try SourceTree(new, path: path))
    return try EditDifference(from: before, to: after).edits
}
