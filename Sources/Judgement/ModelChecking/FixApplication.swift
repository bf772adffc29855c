import Diagnostics
import ModelCompiling
import ModelEditing

/// Carries out fixes in the bytes of one model source, by the writer of all edits; every byte that no fix names stays.
///
/// A fix whose place no longer holds what it names is left out, as in a file that is not UTF-8.
///
/// - Parameters:
///   - fixes: the fixes; those of one file, in any order.
///   - text: the bytes of the file.
/// - Returns: the bytes afterwards, and how many fixes were carried out.
package func applying(_ fixes: [Fix], to text: [UInt8]) -> (text: [UInt8], count: Int) {
    var starts = [0]
    for (offset, byte) in text.enumerated() where byte == UInt8(ascii: "\n") {
        starts.append(offset + 1)
    }
    let path = fixes.first?.location.path ?? ""
    let edits = fixes.compactMap { fix -> (offset: Int, edit: TagEdit)? in
        guard let line = fix.location.line, let column = fix.location.column,
            starts.indices.contains(line - 1), column > 0, let edit = fix.edit.ofTag
        else { return nil }
        return (starts[line - 1] + column - 1, edit)
    }
    let (result, count) = edited(text, tags: edits, path: path)
    guard let rewriting = fixes.first(where: { $0.edit == .rewrite }),
        let form = xcodeForm(of: result, path: rewriting.location.path), form != result
    else { return (result, count) }
    return (form, count + 1)
}

extension Fix.Edit {
    /// The change of one tag; `nil` for one of the whole file.
    fileprivate var ofTag: TagEdit? {
        switch self {
        case .rename(let attribute, let name): .rename(attribute, to: name)
        case .remove(let attribute): .remove(attribute)
        case .add(let attribute, let value): .add(attribute, value)
        case .rewrite: nil
        }
    }
}
