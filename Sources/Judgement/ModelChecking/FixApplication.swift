import Diagnostics
import ModelCompiling
import ModelEditing

/// Applies fixes to the bytes of one model source, in any order, and returns those applied; every other byte stays.
///
/// A fix whose location no longer holds what it names is left out, as in a file that is not UTF-8.
package func applying(_ fixes: [Fix], to text: [UInt8]) -> (text: [UInt8], made: [Fix]) {
    var starts = [0]
    for (offset, byte) in text.enumerated() where byte == UInt8(ascii: "\n") {
        starts.append(offset + 1)
    }
    // Two findings may have one cure, as the two sides of a relationship.
    var seen: Set<[Fix.Change]> = []
    let distinct = fixes.filter { seen.insert($0.changes).inserted }
    let edits = distinct.map { fix in
        fix.changes.compactMap { change -> (offset: Int, edit: TagEdit)? in
            guard let line = change.location.line, let column = change.location.column,
                starts.indices.contains(line - 1), column > 0, case .tag(let edit) = change.edit
            else { return nil }
            return (starts[line - 1] + column - 1, edit)
        }
    }
    let (result, indices) = edited(text, tags: edits, path: fixes.first?.path ?? "")
    let made = indices.map { distinct[$0] }
    let rewriting = fixes.first { fix in fix.changes.contains { $0.edit == .rewrite } }
    guard let rewriting, let form = xcodeForm(of: result, path: rewriting.path), form != result
    else { return (result, made) }
    return (form, made + [rewriting])
}
