import Essentials
package import Diagnostics

/// Finds the first conflict that git left in a file, where a merge was not ended: an error at the line of the marker.
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
        path.hasSuffix(".xcdatamodel/contents")
            ? "merge both sides again: \(.mergingSides(of: path))"
            : "keep one side, or merge the versions again with \(.merging)"
    )
}

/// Finds the first conflict that `momtool model merge` left in an XML source, as comments; Xcode still opens it.
///
/// It is an error at the line of the marker, even where only the first of the two comments was removed.
func commentedConflict(in bytes: [UInt8], path: String) -> Diagnostic? {
    let newline = UInt8(ascii: "\n")
    guard let end = endMarker(in: bytes) else { return nil }
    let marker =
        bytes.firstRange(of: openingMarker)?.lowerBound
        ?? bytes[..<end].ranges(of: Array("<!-- =======".utf8)).last?.lowerBound
    guard let marker, marker < end else { return nil }
    let before = bytes[..<marker]
    let place = FileLocation(
        path: path,
        line: before.count { $0 == newline } + 1,
        column: marker - (before.lastIndex(of: newline) ?? -1)
    )
    return conflict(at: place, "keep one side, and remove the comments that \(.merging) left")
}

private let openingMarker = Array("<!-- <<<<<<< ours".utf8)

private func conflict(at place: FileLocation, _ advice: Wording) -> Diagnostic {
    let line = place.line.map { " at line \($0)" } ?? ""
    return Diagnostic(
        .mergeConflict,
        saying: "unresolved merge conflict\(line): \(advice)",
        at: place
    )
}

/// The index of the first mark that ends a conflict of `momtool model merge`; it begins its line.
///
/// Every model is searched: of seven adjacent brackets one is at a multiple of seven.
private func endMarker(in bytes: [UInt8]) -> Int? {
    let ending = Array(">>>>>>> theirs -->".utf8)
    let bracket = UInt8(ascii: ">")
    return bytes.withUnsafeBufferPointer { bytes in
        for index in stride(from: 6, to: bytes.count, by: 7) where bytes[index] == bracket {
            var start = index
            while start > 0, bytes[start - 1] == bracket { start -= 1 }
            guard bytes[start...].starts(with: ending) else { continue }
            let blanks = bytes[..<start].reversed().prefix { $0 == 0x20 || $0 == 0x09 }
            let line = start - blanks.count
            if line == 0 || bytes[line - 1] == 0x0A { return start }
        }
        return nil
    }
}
