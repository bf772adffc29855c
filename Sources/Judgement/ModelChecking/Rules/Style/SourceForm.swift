import Diagnostics
import Essentials
import ModelCompiling
import ObjectModel

extension Rule {
    static let sourceForm = Rule(
        .named("source-form", .style, .note),
        summary: "Sources are as Xcode writes them",
        rationale: """
            Whenever Xcode saves, it puts the attributes of each element and the entities and properties of a model in \
            its own order. The next save changes many lines of a source with another order, spelling or line ending, \
            as left by editors, scripts and merges, and the intended edit is lost among them. `--fix` writes the \
            source as Xcode would; no value or hash changes. Sources that Xcode never saved, and those with comments, \
            are left alone.
            """,
        fix: .keepingHash("writes the source as Xcode does"),
        check: .source { version, path, bytes in
            // A file from another tool has no form to keep.
            guard let tools = version.model.documentSettings["lastSavedToolsVersion"], tools != "1",
                let form = xcodeForm(of: bytes, path: path), form != bytes
            else { return [] }
            let newline = UInt8(ascii: "\n")
            let old = bytes.split(separator: newline, omittingEmptySubsequences: false)
            let new = form.split(separator: newline, omittingEmptySubsequences: false)
            let first = zip(old, new).prefix { $0 == $1 }.count
            let count = changedLines(old, new, from: first)
            let reason =
                bytes.contains(0x0D)
                ? "its lines end in CR and LF"
                : count > 0 ? "\(count) of its lines would change" : "its lines would change"
            let place = FileLocation(path: path, line: first + 1, column: 1)
            return [
                Violation(
                    "the source is not as Xcode writes it: \(reason) at the next save in Xcode, from here on",
                    at: place,
                    fix: Fix("write the source as Xcode does", at: place, .rewrite)
                )
            ]
        }
    )
}

/// The number of lines, from the first difference, that moved or are missing, if that is fast to find; otherwise 0.
private func changedLines(
    _ old: [ArraySlice<UInt8>],
    _ new: [ArraySlice<UInt8>],
    from start: Int
) -> Int {
    let end = zip(old.dropFirst(start).reversed(), new.dropFirst(start).reversed())
        .prefix { $0 == $1 }.count
    let (left, right) = (old[start..<(old.count - end)], new[start..<(new.count - end)])
    // The time of the comparison grows with the square of the number of differences.
    guard left.count <= 2_000, right.count <= 2_000 else { return 0 }
    let numbers = numbered(Array(left), Array(right))
    let difference = numbers[1].difference(from: numbers[0])
    return max(difference.removals.count, difference.insertions.count)
}
