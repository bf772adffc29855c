import Essentials
import FileSystem

/// A tool that the server offers: a command of the program, with what may be said to it.
struct AgentTool: Sendable {
    /// What a parameter takes: a path of what is there, a model with perhaps `#VERSION` behind it, a path of what must not
    /// be there yet, a folder that is made if it is missing, a text, yes or no, or a document that the command reads.
    enum Kind: Sendable, Hashable { case path, model, newPath, folder, text, flag, document }

    /// A parameter.
    struct Parameter: Sendable {
        let name: String
        let kind: Kind
        /// Whether it takes a list.
        let isList: Bool
        /// The option or the argument of the command, such as `--from` or `models`.
        let source: String

        /// Creates a parameter; without a source it is the option of its name.
        init(_ name: String, _ kind: Kind = .text, isList: Bool = false, _ source: String? = nil) {
            (self.name, self.kind, self.isList) = (name, kind, isList)
            self.source = source ?? "--" + name.replacing("_", with: "-")
        }

        fileprivate func schema(about: String) -> JSONValue {
            let item: JSONValue = ["type": kind == .flag ? "boolean" : "string"]
            let type: JSONValue = isList ? ["type": "array", "items": item] : item
            guard kind != .document, case .object(var members) = type else {
                return ["description": .string(about)]
            }
            members["description"] = .string(about)
            return .object(members)
        }
    }

    /// What a tool does to files: nothing, it makes new ones, or it changes those that are there.
    enum Effect: Sendable, Hashable { case reads, creates, changes }

    let name: String
    let effect: Effect
    /// The words of the command, with options that always stand there.
    let words: [String]
    /// The parameters that must be given.
    let needed: [Parameter]
    /// All parameters.
    let parameters: [Parameter]

    /// Creates a tool of a name and a command, with what it needs, and what it takes besides.
    init(
        _ names: (tool: String, command: String),
        _ effect: Effect,
        _ needed: [Parameter],
        _ others: [Parameter] = []
    ) {
        (name, self.effect, self.needed) = (names.tool, effect, needed)
        // What an export gives is no report.
        let format = names.command == "export" ? [] : ["--format=json"]
        words = names.command.split(separator: " ").map(String.init) + format
        parameters = needed + others
    }

    private var commandWords: [String] { words.prefix { !$0.hasPrefix("-") } }

    /// The command, without its options.
    var command: String { commandWords.joined(separator: " ") }

    /// The tool as `tools/list` gives it, in the words in which its command describes itself.
    func listing(by describe: (_ command: [String]) -> JSONValue) -> JSONValue {
        let own = describe(commandWords)
        let arguments = own[key: "arguments"]?.items ?? []
        let properties = parameters.map { parameter in
            let argument = arguments.first { $0.describes(parameter.source) }
            // No agent gives an option twice, or has a standard input.
            let words = ["; - ", "; may be", "; repeat"]
            var about = words.reduce(argument?[key: "abstract"]?.text ?? "", Self.part)
            if parameter.name == "edits", effect == .changes {
                about += "\n" + Self.part(of: own[key: "discussion"]?.text ?? "", before: "\n\nEX")
            }
            return (parameter.name, parameter.schema(about: about))
        }
        let about = [own[key: "abstract"]?.text, Self.notes[name]].compactMap(\.self)
        var hints: [String: JSONValue] = ["readOnlyHint": .boolean(effect == .reads)]
        if effect != .reads { hints["destructiveHint"] = .boolean(effect == .changes) }
        hints["openWorldHint"] = false
        return [
            "name": .string(name), "description": .string(about.joined(separator: " ")),
            "inputSchema": [
                "type": "object", "properties": .object(Dictionary(properties) { $1 }),
                "required": .list(needed.map { .string($0.name) }), "additionalProperties": false,
            ],
            "annotations": .object(hints),
        ]
    }

    private static func part(of text: String, before mark: String) -> String {
        text.firstRange(of: mark).map { String(text[..<$0.lowerBound]) } ?? text
    }
}

extension JSONValue {
    /// Whether ArgumentParser describes an option, or the argument of a name, by this.
    fileprivate func describes(_ source: String) -> Bool {
        source.hasPrefix("--")
            ? self[key: "preferredName"]?[key: "name"]?.text == String(source.dropFirst(2))
            : self[key: "kind"] == "positional" && self[key: "valueName"]?.text == source
    }
}
