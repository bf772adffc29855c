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
    return conflict(
        at: FileLocation(path: path, line: marker + 1, column: 1),
        "keep one side, or merge the versions again with \(.merging)"
    )
}

/// Finds the first conflict that `momtool merge` left in a source, as comments, so that Xcode still opens it.
///
/// - Parameters:
///   - bytes: the file's content, which is XML.
///   - path: the path of the file.
/// - Returns: an error at the line of the marker; `nil` when there is none.
func commentedConflict(in bytes: [UInt8], path: String) -> Diagnostic? {
    let newline = UInt8(ascii: "\n")
    guard let marker = conflictMarker(in: bytes) else { return nil }
    let lines = bytes[marker...].split(separator: newline)
    let end = lines.dropFirst().first { line in
        line.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
            .starts(with: ">>>>>>> theirs -->".utf8)
    }
    guard end != nil else { return nil }
    let before = bytes[..<marker]
    let place = FileLocation(
        path: path,
        line: before.count { $0 == newline } + 1,
        column: marker - (before.lastIndex(of: newline) ?? -1)
    )
    return conflict(at: place, "keep one side, and remove the comments that \(.merging) left")
}

private func conflict(at place: FileLocation, _ advice: Wording) -> Diagnostic {
    let line = place.line.map { " at line \($0)" } ?? ""
    return Diagnostic(
        .mergeConflict,
        saying: "unresolved merge conflict\(line): \(advice)",
        at: place
    )
}

/// The index of the first comment that begins as a conflict of `momtool merge` does.
///
/// Every model that is read is searched: of seven brackets side by side one is at a multiple of seven.
private func conflictMarker(in bytes: [UInt8]) -> Int? {
    let opening = Array("<!-- <<<<<<< ours".utf8)
    let bracket = UInt8(ascii: "<")
    return bytes.withUnsafeBufferPointer { bytes in
        for index in stride(from: 6, to: bytes.count, by: 7) where bytes[index] == bracket {
            var start = index
            while start > 0, bytes[start - 1] == bracket { start -= 1 }
            start -= 5
            if start >= 0, bytes[start...].starts(with: opening) { return start }
        }
        return nil
    }
}
