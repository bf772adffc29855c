import Essentials
import FileSystem

/// A tool that the server offers: a command of the program, with what may be said to it.
struct AgentTool: Sendable {
    /// What a parameter takes.
    enum Kind: Sendable, Hashable {
        /// A file or folder that is there.
        case path
        /// Several of them.
        case paths
        /// A model, perhaps with `#VERSION` behind it.
        case model
        /// A file or folder that must not be there yet.
        case newPath
        /// A folder that is made if it is missing.
        case folder
        /// A text, such as the name of a version.
        case text
        /// Several texts.
        case texts
        /// Several names of losses, each of which is meant by itself: `*`, which is all of them, is no name.
        case losses
        /// Yes or no.
        case flag
        /// A document that the command reads from a file.
        case document
    }

    /// Where the words of a parameter stand.
    enum Position: Sendable, Hashable {
        case argument
        case option(String)
    }

    /// A parameter.
    struct Parameter: Sendable {
        var name: String
        var kind: Kind
        var position: Position
        var isRequired: Bool
        var about: String
    }

    /// What a tool may do to files.
    enum Effect: Sendable, Hashable {
        /// It writes nothing.
        case reads
        /// It makes files that were not there.
        case creates
        /// It changes files that are there.
        case changes
    }

    var name: String
    var title: String
    var about: String
    var effect: Effect
    /// The words of the command, with options that always stand there.
    var words: [String]
    /// The command whose JSON schema the report follows; `rows` where these are what it gives.
    var report: String
    var parameters: [Parameter]

    /// The command, without its options.
    var command: String { words.prefix { !$0.hasPrefix("-") }.joined(separator: " ") }

    /// The key of the words that say what commands and options are called here.
    static let legend = "legend"

    /// Stands for the rows of a store in the place of a report.
    static let rows = "rows"

    /// The schema of rows.
    static let rowsSchema: JSONValue = [
        "title": "momtool export", "type": "object",
        "description": "The rows of each entity, by its name.",
        "additionalProperties": ["type": "array", "items": ["type": "object"]],
    ]

    /// A report as the structured content of a result, which is always an object: a list is the value of one key.
    static func content(of report: JSONValue) -> JSONValue {
        if case .object = report { report } else { ["reports": report] }
    }

    /// The schema of the structured content, by that of the report.
    static func contentSchema(_ report: JSONValue) -> JSONValue {
        guard case .object(var keywords) = report else { return report }
        keywords["type"] = "object"
        keywords["allOf"] = [["properties": [legend: ["type": "string"]]]]
        if let choices = keywords["anyOf"]?.items {
            keywords["anyOf"] = .list(choices.flatMap(objectSchemas))
        }
        return withoutWords(.object(keywords))
    }

    /// A schema without what it says to people: the resources have that, and lists of tools are read in each session.
    ///
    /// - Parameters:
    ///   - schema: the schema, or a part of one.
    ///   - isOfNames: whether the keys are names of properties or definitions, and no keywords.
    /// - Returns: the schema that allows the same.
    private static func withoutWords(_ schema: JSONValue, isOfNames: Bool = false) -> JSONValue {
        switch schema {
        case .list(let items): return .list(items.map { withoutWords($0) })
        case .object(let members):
            let words = ["$id", "$schema", "description", "title"]
            var kept: [String: JSONValue] = [:]
            for (key, value) in members where isOfNames || !words.contains(key) {
                let hasNames = !isOfNames && ["$defs", "properties"].contains(key)
                kept[key] = withoutWords(value, isOfNames: hasNames)
            }
            return .object(kept)
        case .null, .boolean, .integer, .number, .string: return schema
        }
    }

    private static func objectSchemas(_ shape: JSONValue) -> [JSONValue] {
        if let choices = shape[key: "anyOf"]?.items { return choices.flatMap(objectSchemas) }
        guard shape[key: "type"] == "array" else { return [shape] }
        return [["type": "object", "properties": ["reports": shape], "required": ["reports"]]]
    }

    /// The tool as `tools/list` gives it.
    var listing: JSONValue {
        let properties = parameters.map { ($0.name, $0.schema) }
        let required = parameters.filter(\.isRequired).map { JSONValue.string($0.name) }
        return [
            "name": .string(name), "title": .string(title), "description": .string(about),
            "inputSchema": [
                "type": "object", "properties": .object(Dictionary(properties) { $1 }),
                "required": .list(required), "additionalProperties": false,
            ],
            "annotations": [
                "title": .string(title), "readOnlyHint": .boolean(effect == .reads),
                "destructiveHint": .boolean(effect == .changes), "idempotentHint": false,
                "openWorldHint": false,
            ],
        ]
    }
}

extension AgentTool.Parameter {
    fileprivate var schema: JSONValue {
        let about = JSONValue.string(about)
        return switch kind {
        case .path, .model, .newPath, .folder, .text: ["type": "string", "description": about]
        case .paths, .texts, .losses:
            ["type": "array", "items": ["type": "string"], "description": about]
        case .flag: ["type": "boolean", "description": about]
        case .document: ["description": about]
        }
    }
}

/// Why a tool cannot be called as it was.
struct AgentFault: Error {
    var message: String

    init(_ message: String) { self.message = message }
}

/// A command to run, and the documents that it reads.
struct AgentCall: Sendable {
    var words: [String]
    /// What was written for the command, by the name that messages give it.
    var files: [(name: String, path: String)] = []
    /// Whether it changes files that are there.
    var isChange = false
}

extension AgentTool {
    /// The longest text that a parameter takes; documents are bound by the length of messages alone.
    private static let textLimit = 4096

    /// Makes the command of a call.
    ///
    /// Options hold their value in the same word and arguments stand behind `--`, so that no value is taken for an
    /// option.
    ///
    /// - Parameters:
    ///   - values: what the call says, by the names of parameters.
    ///   - folder: where paths may lead.
    ///   - scratch: a folder for documents.
    /// - Returns: the command, with the documents that were put aside for it.
    /// - Throws: what is wrong with the call, in words for its caller.
    func call(
        with values: [String: JSONValue],
        in folder: Confinement,
        scratch: String
    ) throws(AgentFault) -> AgentCall {
        let names = parameters.map(\.name)
        if let stranger = values.keys.sorted().first(where: { !names.contains($0) }) {
            throw AgentFault(
                "'\(name)' has no parameter '\(stranger)'; it has: \(names.joined(separator: ", "))"
            )
        }
        var call = AgentCall(words: words, isChange: effect == .changes)
        var arguments: [String] = []
        for parameter in parameters {
            guard let value = values[parameter.name], value != .null else {
                guard !parameter.isRequired else {
                    throw AgentFault("'\(name)' needs '\(parameter.name)': \(parameter.about)")
                }
                continue
            }
            var texts = try parameter.texts(of: value, in: folder)
            if parameter.kind == .document {
                let path = "\(scratch)/\(parameter.name)-\(UUID().uuidString)"
                let text = value.text ?? value.document()
                guard (try? Data(text.utf8).write(to: fileURL(path))) != nil else {
                    throw AgentFault("'\(parameter.name)' could not be put aside for the command")
                }
                call.files.append((parameter.name, path))
                texts = [path]
            }
            switch parameter.position {
            case .argument: arguments += texts
            case .option(let option) where parameter.kind == .flag:
                if value == .boolean(true) { call.words.append(option) }
            case .option(let option): call.words += texts.map { "\(option)=\($0)" }
            }
        }
        call.words += arguments.isEmpty ? [] : ["--"] + arguments
        return call
    }

    /// Refuses what no command line takes.
    static func checked(_ text: String, _ name: String) throws(AgentFault) -> String {
        guard !text.isEmpty, text.utf8.count <= textLimit else {
            throw AgentFault("'\(name)' takes a text of 1 to \(textLimit) bytes")
        }
        guard !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
        else { throw AgentFault("'\(name)' holds a control character") }
        return text
    }
}

extension AgentTool.Parameter {
    fileprivate func texts(
        of value: JSONValue,
        in folder: Confinement
    ) throws(AgentFault) -> [String] {
        switch kind {
        case .document: return []
        case .flag:
            guard value.truth != nil else { throw AgentFault("'\(name)' takes true or false") }
            return []
        case .path, .model, .newPath, .folder, .text:
            guard let text = value.text else { throw AgentFault("'\(name)' takes a text") }
            return [try word(text, in: folder)]
        case .paths, .texts, .losses:
            guard let items = value.items else {
                let example = value.text.map {
                    ", such as \(JSONValue.list([.string($0)]).document())"
                }
                throw AgentFault("'\(name)' takes a list of texts\(example ?? "")")
            }
            guard items.count <= 256 else { throw AgentFault("'\(name)' takes at most 256 texts") }
            var words: [String] = []
            for item in items {
                guard let text = item.text else {
                    throw AgentFault("'\(name)' takes a list of texts")
                }
                words.append(try word(text, in: folder))
            }
            return words
        }
    }

    private func word(_ text: String, in folder: Confinement) throws(AgentFault) -> String {
        let text = try AgentTool.checked(text, name)
        switch kind {
        case .path, .paths: return try folder.existing(text)
        case .model: return try folder.model(text)
        case .newPath: return try folder.new(text)
        case .folder: return try folder.possible(text)
        case .losses:
            guard text != "*" else {
                throw AgentFault(
                    "'\(name)' takes the names of losses, as the refusal lists them, and no '*'"
                )
            }
            return text
        case .text, .texts, .flag, .document: return text
        }
    }
}
