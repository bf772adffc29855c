import Foundation
import TestSupport
import Testing

struct DocumentationTests {

    private func check(_ name: String, _ text: String) throws {
        let file = pagesFolder.appending(path: name)
        if isRecording { try Data(text.utf8).write(to: file) }
        let written = try? fileText(file)
        #expect(
            written == text,
            "\(name) is stale: run MOMTOOL_RECORD=1 swift test --filter DocumentationTests"
        )
    }

    @Test func `the page of rules is that of the table`() throws {
        try check("Rules.md", try momtool("rules", "--format", "markdown").output)
    }

    @Test func `the page of commands has every command, argument and flag`() throws {
        let help = try momtool("--experimental-dump-help")
        let dump = try JSONDecoder().decode(HelpDump.self, from: Data(help.output.utf8))
        try check("CommandReference.md", dump.page)
    }

    @Test func `pages are few and short, and begin with what they are for and an example`() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: pagesFolder.path)
            .filter { $0.hasSuffix(".md") }
        var words = 0
        for name in names {
            let text = try fileText(pagesFolder.appending(path: name))
            let count = text.split(whereSeparator: \.isWhitespace).count
            words += count
            let isLong = ["CommandReference.md", "Rules.md"].contains(name)
            #expect(count <= 3_500 || isLong, "\(name): \(count)")
            let parts = text.components(separatedBy: "```")
            #expect(parts[0].contains("After th"), "\(name)")
            let headings = parts[0].split(separator: "\n").filter { $0.hasPrefix("#") }
            #expect(headings.count == (name == "Momtool.md" ? 2 : 1), "\(name)")
        }
        #expect(names.count <= 26 && words <= 60_000, "\(names.count) pages, \(words) words")
    }

    @Test func `no line of help is broken twice`() throws {
        let help = try momtool("--experimental-dump-help")
        let dump = try JSONDecoder().decode(HelpDump.self, from: Data(help.output.utf8))
        // The parser breaks lines of 80 columns and more.
        let lines = dump.discussions.flatMap { $0.components(separatedBy: "\n") }
        #expect(lines.count > 200)
        for line in lines { #expect(line.count < 80, "\(line)") }
    }

    @Test func `every format stands in the guide`() throws {
        let file = pagesFolder.appending(path: "CheckingModels.md")
        let guide = try fileText(file)
        let formats = [
            "text", "json", "sarif", "github", "gitlab", "junit",
            "markdown", "mermaid", "dot",
        ]
        for format in formats { #expect(guide.contains("`\(format)`"), "\(format)") }
    }

    @Test func `every flag and setting in the guide of tests is there`() throws {
        let file = pagesFolder.appending(path: "TestingMigrations.md")
        let guide = try fileText(file)
        let help = try momtool("help", "test").output
        let flags = Set(guide.matches(of: /--[a-z][a-z-]+/).map { String($0.output) })
        #expect(flags.count >= 10)
        for flag in flags.sorted() { #expect(help.contains(flag), "\(flag)") }
        for flag in ["--matrix", "--locked", "--artifacts", "--record"] {
            #expect(flags.contains(flag))
        }
    }

    private func block(_ heading: String) throws -> String {
        let file = pagesFolder.appending(path: "CheckingModels.md")
        let guide = try fileText(file)
        let section = try #require(guide.components(separatedBy: "### \(heading)\n").last)
        let lines = section.components(separatedBy: "\n").drop { !$0.hasPrefix("```") }.dropFirst()
        return lines.prefix { !$0.hasPrefix("```") }.joined(separator: "\n") + "\n"
    }

    @Test func `the pre-commit hook of the guide refuses an edited version`() throws {
        let hook = try block("Pre-commit hook")
        try withFolder { folder in
            let model = folder.appending(path: "M.xcdatamodel")
            try makeFolder(model)
            func write(_ type: String) throws {
                let text =
                    "<model><entity name='A'><attribute name='a' optional='YES' attributeType='\(type)'/></entity></model>"
                try Data(text.utf8).write(to: model.appending(path: "contents"))
            }
            try write("Date")
            #expect(try momtool("lock M.xcdatamodel", in: folder).status == 0)
            try makeRepository(folder)
            try makeFolder(folder.appending(path: ".git/hooks"))
            let file = folder.appending(path: ".git/hooks/pre-commit")
            let path = "PATH=\(commandFolder):$PATH\n"
            try Data(hook.replacingOccurrences(of: "set -e\n", with: "set -e\n\(path)").utf8)
                .write(to: file)
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o755],
                ofItemAtPath: file.path
            )
            try git("add", "-A", in: folder)
            let first = try git("commit", "-qm", "one", in: folder)
            #expect(first.status == 0, "\(first.output)")
            try write("String")
            try git("add", "-A", in: folder)
            let second = try git("commit", "-qm", "two", in: folder)
            #expect(second.status != 0)
            #expect(second.errors.contains("[locked-version-edited]"))
        }
    }

    @Test(arguments: ["GitHub Actions", "GitLab CI"])
    func `the commands of the CI recipes run`(recipe: String) throws {
        let lines = try block(recipe).components(separatedBy: "\n").compactMap { line -> String? in
            guard let place = line.range(of: "momtool ") else { return nil }
            return String(line[place.upperBound...])
        }
        #expect(!lines.isEmpty)
        try withFolder { folder in
            try copyFile(
                Corpus.package.appending(path: "Models/Library.xcdatamodeld"),
                to: folder.appending(path: "Shop.xcdatamodeld")
            )
            let settings = folder.appending(path: ".momtool.yml")
            try Data("losses: {V3: [Book.notes, Book], V6: [Notice]}\n".utf8).write(to: settings)
            for line in lines {
                let words = line.split(separator: " ").map(String.init)
                try expectRun(words, in: folder, 0)
            }
        }
    }
}

private struct HelpDump: Decodable {
    struct Argument: Decodable {
        struct Name: Decodable {
            var kind: String
            var name: String
        }
        var kind: String
        var names: [Name]?
        var valueName: String?
        var abstract: String?
        var shouldDisplay: Bool
    }

    struct Command: Decodable {
        var commandName: String
        var abstract: String?
        var discussion: String?
        var arguments: [Argument]?
        var subcommands: [Command]?

        /// The arguments that the page lists.
        var listed: [Argument] {
            (arguments ?? []).filter { argument in
                argument.shouldDisplay && argument.names?.contains { $0.name == "help" } != true
            }
        }

        func named(below folder: String) -> [(String, Command)] {
            (subcommands ?? []).filter { $0.commandName != "help" }.flatMap { command in
                let name = "\(folder)\(commandName) \(command.commandName)"
                return [(name, command)] + command.named(below: "\(folder)\(commandName) ")
            }
        }
    }

    var command: Command

    var discussions: [String] {
        ([("", command)] + command.named(below: "")).compactMap { $0.1.discussion }
    }

    /// The page: an option that reads the same in three commands or more stands once, at the end.
    var page: String {
        let commands = command.named(below: "")
        let options = commands.flatMap { $0.1.listed }.filter { $0.kind != "positional" }
        let lines = Dictionary(grouping: options, by: \.line)
        func count(_ option: Argument) -> Int { lines[option.line]?.count ?? 0 }
        var parts = [
            "# Commands",
            "After this page you know what each command and each of its options does.",
            "```sh\nmomtool help migrate\n```",
            "This page is generated from the commands. Options that many commands share, listed after Also, are at its"
                + " end. Every command has `--help`, nearly every one `--format`, `--color` and `--quiet`.",
        ]
        for (name, command) in commands {
            parts.append("## \(name)")
            parts.append(command.abstract ?? "")
            if let text = command.discussion { parts.append("```\n\(text)\n```") }
            var rows = command.listed.filter { count($0) < 3 }.map(\.line)
            let shared = command.listed.filter { 3...30 ~= count($0) }.compactMap(\.longName)
            if !shared.isEmpty { rows.append("- Also: \(shared.joined(separator: ", "))") }
            if !rows.isEmpty { parts.append(rows.joined(separator: "\n")) }
        }
        var seen: Set<String> = []
        let shared = options.filter { count($0) > 2 }.map(\.line)
            .filter { seen.insert($0).inserted }
        parts += ["## Options of many commands", shared.joined(separator: "\n")]
        return parts.joined(separator: "\n\n") + "\n"
    }
}

extension HelpDump.Argument {
    fileprivate var longName: String? {
        names?.first { $0.kind == "long" }.map { "`--\($0.name)`" }
    }

    fileprivate var line: String {
        let value = valueName.map { "<\($0)>" } ?? ""
        let names = (names ?? []).map { ($0.kind == "long" ? "--" : "-") + $0.name }
        let title =
            switch kind {
            case "positional": value
            case "flag": names.joined(separator: ", ")
            default: names.joined(separator: ", ") + " " + value
            }
        return "- `\(title)`: \(abstract ?? "")"
    }
}
