import ArgumentParser
import Essentials

enum ColorChoice: String, ExpressibleByArgument, CaseIterable {
    /// On a terminal, unless `NO_COLOR` is set or the terminal is dumb.
    case auto
    case always, never

    func paints(_ descriptor: Int32) -> Bool {
        switch self {
        case .always: return true
        case .never: return false
        case .auto:
            guard Console.isTerminal(descriptor) else { return false }
            let environment = Surroundings.current.environment
            return environment["NO_COLOR", default: ""].isEmpty && environment["TERM"] != "dumb"
        }
    }
}

/// The options `--color` and `--quiet`, which every command has.
///
/// Options of reports have them too, and do not contain a group of these: debug builds of the parser visit a group five
/// times for each group around it.
struct TerminalOptions: ParsableArguments {
    static let colorHelp: ArgumentHelp =
        "When to use colour; auto: on a terminal, unless NO_COLOR is set."
    static let quietHelp: ArgumentHelp = "Print only results and problems: no totals, no progress."

    @Option(help: colorHelp) var color: ColorChoice = .auto
    @Flag(name: .shortAndLong, help: quietHelp) var quiet = false

    func validate() throws { (Console.color, Console.isQuiet) = (color, quiet) }
}

func painted(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
        paintedDiagnostic(line) ?? paintedOutcome(line) ?? String(line)
    }.joined(separator: "\n")
}

/// The parameters of Select Graphic Rendition.
private enum Paint: String {
    case red = "31", green = "32", yellow = "33", cyan = "36", bold = "1", faint = "2"

    func callAsFunction(_ text: some StringProtocol) -> String {
        "\u{1B}[\(rawValue)m\(text)\u{1B}[0m"
    }
}

/// A line as compilers write them: the location bold, the severity in its colour, the rule faint.
private func paintedDiagnostic(_ line: Substring) -> String? {
    let marks: [(String, Paint)] = [("error", .red), ("warning", .yellow), ("note", .cyan)]
    for (word, paint) in marks {
        let isFirst = line.hasPrefix("\(word): ")
        guard isFirst || line.contains(": \(word): "),
            let range = isFirst
                ? line.startIndex..<line.index(line.startIndex, offsetBy: word.count + 1)
                : line.firstRange(of: ": \(word): ").map({ range in
                    line.index(range.lowerBound, offsetBy: 2)..<line.index(before: range.upperBound)
                })
        else { continue }
        let place = line[..<range.lowerBound]
        var message = String(line[range.upperBound...])
        if message.hasSuffix("]"), let start = message.lastIndex(of: "["),
            message[start...].dropFirst().dropLast().allSatisfy({ $0.isLetter || $0 == "-" })
        {
            message = message[..<start] + Paint.faint(message[start...])
        }
        return (place.isEmpty ? "" : Paint.bold(place)) + paint(line[range]) + message
    }
    return nil
}

private func paintedOutcome(_ line: Substring) -> String? {
    let outcomes: [(String, Paint)] = [
        ("failed ", .red), ("passed ", .green), ("skipped ", .yellow), ("repaired ", .green),
    ]
    for (word, paint) in outcomes where line.hasPrefix(word) {
        return paint(word.dropLast()) + line.dropFirst(word.count - 1)
    }
    let verdicts: [(String, Paint)] = [
        (" [refused", .red), (" [loses data", .red), (" [depends on rows", .yellow),
    ]
    for (word, paint) in verdicts {
        guard line.hasSuffix("]"), let range = line.firstRange(of: word) else { continue }
        let start = line.index(after: range.lowerBound)
        return line[..<start] + paint(line[start...])
    }
    return nil
}
