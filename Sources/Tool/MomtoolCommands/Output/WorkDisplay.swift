import Diagnostics
import Essentials

/// Work that is shown on a terminal after a second: how much is done, and how long the rest takes.
final class WorkDisplay: Sendable {
    private struct State {
        var shown: ContinuousClock.Instant?
        var done = 0
    }

    private let line: ChangingLine
    private let title: String
    private let unit: String
    private let start = ContinuousClock.now
    private let state = Locked(State())

    /// Starts the clock; nothing is shown if standard error is not a terminal, or `isWanted` is false.
    init(_ title: String, unit: String, isWanted: Bool = true) {
        (self.title, self.unit) = (title, unit)
        line = ChangingLine(isWanted: isWanted && !Console.isQuiet)
    }

    /// Shows work while it is done, and removes the line afterwards, whether it succeeds or not.
    static func during<Result>(
        _ title: String,
        unit: String,
        _ work: (_ progress: ((_ done: Int, _ total: Int) -> Void)?) throws -> Result
    ) rethrows -> Result {
        let display = WorkDisplay(title, unit: unit)
        defer { display.clear() }
        return try work(display.progress)
    }

    var isVisible: Bool { line.isVisible }

    var progress: ((_ done: Int, _ total: Int) -> Void)? {
        isVisible ? { self.show($0, of: $1 == 0 ? nil : $1) } : nil
    }

    func show(_ done: Int, of total: Int?, _ detail: String = "") {
        guard isVisible else { return }
        let now = ContinuousClock.now
        let isDue = state.withLock { state in
            guard now - (state.shown ?? start) >= (state.shown == nil ? .seconds(1) : Self.pause)
            else { return false }
            state.shown = now
            return true
        }
        guard isDue else { return }
        line.show(Self.text(title, done, of: total, unit, detail, after: now - start))
    }

    func showNext(of total: Int?) {
        let done = state.withLock { state in
            state.done += 1
            return state.done
        }
        show(done, of: total)
    }

    func clear() { line.clear() }

    private static let pause = Duration.milliseconds(100)

    /// Such as `verify: 40 of 120 checks, 33 %, 12 s left`.
    static func text(
        _ title: String,
        _ done: Int,
        of total: Int?,
        _ unit: String,
        _ detail: String = "",
        after time: Duration
    ) -> String {
        let all = total.map { " of \(max($0, done))" } ?? ""
        var parts = ["\(title): \(done)\(all) \(unit)"]
        if let total, total > 0, done > 0, done <= total {
            parts.append("\(Int(100 * Double(done) / Double(total))) %")
            if let left = left(time * (Double(total - done) / Double(done))) { parts.append(left) }
        } else {
            parts.append(words(time))
        }
        return parts.joined(separator: ", ") + (detail.isEmpty ? "" : "  \(detail)")
    }

    /// The time that is left; `nil` under a second, which no rate foretells.
    static func left(_ duration: Duration) -> String? {
        duration < .seconds(1) ? nil : "\(words(duration)) left"
    }

    static func words(_ duration: Duration) -> String {
        let seconds = duration / .seconds(1)
        guard seconds < 60 else {
            let minutes = Int(min(seconds / 60, 1e9))
            return minutes < 10 ? "\(minutes) min \(Int(seconds) % 60) s" : "\(minutes) min"
        }
        return seconds < 10 ? "\((seconds * 10).rounded() / 10) s" : "\(Int(seconds)) s"
    }
}

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
