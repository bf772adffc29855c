package import Diagnostics

extension FileLocation {
    /// Reads a location from its printed form, such as `path:line:column`.
    package init(printed text: Substring) {
        var parts = text.split(separator: ":", omittingEmptySubsequences: false)
        var numbers: [Int] = []
        while numbers.count < 2, parts.count > 1, let number = parts.last.flatMap({ Int($0) }) {
            numbers.insert(number, at: 0)
            parts.removeLast()
        }
        self.init(
            path: parts.joined(separator: ":"),
            line: numbers.first,
            column: numbers.count > 1 ? numbers[1] : nil
        )
    }
}
