import Essentials

/// A tool of the server: a command of the program with its parameters.
struct AgentTool: Sendable {
    /// What a parameter takes: an existing path, a model perhaps followed by `#VERSION`, a path that must not exist
    /// yet, a folder that is made if missing, a text, yes or no, or a document that the command reads.
    enum Kind: Sendable, Hashable { case path, model, newPath, folder, text, flag, document }

    struct Parameter: Sendable {
        let name: String
        let kind: Kind
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

    /// The effect of a tool on files: none, new ones, or changes of existing ones.
    enum Effect: Sendable, Hashable { case reads, creates, changes }

    let name: String
    let effect: Effect
    /// The words of the command, with fixed options.
    let words: [String]
    let needed: [Parameter]
    let parameters: [Parameter]

    init(
        _ names: (tool: String, command: String),
        _ effect: Effect,
        _ needed: [Parameter],
        _ others: [Parameter] = []
    ) {
        (name, self.effect, self.needed) = (names.tool, effect, needed)
        // An export is not a report.
        let format = names.command == "export" ? [] : ["--format=json"]
        words = names.command.split(separator: " ").map(String.init) + format
        parameters = needed + others
    }

    private var commandWords: [String] { words.prefix { !$0.hasPrefix("-") } }

    var command: String { commandWords.joined(separator: " ") }

    /// The tool in `tools/list`, in the words of its command.
    func listing(by describe: (_ command: [String]) -> JSONValue) -> JSONValue {
        let own = describe(commandWords)
        let arguments = own[key: "arguments"]?.items ?? []
        let properties = parameters.map { parameter in
            let argument = arguments.first { $0.describes(parameter.source) }
            // Agents give no option twice, and have no standard input.
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
            ], "annotations": .object(hints),
        ]
    }

    private static func part(of text: String, before mark: String) -> String {
        text.firstRange(of: mark).map { String(text[..<$0.lowerBound]) } ?? text
    }
}

extension JSONValue {
    fileprivate func describes(_ source: String) -> Bool {
        source.hasPrefix("--")
            ? self[key: "preferredName"]?[key: "name"]?.text == String(source.dropFirst(2))
            : self[key: "kind"] == "positional" && self[key: "valueName"]?.text == source
    }
}
