import Foundation
import TestSupport
import Testing

struct MannersTests {
    private static let model = "Models/Library.xcdatamodeld"

    @Test func `colour comes when it is asked for and else on a terminal alone`() throws {
        let plain = try expectRun(["lint", Self.model], nil, not: ["\u{1B}"])
        let painted = try momtool("lint", Self.model, "--color", "always")
        #expect(painted.output.contains("\u{1B}[36mnote:\u{1B}[0m"))
        #expect(painted.output.replacing(/\u{1B}\[[0-9]*m/, with: "") == plain.output)
        let programs = try momtool("lint", Self.model, "--color", "always", "--format", "json")
        #expect(!programs.output.contains("\u{1B}"))
    }

    private func inTerminal(
        of width: Int,
        _ arguments: String,
        environment: [String: String] = [:]
    ) throws -> String {
        let command = "stty cols \(width); '\(commandURL.path)' \(arguments)"
        let script = URL(fileURLWithPath: "/usr/bin/script")
        let terminal = ["TERM": "xterm", "NO_COLOR": ""].merging(environment) { $1 }
        return try result(of: script, ["-qc", command, "/dev/null"], environment: terminal).output
    }

    private static let hasTerminals = FileManager.default.isExecutableFile(
        atPath: "/usr/bin/script"
    )

    @Test(.enabled(if: hasTerminals))
    func `a terminal gets colour unless NO_COLOR is set`() throws {
        #expect(try inTerminal(of: 80, "lint \(Self.model)").contains("\u{1B}[36mnote:"))
        let plain = try inTerminal(of: 80, "lint \(Self.model)", environment: ["NO_COLOR": "1"])
        #expect(plain.contains("note:") && !plain.contains("\u{1B}"))
        #expect(try !inTerminal(of: 80, "lint \(Self.model) --color never").contains("\u{1B}"))
    }

    @Test(.enabled(if: hasTerminals))
    func `tables go on below in a narrow terminal, and nothing is cut`() throws {
        let lines = try inTerminal(of: 72, "rules").split(whereSeparator: \.isNewline)
        #expect(lines.count > 20)
        #expect(lines.allSatisfy { $0.count <= 72 }, "\(lines.filter { $0.count > 72 })")
        let plan = try inTerminal(of: 72, "plan \(Self.model) --from V1 --to V6")
        for text in [lines.joined(), plan] { #expect(!text.contains("…")) }
        let told = Set(plan.split { $0.isWhitespace }.map(String.init))
        let whole = try momtool("plan", Self.model, "--from", "V1", "--to", "V6").output
        for word in whole.split(whereSeparator: \.isWhitespace) {
            #expect(told.contains(String(word)), "\(word)")
        }
        let names = try momtool("rules").output.split(separator: "\n").map {
            $0.split(separator: " ")[0]
        }
        for name in names { #expect(lines.contains { $0.contains(name) }, "\(name)") }
        #expect(!(try momtool("rules").output.contains("…")))
        let page = try inTerminal(of: 72, "rules missing-inverse").split(
            whereSeparator: \.isNewline
        )
        #expect(page.allSatisfy { $0.count <= 72 || $0.hasPrefix("    ") }, "\(page)")
        for command in ["hash", "inspect"] {
            let narrow = try inTerminal(of: 40, "\(command) \(Self.model)")
            let wide = try momtool(command, Self.model).output.split(whereSeparator: \.isWhitespace)
            // Parts of hashes and checksums are useless.
            for word in wide where word.utf8.count > 40 && word.allSatisfy(\.isASCII) {
                #expect(narrow.contains(word), "\(command): \(word)")
            }
        }
    }

    @Test(.enabled(if: hasTerminals))
    func `work of more than a second shows how far it is and what is left`() throws {
        try withFolder { folder in
            let store = folder.appending(path: "Large.sqlite").path
            let rows = folder.appending(path: "Rows.json")
            let lines = (1...60_000).map { "{\"@id\": \"p\($0)\", \"name\": \"A\($0)\"}" }
            try Data("{\"Author\": [\n\(lines.joined(separator: ",\n"))\n]}".utf8).write(to: rows)
            let model = Corpus.package.appending(path: Self.model).path
            let options = "--model '\(model)' --version V1 --rows '\(rows.path)'"
            let said = try inTerminal(of: 100, "create '\(store)' \(options)")
            #expect(said.contains("60000 rows"), "\(said)")
            let shown = said.matches(of: /create: \d+ of \d+ kB, \d+ %/)
            // A fast machine is done before there is anything to show.
            #expect(!shown.isEmpty || !said.contains("create:"))
            #expect(said.firstMatch(of: /0\.\d s left/) == nil)
        }
    }
}
