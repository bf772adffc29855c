import Essentials

/// What the words of a command line are in the server: messages of commands advise these, and agents have tools with arguments.
enum AgentWords {
    /// The most bytes of a message that are looked through.
    private static let limit = 256 << 10

    /// What is no tool, by the words behind `momtool`.
    private static let others = [
        "rules": "the resource momtool://rules", "skill": "the resource momtool://skill",
        "test": "the tool 'run_cases'",
        "help model apply": "the description of 'edits'", "model add": "an edit of edit_model",
        "model set": "an edit of edit_model", "model remove": "an edit of edit_model",
        "model rename": "an edit of edit_model", "model move": "an edit of edit_model",
    ]

    /// The tools by their commands; of several with one command that which changes something.
    private static let tools = Dictionary(
        AgentTool.all.map { ($0.command, "the tool '\($0.name)'") }
    ) { $1 }

    /// Options by their names, with the arguments that stand for them.
    private static func arguments(of tools: [AgentTool]) -> [String: String] {
        let named = tools.flatMap(\.parameters).compactMap { parameter -> (String, String)? in
            guard case .option(let option) = parameter.position else { return nil }
            return (option, "the argument '\(parameter.name)'")
        }
        return Dictionary(named) { first, _ in first }
    }

    /// The last words of a message: what its commands and options are called here.
    ///
    /// - Parameters:
    ///   - text: what a command said.
    ///   - tool: the tool that ran it, whose arguments come before those of others.
    /// - Returns: the words; `nil` where the message has no command and no option that is known here.
    static func legend(of text: String, for tool: AgentTool) -> String? {
        let words = text.utf8.prefix(limit).split { byte in
            !(byte >= 0x80 || byte == UInt8(ascii: "-")
                || Unicode.Scalar(byte).properties.isAlphabetic)
        }.map { String(decoding: $0, as: UTF8.self) }
        let options = arguments(of: [tool] + AgentTool.all)
        var (found, known): ([String], Set<String>) = ([], [])
        // The options of a command that is no tool are none of a tool's.
        var isForeign = false
        for (index, word) in words.enumerated() {
            var item: (name: String, meaning: String)?
            if word == "momtool" {
                item = command(behind: index, in: words)
                let next = index + 1 < words.count ? words[index + 1] : ""
                isForeign = item == nil && !["error", "warning", "note"].contains(next)
            } else if !isForeign {
                item = options[word].map { (word, $0) }
            }
            guard let item, known.insert(item.name).inserted else { continue }
            found.append("\(item.name) is \(item.meaning)")
        }
        return found.isEmpty ? nil : "here \(found.joined(separator: ", "))"
    }

    /// The longest command that some words begin with.
    private static func command(
        behind index: Int,
        in words: [String]
    ) -> (name: String, meaning: String)? {
        for count in [3, 2, 1] where index + count < words.count {
            let command = words[(index + 1)...(index + count)].joined(separator: " ")
            guard let meaning = others[command] ?? tools[command] else { continue }
            return ("momtool \(command)", meaning)
        }
        return nil
    }

    /// What a command said, without how it is called: that is in the list of tools.
    static func withoutUsage(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).filter {
            !$0.hasPrefix("Usage: momtool") && !$0.hasPrefix("  See 'momtool")
        }.joined(separator: "\n")
    }
}
