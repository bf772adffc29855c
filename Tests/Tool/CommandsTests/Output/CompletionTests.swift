import Foundation
import TestSupport
import Testing

struct CompletionTests {
    private static let models = Corpus.package.appending(path: "Models")

    private static func isInstalled(_ shell: String) -> Bool {
        FileManager.default.isExecutableFile(atPath: "/usr/bin/\(shell)")
    }

    private func run(_ shell: String, _ program: String) throws -> CommandResult {
        try withFolder { folder in
            let text = try momtool("--generate-completion-script", shell).output
            try write(text, "script", in: folder)
            let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
            return try result(
                of: URL(filePath: "/usr/bin/\(shell)"),
                ["-c", "source '\(folder.path)/script'\n" + program],
                in: Self.models,
                environment: ["PATH": "\(commandFolder):\(path)"]
            )
        }
    }

    @Test(.enabled(if: isInstalled("bash")))
    func `bash completes commands, formats, rules, versions, entities and models`() throws {
        let rows: [([String], [String])] = [
            (["mi"], ["migrate"]),
            (["rules", "--format", ""], ["text", "json", "markdown"]),
            (["graph", "--format", "d"], ["dot"]),
            (["lint", "--format", "g"], ["github", "gitlab"]),
            (["lint", "--fail-on", ""], ["note", "warning", "error"]),
            (["rules", "missing-inverse-"], ["missing-inverse-entity"]),
            (
                ["migrate", "a.sqlite", "--model", "Library.xcdatamodeld", "--to", ""],
                ["V1", "V2", "V3", "V4", "V5", "V6"]
            ),
            (["lock", "Everything.xcdatamodeld", "--version", ""], ["V1", "V2", "V3"]),
            (["hash", "Library.xcdatamodeld", "--explain", "Bo"], ["Book"]),
            (["hash", "\"Library.xcdatamodeld/\"", "--explain", "Bo"], ["Book"]),
            (["hash", #"Library\.xcdatamodeld"#, "--explain", "Bo"], ["Book"]),
            (["hash", "Lib"], ["Library.xcdatamodeld"]),
        ]
        // What readline does on a press of the tab key.
        let presses = rows.map { words, _ in
            """
            COMPREPLY=()
            COMP_WORDS=(momtool \(words.map { "'\($0)'" }.joined(separator: " ")))
            COMP_CWORD=\(words.count)
            COMP_LINE="${COMP_WORDS[*]}"
            COMP_POINT=${#COMP_LINE}
            _momtool momtool "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}"
            printf '%s\\n' "${COMPREPLY[@]}" ---
            """
        }
        let said = try run("bash", presses.joined(separator: "\n"))
        for (answer, (words, offered)) in zip(said.output.components(separatedBy: "---\n"), rows) {
            let lines = answer.split(separator: "\n").map {
                $0.trimmingCharacters(in: .whitespaces)
            }
            #expect(Set(lines) == Set(offered), "\(words): \(said.errors)")
        }
    }

    @Test(.enabled(if: isInstalled("fish")))
    func `fish completes formats and rules`() throws {
        let formats = try run("fish", "complete -C 'momtool rules --format '").output
        #expect(["text", "json", "markdown"].allSatisfy { formats.contains($0) }, "\(formats)")
        let rules = try run("fish", "complete -C 'momtool rules missing-inverse-'").output
        #expect(rules.contains("missing-inverse-entity"))
    }

    @Test(.enabled(if: isInstalled("zsh")))
    func `zsh reads the completions`() throws {
        try withFolder { folder in
            let text = try momtool("--generate-completion-script", "zsh").output
            try write(text, "_momtool", in: folder)
            let read = try result(
                of: URL(filePath: "/usr/bin/zsh"),
                ["-n", "_momtool"],
                in: folder
            )
            #expect(read.status == 0, "\(read.errors)")
        }
    }

    @Test func `the scripts of all shells have the formats of commands`() throws {
        for shell in ["bash", "zsh", "fish"] {
            let script = try momtool("--generate-completion-script", shell).output
            for name in ["gitlab", "mermaid", "missing-inverse-entity"] {
                #expect(script.contains(name), "\(shell): \(name)")
            }
            #expect(shell != "zsh" || script.contains("'text' 'json' 'markdown'"))
        }
    }
}
