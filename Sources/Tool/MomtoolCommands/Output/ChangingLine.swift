import Essentials

/// A line on a terminal that is written over again and again; nothing where there is none.
struct ChangingLine: Sendable {
    /// The number of columns of the terminal; `nil` when there is none.
    private let width: Int?

    /// Looks at what standard error is; `isWanted` is false where others write there at the same time.
    init(isWanted: Bool = true) {
        // The environment is copied whole when it is asked for.
        let isShown = isWanted && Surroundings.current.environment["TERM"] != "dumb"
        width = isShown ? Console.width(of: STDERR_FILENO) : nil
    }

    /// Whether there is a terminal that shows it.
    var isVisible: Bool { width != nil }

    /// Writes the line; the text is made only where somebody sees it.
    func show(_ text: @autoclosure () -> String) {
        // A line that is wrapped could not be written over.
        if let width { Console.write("\r\u{1B}[K" + String(text().prefix(width - 1))) }
    }

    /// Takes the line away.
    func clear() {
        if width != nil { Console.write("\r\u{1B}[K") }
    }
}
