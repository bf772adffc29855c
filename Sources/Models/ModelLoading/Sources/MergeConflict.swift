package import Diagnostics

/// Finds the first conflict that git left in a file, where a merge was not ended.
///
/// - Parameters:
///   - bytes: the file's content.
///   - path: the path of the file.
/// - Returns: an error at the line of the marker; `nil` when there is none.
package func mergeConflict(in bytes: [UInt8], path: String) -> Diagnostic? {
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    let marker = lines.firstIndex { line in
        line.starts(with: "<<<<<<< ".utf8) || line.elementsEqual("<<<<<<<".utf8)
    }
    guard let marker, lines[marker...].contains(where: { $0.starts(with: ">>>>>>>".utf8) }) else {
        return nil
    }
    let message =
        "unresolved merge conflict at line \(marker + 1): keep one side, or merge the versions again"
        + " with momtool merge"
    return Diagnostic(
        .mergeConflict,
        message,
        at: SourceLocation(path: path, line: marker + 1, column: 1)
    )
}
