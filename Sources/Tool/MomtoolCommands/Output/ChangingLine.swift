import Essentials

/// A line on a terminal that is overwritten again and again; nothing where there is none.
struct ChangingLine: Sendable {
    private let width: Int?

    /// Looks at standard error; `isWanted` is false where others write there at the same time.
    init(isWanted: Bool = true) {
        // Reading the environment copies all of it.
        let isShown = isWanted && Surroundings.current.environment["TERM"] != "dumb"
        width = isShown ? Console.width(of: STDERR_FILENO) : nil
    }

    var isVisible: Bool { width != nil }

    /// Writes the line; the text is made only where somebody sees it.
    func show(_ text: @autoclosure () -> String) {
        // A line that is wrapped could not be overwritten.
        if let width { Console.write("\r\u{1B}[K" + String(text().prefix(width - 1))) }
    }

    func clear() { if width != nil { Console.write("\r\u{1B}[K") } }
}
