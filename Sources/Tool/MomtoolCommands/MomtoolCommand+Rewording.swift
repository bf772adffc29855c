import Diagnostics
import Essentials

extension MomtoolCommand {
    /// Returns the parser's message in the form of every error: on one line, followed by the rule and then the help.
    static func reworded(_ text: String) -> String {
        let text = text.hasPrefix("Error: ") ? String(text.dropFirst("Error: ".count)) : text
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let help = lines.firstIndex { $0.hasPrefix("Help:") || $0.hasPrefix("Usage:") }
        let body = lines[..<(help ?? lines.count)]
        // A word of the user may hold a line break.
        var message = body.prefix { !$0.trimmed.hasPrefix("- ") }.joined(separator: "\n").trimmed
            .onOneLine
        // Longer lists are one below the other.
        let values = body.dropFirst().map(\.trimmed).filter { $0.hasPrefix("- ") }
        for (theirs, ours) in [
            (". Please provide one of the following:", "; give one of "),
            (". Please provide one of", "; give one of"), (". Did you mean", "; did you mean"),
        ] { message.replace(theirs, with: ours) }
        if message.contains("; give one of ") { message.replace("' and '", with: "' or '") }
        message += values.map { "'\($0.dropFirst(2))'" }.joined(separator: ", ")
        if message.last == "." { message.removeLast() }
        message += nearestWord(in: message)
        if let end = message.last, end == "." || end == "?" { message.removeLast() }
        let isName = message.dropFirst().first?.isLowercase == false
        let words = isName ? message : message.prefix(1).lowercased() + message.dropFirst()
        return (["\(words) [usage]"] + lines[(help ?? lines.count)...]).joined(separator: "\n")
    }

    /// The option value that was probably intended, if one is similar.
    private static func nearestWord(in message: String) -> String {
        let parts = message.split(separator: "'", omittingEmptySubsequences: false).map(String.init)
        guard message.contains("; give one of "), parts.count > 5, parts[0] == "The value ",
            parts[2].hasPrefix(" is invalid for")
        else { return "" }
        let words = parts.indices.dropFirst(5).filter { !$0.isMultiple(of: 2) }.map { parts[$0] }
        return suggestion(for: parts[1], among: words)
    }
}
