import Essentials
import FileSystem

struct AgentFault: Error {
    var message: String

    init(_ message: String) { self.message = message }
}

/// A command to run, with the documents written for it, by the names that messages give them.
typealias AgentCommand = (words: [String], files: [(name: String, path: String)])

extension AgentTool {
    /// Makes the command of a call; throws faults of the call in words for its caller.
    ///
    /// Options have their value in the same word and arguments follow `--`, so that no value is read as an option.
    func command(
        with values: [String: JSONValue],
        in folder: Confinement,
        scratch: String
    ) throws(AgentFault) -> AgentCommand {
        let names = parameters.map(\.name)
        if let stranger = values.keys.sorted().first(where: { !names.contains($0) }) {
            throw AgentFault(
                "'\(name)' has no parameter '\(stranger)'; it has: \(names.joined(separator: ", "))"
            )
        }
        let given = values.filter { $0.value != .null }
        if let missing = needed.first(where: { given[$0.name] == nil }) {
            throw AgentFault("'\(name)' needs '\(missing.name)'")
        }
        var command: AgentCommand = (words, [])
        var arguments: [String] = []
        for parameter in parameters {
            guard let value = given[parameter.name] else { continue }
            var texts = try parameter.texts(of: value, in: folder)
            if parameter.kind == .document {
                let path = "\(scratch)/\(parameter.name)-\(UUID().uuidString)"
                let text = value.text ?? value.document()
                guard (try? Data(text.utf8).write(to: fileURL(path))) != nil else {
                    throw AgentFault("'\(parameter.name)' could not be stored for the command")
                }
                command.files.append((parameter.name, path))
                texts = [path]
            }
            let option = parameter.source
            if parameter.kind == .flag {
                if value == .boolean(true) { command.words.append(option) }
            } else if option.hasPrefix("-") {
                command.words += texts.map { "\(option)=\($0)" }
            } else {
                arguments += texts
            }
        }
        command.words += arguments.isEmpty ? [] : ["--"] + arguments
        return command
    }
}

extension AgentTool.Parameter {
    fileprivate func texts(
        of value: JSONValue,
        in folder: Confinement
    ) throws(AgentFault) -> [String] {
        if kind == .document { return [] }
        if kind == .flag {
            guard value.truth != nil else { throw AgentFault("'\(name)' takes true or false") }
            return []
        }
        guard isList else { return [try word(value, in: folder)] }
        guard let items = value.items, items.count <= 256 else {
            let example = value.text.map { ", such as \(JSONValue.list([.string($0)]).document())" }
            throw AgentFault("'\(name)' takes a list of at most 256 strings\(example ?? "")")
        }
        var words: [String] = []
        for item in items { words.append(try word(item, in: folder)) }
        return words
    }

    private func word(_ value: JSONValue, in folder: Confinement) throws(AgentFault) -> String {
        guard let text = value.text, !text.isEmpty, text.utf8.count <= 4096 else {
            throw AgentFault("'\(name)' takes a text of 1 to 4096 bytes")
        }
        guard !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
        else { throw AgentFault("'\(name)' holds a control character") }
        switch kind {
        case .path: return try folder.existing(text)
        case .model: return try folder.model(text)
        case .newPath: return try folder.new(text)
        case .folder: return try folder.possible(text)
        case .text, .flag, .document:
            // Each loss is named separately.
            guard text != "*" else {
                throw AgentFault(
                    "'\(name)' takes the names of losses, as the refusal lists them, but not '*'"
                )
            }
            return text
        }
    }
}
