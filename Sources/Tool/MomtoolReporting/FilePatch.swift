import Essentials

/// A changed file as a unified diff, in the form that `git apply` and `patch -p1` take.
package struct FilePatch: Sendable, Hashable {
    package var path: String
    package var newPath: String
    /// `nil` where there was no file.
    package var old: [UInt8]?
    /// `nil` if the file is removed.
    package var new: [UInt8]?
    package var isCopy: Bool

    package init(
        _ path: String,
        to newPath: String? = nil,
        old: [UInt8]?,
        new: [UInt8]?,
        isCopy: Bool = false
    ) {
        (self.path, self.newPath) = (path, newPath ?? path)
        (self.old, self.new, self.isCopy) = (old, new, isCopy)
    }

    package var isEmpty: Bool { path == newPath && old == new }

    /// The patch, without a final line break; empty if nothing differs.
    package var text: String {
        guard !isEmpty else { return "" }
        let isSame = old == new
        var lines = ["diff --git \(Self.name("a", path)) \(Self.name("b", newPath))"]
        if old == nil { lines.append("new file mode 100644") }
        if new == nil { lines.append("deleted file mode 100644") }
        if path != newPath {
            if isSame { lines.append("similarity index 100%") }
            let word = isCopy ? "copy" : "rename"
            lines.append("\(word) from \(Self.quoted(path))")
            lines.append("\(word) to \(Self.quoted(newPath))")
        }
        guard !isSame else { return lines.joined(separator: "\n") }
        let (before, after) = (
            old == nil ? "/dev/null" : Self.name("a", path),
            new == nil ? "/dev/null" : Self.name("b", newPath)
        )
        guard old?.contains(0) != true, new?.contains(0) != true else {
            return (lines + ["Binary files \(before) and \(after) differ"]).joined(separator: "\n")
        }
        // A name with a space is followed by a tab, as in git.
        func title(_ name: String) -> String {
            name.contains(" ") && !name.hasPrefix("\"") ? name + "\t" : name
        }
        lines.append("--- \(old == nil ? "/dev/null" : title(Self.name("a", path)))")
        lines.append("+++ \(new == nil ? "/dev/null" : title(Self.name("b", newPath)))")
        lines += LineDifference(old ?? [], new ?? []).hunks
        return lines.joined(separator: "\n")
    }

    private static func name(_ side: String, _ path: String) -> String {
        quoted(side + (path.hasPrefix("/") ? "" : "/") + path)
    }

    /// A path as git writes it: in quotes where it has characters that lines cannot have.
    private static func quoted(_ path: String) -> String {
        let isPlain = path.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x22 && $0 != 0x5C && $0 != 0x7F }
        guard !isPlain else { return path }
        var text = "\""
        for scalar in path.unicodeScalars {
            switch scalar {
            case "\"", "\\": text += "\\\(scalar)"
            case _ where scalar.value < 0x20 || scalar.value == 0x7F:
                let digits = String(scalar.value, radix: 8)
                text += "\\" + String(repeating: "0", count: 3 - digits.count) + digits
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text + "\""
    }
}

private struct LineDifference {
    private struct Line {
        /// A blank, a minus or a plus.
        let mark: String
        let bytes: ArraySlice<UInt8>

        var isKept: Bool { mark == " " }
        var counts: (old: Int, new: Int) { (mark == "+" ? 0 : 1, mark == "-" ? 0 : 1) }

        var text: String {
            let isWhole = bytes.last == 0x0A
            let line = String(decoding: isWhole ? bytes.dropLast() : bytes, as: UTF8.self)
            return mark + line + (isWhole ? "" : "\n\\ No newline at end of file")
        }
    }

    private let lines: [Line]

    init(_ old: [UInt8], _ new: [UInt8]) {
        let (before, after) = (Self.split(old), Self.split(new))
        let head = zip(before, after).prefix { $0 == $1 }.count
        let rest = min(before.count, after.count) - head
        let tail = zip(before.reversed(), after.reversed()).prefix { $0 == $1 }.count
        let end = min(tail, rest)
        let (middleOld, middleNew) = (
            Array(before[head..<(before.count - end)]), Array(after[head..<(after.count - end)])
        )
        var lines = before[..<head].map { Line(mark: " ", bytes: $0) }
        var (removed, added) = (Set(middleOld.indices), Set(middleNew.indices))
        // With one side empty the search would take the square of the other.
        if !removed.isEmpty, !added.isEmpty {
            let numbers = numbered(middleOld, middleNew)
            (removed, added) = ([], [])
            for change in numbers[1].difference(from: numbers[0]) {
                switch change {
                case .remove(let offset, _, _): removed.insert(offset)
                case .insert(let offset, _, _): added.insert(offset)
                }
            }
        }
        var (one, two) = (0, 0)
        while one < middleOld.count || two < middleNew.count {
            if one < middleOld.count, removed.contains(one) {
                lines.append(Line(mark: "-", bytes: middleOld[one]))
                one += 1
            } else if two < middleNew.count, added.contains(two) {
                lines.append(Line(mark: "+", bytes: middleNew[two]))
                two += 1
            } else {
                lines.append(Line(mark: " ", bytes: middleOld[one]))
                (one, two) = (one + 1, two + 1)
            }
        }
        self.lines = lines + before[(before.count - end)...].map { Line(mark: " ", bytes: $0) }
    }

    private static func split(_ bytes: [UInt8]) -> [ArraySlice<UInt8>] {
        var lines: [ArraySlice<UInt8>] = []
        var start = 0
        for index in bytes.indices where bytes[index] == 0x0A {
            lines.append(bytes[start...index])
            start = index + 1
        }
        if start < bytes.count { lines.append(bytes[start...]) }
        return lines
    }

    /// The lines around a change.
    private static let context = 3

    /// The changes with the lines around them; nearby ones are joined.
    var hunks: [String] {
        var ranges: [Range<Int>] = []
        for index in lines.indices where !lines[index].isKept {
            let range = max(0, index - Self.context)..<min(lines.count, index + Self.context + 1)
            if let last = ranges.last, last.upperBound >= range.lowerBound {
                ranges[ranges.count - 1] = last.lowerBound..<range.upperBound
            } else {
                ranges.append(range)
            }
        }
        var result: [String] = []
        var (old, new, place) = (0, 0, 0)
        for range in ranges {
            for line in lines[place..<range.lowerBound] {
                (old, new) = (old + line.counts.old, new + line.counts.new)
            }
            let counts = lines[range].map(\.counts)
            let (lengthOld, lengthNew) = (
                counts.reduce(0) { $0 + $1.old }, counts.reduce(0) { $0 + $1.new }
            )
            result.append("@@ -\(Self.span(old, lengthOld)) +\(Self.span(new, lengthNew)) @@")
            result += lines[range].map(\.text)
            (old, new, place) = (old + lengthOld, new + lengthNew, range.upperBound)
        }
        return result
    }

    private static func span(_ start: Int, _ count: Int) -> String {
        "\(count == 0 ? start : start + 1)\(count == 1 ? "" : ",\(count)")"
    }
}
