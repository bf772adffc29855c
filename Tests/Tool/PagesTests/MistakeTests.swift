import Diagnostics
import Foundation
import MomtoolReporting
import TestSupport
import Testing

/// Makes the mistakes of `Fixtures/Words/Mistakes.md`, each in a folder of its own, and compares the output.
struct MistakeTests {
    private struct Mistake {
        var command: String
        var status: Int32
        var message: String
    }

    private static let page = Corpus.package.appending(path: "Fixtures/Words/Mistakes.md")

    /// Puts the first message of each answer that no longer has the recorded one into the page.
    private static func record(_ answers: [(Mistake, String)]) throws {
        var text = try fileText(page)
        for (mistake, said) in answers where !said.contains(mistake.message) {
            guard let line = said.firstMatch(of: /(?:error|warning|note): (.*?)(?: \[[a-z-]+\])?\n/)
            else { continue }
            let row = "| `\(mistake.command)` | \(mistake.status) | "
            let (old, new) = (cell(mistake.message), cell(String(line.output.1)))
            text = text.replacingOccurrences(of: row + old, with: row + new)
        }
        try Data(text.utf8).write(to: page)
    }

    private static func cell(_ message: String) -> String {
        message.replacingOccurrences(of: "|", with: "\\|")
    }

    private static func mistakes() throws -> [Mistake] {
        let text = try fileText(page)
        return text.matches(of: /\| `(momtool[^`]*)` \| (\d+) \| (.*) \|/).compactMap { row in
            Int32(row.output.2).map {
                let message = row.output.3.replacingOccurrences(of: "\\|", with: "|")
                return Mistake(command: String(row.output.1), status: $0, message: message)
            }
        }
    }

    @Test func `typical mistakes are answered as recorded, with a next step`() throws {
        let mistakes = try Self.mistakes()
        #expect(mistakes.count >= 120)
        #expect(Set(mistakes.map(\.command)).count == mistakes.count)
        try withFolder { folder in
            let space = try PageWorkspace(.first, at: folder.appending(path: "space"))
            let results = Array(mistakes.enumerated()).concurrentMap { place, mistake in
                Result {
                    try space.result(
                        of: mistake.command,
                        at: folder.appending(path: "\(place)"),
                        isMistake: true
                    )
                }
            }
            let answers = try zip(mistakes, results).map { mistake, result in
                let result = try result.get()
                let said = result.errors + result.output
                #expect(result.status == mistake.status, "\(mistake.command): \(said)")
                return (mistake, said)
            }
            if isRecording { return try Self.record(answers) }
            for (mistake, said) in answers {
                #expect(said.contains(mistake.message), "\(mistake.command): \(said)")
                #expect(Self.hasNextStep(said), "\(mistake.command): \(said)")
            }
        }
    }

    private static func hasNextStep(_ text: String) -> Bool {
        let signs = [
            "did you mean", "there are", "there is", "the keys are", "it has", "create it",
            "Usage:",
            "name ", "give ", "write ",
            "choose ",
            "--", "momtool ", "compile reads", "not a store", "not an SQLite", "neither",
            "expected",
            "what to do", "in quotes", "keeps no", "nothing to",
        ]
        return signs.contains(where: text.contains)
    }
}

/// The changes of the page "Changes in words", each done as it is shown and proven on a store.
struct ChangesInWordsTests {
    private static let page = "ChangesInWords.md"

    struct Change: Sendable, CustomTestStringConvertible {
        var title: String
        var script: String

        var testDescription: String { title }
    }

    static let changes: [Change] = {
        let file = pagesFolder.appending(path: page)
        let text = (try? fileText(file)) ?? ""
        return text.components(separatedBy: "\n### ").dropFirst().compactMap { part in
            let script = part.components(separatedBy: "```sh\n").dropFirst().first?
                .components(separatedBy: "```").first
            let title = part.components(separatedBy: "\n").first ?? ""
            return script.map { Change(title: title, script: $0) }
        }
    }()

    @Test func `there are thirty changes, each with a title of its own`() {
        #expect(Self.changes.count >= 30)
        #expect(Set(Self.changes.map(\.title)).count == Self.changes.count)
    }

    @Test(arguments: changes)
    func `a change ends with a model that checks, and a store that is migrated`(
        change: Change
    ) throws {
        try withFolder { folder in
            let result = try migratedShop(
                of: Self.page,
                rows: #require(try guideBlocks(Self.page, "json").first),
                by: change.script,
                check: "momtool check",
                in: folder
            )
            let text = String(decoding: result, as: UTF8.self)
            #expect(text.contains("\"Emma\"") && text.contains("\"Ada\""), "\(text)")
        }
    }
}

struct IdentifierTests {
    /// Words in the form of an ID that are none: commands, options, verdicts, symptoms in logs, checks on a Mac.
    private static let others: Set<String> = [
        "array-not-materialized", "cast-failed", "cat-file", "no-store-loaded", "no-such-key-path",
        "class-generated-twice", "class-in-struct", "class-not-allowed", "class-not-found",
        "class-without-entity", "color-scheme", "model-not-compiled",
        "composite-not-keyed", "current-version-not-listed", "equal-stage-versions",
        "history-truncated", "inverse-taken", "member-in-struct", "row-without-value",
        "container-not-loaded", "declared-type-not-valid", "depends-on-rows", "deployment-target",
        "destination-model",
        "diff-index", "diff-tree", "dry-run", "entity-hashes", "entity-renamed", "equals-momc",
        "file-not-opened",
        "for-each-ref",
        "future-backing-data", "hash-modifier", "history-token-expired", "history-tracking-off",
        "length-only", "ls-files", "lightweight-though-undocumented", "lock-while-suspended",
        "loses-data",
        "mapc-no-warnings", "migration-off", "missing-object", "model-loaded-twice", "model-types",
        "momc-hashes", "momc-renamings", "needs-custom-stage", "new-version", "nil-model",
        "no-account", "no-action", "no-active-container", "no-current-version",
        "no-delete-rule-warnings",
        "no-effect-on-hash", "no-entities", "no-inverse-relationship-warnings",
        "no-max-property-count-warnings", "no-warnings", "not-queryable", "object-invalidated",
        "objective-c", "old-opens", "other-store-type", "own-migration", "own-objects",
        "relationship-not-array", "rename-version", "renaming-id", "reserved-attribute-name",
        "rev-list",
        "rev-parse", "save-failed", "set-current", "source-model", "store-added-twice",
        "store-removed", "suppress-inverse-transient-error", "swift-version", "system-out",
        "target-version", "to-many", "to-many-key", "to-one", "two-contexts", "undo-version",
        "unknown-backing-data", "unknown-key-path", "utf-8",
    ]

    @Test func `each ID in the sources is a rule, or has its meaning in the table`() throws {
        let folder = Corpus.package.appending(path: "Sources")
        let paths = FileManager.default.enumerator(atPath: folder.path)?.allObjects ?? []
        var found: Set<String> = []
        for case let path as String in paths
        where path.hasSuffix(".swift") && !path.hasPrefix("Development/")
            && !path.hasSuffix("OtherIdentifier.swift") && !path.contains("Verdicts/")
        {
            let text = try fileText(folder.appending(path: path))
            for line in text.split(separator: "\n") where line.contains("-") && line.contains("\"")
            {
                for match in line.matches(of: /"([a-z]+(?:-[a-z0-9]+)+)"/) {
                    found.insert(String(match.output.1))
                }
            }
        }
        let list = Data(try momtool("rules", "--format", "json").output.utf8)
        let report = try JSONSerialization.jsonObject(with: list) as? [String: Any]
        let entries = report?["rules"] as? [[String: Any]] ?? []
        let rules = Set(entries.compactMap { $0["rule"] as? String })
        let table = Set(OtherIdentifier.meanings.keys)
        #expect(found.subtracting(rules).subtracting(table).subtracting(Self.others).sorted() == [])
        #expect(table.intersection(rules).sorted() == [])
        // Those without a dash, and those in texts of another form.
        let unseen: Set = ["failure", "interrupted", "report-too-long", "usage"]
        #expect(table.subtracting(found).subtracting(unseen).sorted() == [])
    }

    @Test func `rules says what a refusal means`() throws {
        for id in ["impossible-edit", "unknown-version", "usage"] {
            let text = try momtool("rules", id)
            #expect(text.status == 0 && text.output.hasPrefix("\(id)\n"), "\(text)")
            let json = try momtool("rules", id, "--format", "json")
            let report = try JSONSerialization.jsonObject(with: Data(json.output.utf8))
            #expect((report as? [String: Any])?["rule"] as? String == id)
        }
        #expect(try momtool("rules", "impossible-edits").status == 64)
    }
}
