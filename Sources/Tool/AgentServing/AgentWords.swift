import Essentials

/// What the words of a command line are in the server: messages of commands advise these, and agents have tools with arguments.
enum AgentWords {
    /// The most bytes of a message that are looked through.
    private static let limit = 256 << 10

    /// What is no tool, by the words behind `momtool`.
    private static let others = [
        "rules": "the resource momtool://rules, and of one rule the tool 'explain'",
        "skill": "the resource momtool://skill",
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
    ///   - texts: what a command said, each text by itself: the options of one are those of the commands in it.
    ///   - tool: the tool that ran it, whose arguments come before those of others.
    ///   - commands: all commands of the program, of which those that are no tool are for a person.
    /// - Returns: the words; `nil` where the message has no command and no option that is known here.
    static func legend(
        of texts: [String],
        for tool: AgentTool,
        among commands: Set<String>
    ) -> String? {
        let options = arguments(of: [tool] + AgentTool.all)
        var (found, known): ([String], Set<String>) = ([], [])
        var left = limit
        for text in texts where left > 0 {
            let part = text.utf8.prefix(left)
            left -= part.count
            var items: [(name: String, meaning: String)] = []
            // Most texts advise nothing.
            if text.contains("--") || text.contains("momtool") {
                items = Self.items(in: words(of: part), options, commands)
            }
            if text.hasPrefix("sqlite3 ") || text.contains(" sqlite3 ") {
                items.append(("sqlite3", person))
            }
            for item in items where known.insert(item.name).inserted {
                found.append("\(item.name) is \(item.meaning)")
            }
        }
        return found.isEmpty ? nil : "here \(found.joined(separator: ", "))"
    }

    /// The texts of a report, in the order of its keys.
    static func texts(of report: JSONValue) -> [String] {
        switch report {
        case .string(let text): [text]
        case .list(let items): items.flatMap(texts)
        case .object(let members):
            members.sorted { $0.key < $1.key }.flatMap { texts(of: $0.value) }
        case .null, .boolean, .integer, .number: []
        }
    }

    private static func words(of text: some Sequence<UInt8>) -> [String] {
        Array(text).split { byte in
            !(byte >= 0x80 || byte == UInt8(ascii: "-")
                || Unicode.Scalar(byte).properties.isAlphabetic)
        }.map { String(decoding: $0, as: UTF8.self) }
    }

    /// The commands and options of one text, with what they are here.
    private static func items(
        in words: [String],
        _ options: [String: String],
        _ commands: Set<String>
    ) -> [(name: String, meaning: String)] {
        var found: [(name: String, meaning: String)] = []
        // The options of a command that is no tool are none of a tool's.
        var isForeign = false
        for (index, word) in words.enumerated() {
            guard word == "momtool" else {
                if !isForeign, let argument = options[word] { found.append((word, argument)) }
                continue
            }
            if let item = command(behind: index, in: words) {
                isForeign = false
                found.append(item)
                continue
            }
            let next = words.dropFirst(index + 1).prefix(2)
            isForeign = !["error", "warning", "note"].contains(next.first ?? "")
            let names = [next.joined(separator: " "), next.first ?? ""]
            guard let name = names.first(where: commands.contains) else { continue }
            found.append(("momtool \(name)", person))
        }
        return found
    }

    private static let person = "for a person in a terminal: there is no tool"

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
