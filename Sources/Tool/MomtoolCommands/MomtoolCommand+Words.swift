import Diagnostics
import Essentials
import FileSystem
import MomtoolReporting

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

    /// Lets `--allow-data-loss` have no name, which means all, or several with commas: words that cannot be names are
    /// separated here, as the argument parser would read what follows as its value.
    static func namingLosses(_ arguments: [String]) -> [String] {
        let option = "--allow-data-loss"
        guard arguments.first == "migrate" else { return arguments }
        var result: [String] = []
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            guard argument == option else {
                result.append(argument)
                continue
            }
            // No name, as from a variable that is not set, allows nothing; the parser refuses it.
            let names = rest.first == "" ? [""] : rest.first.map(lossNames) ?? []
            if names.isEmpty {
                result.append("\(option)=\(MigrateCommand.allLosses)")
            } else {
                rest.removeFirst()
                result += names.map { "\(option)=\($0)" }
            }
        }
        return result
    }

    /// The possible names of entities and properties in a word; none for any other word.
    private static func lossNames(_ word: String) -> [String] {
        let names = word.split(separator: ",").map(String.init)
        let areNames = names.allSatisfy { name in
            name.first.map { $0.isLetter || $0 == "_" } == true
                && name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "." }
        }
        return areNames && !Files.exists(at: word) ? names : []
    }

    private static let outsideOption = "--allow-outside"

    /// Keeps the paths in a project's files inside the project, unless the words of a run have the option; returns the
    /// other words.
    static func keepingPathsInside(_ words: [String]) -> [String] {
        let options = words.prefix { $0 != "--" }
        ProjectBounds.areKept = !options.contains(outsideOption)
        return options.filter { $0 != outsideOption } + words.dropFirst(options.count)
    }

    /// Names the option where a path was refused that it would let lead out.
    static func reportRefusedPaths() {
        guard ProjectBounds.hasRefused else { return }
        Console.complain("note: \(outsideOption) lets files of a project name paths outside it")
    }

    /// Refuses the placeholders of printed commands: as a value one would be stored.
    static func requireFilled(_ words: [String]) throws {
        let name = Placeholder.all.first { name in
            words.contains { $0 == name || $0.hasSuffix("=" + name) }
        }
        guard let name else { return }
        throw CommandFailure(usage: "replace \(name) with the actual value")
    }
}
