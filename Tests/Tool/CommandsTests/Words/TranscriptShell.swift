import Essentials
import Foundation
import SQLiteAccess
import TestSupport

/// Runs the commands of a transcript in a folder, all but git in this process.
struct TranscriptShell {
    let folder: URL

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// What a command prints, line by line, as transcripts have it.
    func answer(to step: Transcript.Step) throws -> [String] {
        do {
            let parts = try shellWords(step.words).map(filled).split(separator: "|")
            let result = try run(Array(parts[0]), step.input.map(filled))
            let lines = marked(result.output, "|") + marked(result.errors, "!")
            let shown = try parts.dropFirst().reduce(lines, Self.filtered)
            return shown + (result.status == 0 ? [] : ["[\(result.status)]"])
        } catch {
            throw Failure(description: "$ \(step.words): \(error)")
        }
    }

    /// Behind `|`: `grep TEXT` keeps the lines that have the text, `grep -v TEXT` the others; `values` makes a line of each
    /// value in JSON.
    private static func filtered(
        _ lines: [String],
        by words: ArraySlice<String>
    ) throws -> [String] {
        guard words.first != "values" else {
            let text = lines.filter { $0.hasPrefix("|") }.map { $0.dropFirst(2) }.joined()
            let values = Self.values(in: try JSONValue(parsing: Array(text.utf8)), at: "|")
            return values + lines.filter { !$0.hasPrefix("|") }
        }
        let isInverted = words.contains("-v")
        return lines.filter { $0.contains(words.last ?? "") != isInverted }
    }

    private static func values(in json: JSONValue, at place: String) -> [String] {
        switch json {
        case .object(let members):
            members.sorted { $0.key < $1.key }.flatMap { values(in: $1, at: "\(place) \($0)") }
        case .list(let items):
            items.enumerated().flatMap { values(in: $1, at: "\(place) \($0)") }
        default: ["\(place) = \(json.document())"]
        }
    }

    /// Variables such as `TERM=dumb` may stand before the name of a command.
    private func run(_ words: [String], _ input: [String]) throws -> CommandResult {
        let variables = words.prefix { $0.contains(/^[A-Z_]+=/) }.map {
            $0.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        }
        let environment = Dictionary(
            uniqueKeysWithValues: variables.map { (String($0[0]), String($0[1])) }
        )
        let (name, rest) = (words[variables.count], Array(words.dropFirst(variables.count + 1)))
        let text = input.map { $0 + "\n" }.joined()
        switch name {
        case "momtool": return try momtool(rest, in: folder, input: text, environment: environment)
        case "git" where rest != ["init", "-q"] && !(rest.count == 2 && rest[0] == "tag"):
            return try git(rest, in: folder)
        default:
            let shown = try shown(by: name, rest, input, text)
            return CommandResult(status: 0, output: shown, errors: "")
        }
    }

    /// What the small commands print; most do not print.
    private func shown(
        by name: String,
        _ rest: [String],
        _ input: [String],
        _ text: String
    ) throws -> String {
        let files = FileManager.default
        switch name {
        case "model": try writeModel(rest[0], input)
        case "write": try write(text, rest[0], in: folder)
        case "replace":
            let text = try fileText(place(rest[0]))
            guard text.contains(rest[1]) else {
                throw Failure(description: "no '\(rest[1])' in \(rest[0])")
            }
            try Data(text.replacing(rest[1], with: rest[2]).utf8).write(to: place(rest[0]))
        case "copy":
            try makeFolder(place(rest[1]).deletingLastPathComponent())
            try copyFile(place(rest[0]), to: place(rest[1]))
        case "move": try files.moveItem(at: place(rest[0]), to: place(rest[1]))
        case "remove": for path in rest { try files.removeItem(at: place(path)) }
        case "folder": for path in rest { try makeFolder(place(path)) }
        case "show": return try fileText(place(rest[0]))
        case "list": return try list(place(rest.first ?? "."))
        case "compare":
            let isEqual = files.contentsEqual(
                atPath: place(rest[0]).path,
                andPath: place(rest[1]).path
            )
            return isEqual ? "equal\n" : "different\n"
        case "commit": try commit(rest[0], in: folder)
        // Without starting git.
        case "git": try rest[0] == "tag" ? tag(rest[1], in: folder) : makeRepository(folder)
        case "sqlite": return try rows(rest[0], Array(rest.dropFirst()))
        default: throw Failure(description: "transcripts have no command '\(name)'")
        }
        return ""
    }

    private func place(_ path: String) -> URL {
        path.hasPrefix("/") ? URL(filePath: path) : folder.appending(path: path)
    }

    /// Writes a model of versions, a line for each, the current one with `*`; the last one is current otherwise.
    private func writeModel(_ path: String, _ lines: [String]) throws {
        var versions: [String: String] = [:]
        var current: String?
        for line in lines {
            let parts = line.split(separator: " ", maxSplits: 1).map(String.init)
            let name = parts[0].replacing("*", with: "")
            if parts[0].hasSuffix("*") { current = name }
            versions[name, default: ""] += parts.count > 1 ? parts[1] : ""
        }
        try writeBundle(versions.mapValues(typedModel), current: current, at: place(path))
    }

    private func list(_ folder: URL) throws -> String {
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
        return names.filter { !$0.hasPrefix(".git/") }.sorted().map { $0 + "\n" }.joined()
    }

    private func rows(_ path: String, _ statements: [String]) throws -> String {
        let connection = try SQLiteConnection(path: place(path).path, mode: .create)
        return try statements.flatMap { try connection.rows($0) }
            .map { $0.map(\.transcriptText).joined(separator: "|") + "\n" }.joined()
    }

    /// Text with the places that transcripts name: the package and the folder.
    private func filled(_ text: String) -> String {
        text.replacing("{package}", with: Corpus.package.path).replacing(
            "{folder}",
            with: folder.path
        )
    }

    /// Whether some digit is two bytes before the first letter of a unit.
    private static func mayHoldTime(_ text: String) -> Bool {
        let (digits, units) = (UInt8(ascii: "0")...UInt8(ascii: "9"), Array("smr".utf8))
        return zip(text.utf8, text.utf8.dropFirst(2)).contains {
            digits.contains($0) && units.contains($1)
        }
    }

    /// Lines with a mark, without what differs from run to run.
    private func marked(_ text: String, _ mark: String) -> [String] {
        guard !text.isEmpty else { return [] }
        var same = text.replacing(folder.path, with: "{folder}")
            .replacing(Corpus.package.path, with: "{package}")
        // A look for some bytes spares most texts the regular expressions, which are slow.
        if Self.mayHoldTime(same) {
            same.replace(/\b\d+(\.\d+)? (s|ms|rows\/s)\b/) { "N \($0.output.2)" }
        }
        if same.contains(" rules:") { same.replace(/, \d+ rules:/, with: ", N rules:") }
        if same.contains("time=\"") { same.replace(/time="[^"]*"/, with: "time=\"N\"") }
        let lines = same.split(separator: "\n", omittingEmptySubsequences: false)
        return lines.dropLast(same.hasSuffix("\n") ? 1 : 0).map {
            $0.isEmpty ? mark : "\(mark) \($0)"
        }
    }
}

extension SQLiteValue {
    fileprivate var transcriptText: String {
        switch self {
        case .null: "NULL"
        case .integer(let number): "\(number)"
        case .real(let number): "\(number)"
        case .text(let text): text
        case .blob(let bytes): "\(bytes.count) bytes"
        }
    }
}
