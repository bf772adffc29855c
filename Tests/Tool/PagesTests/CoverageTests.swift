import Foundation
import LossCases
import MappingInference
import MomtoolReporting
import TestSupport
import Testing

/// `Fixtures/Coverage.txt` names what exercises each rule, option, exit status and verdict.
///
/// A record of what commands print comes first, then cases, tests, and the examples of a rule. A line is stale when its
/// file says nothing of its member any more; `MOMTOOL_RECORD=1` looks for another one.
struct CoverageTests {
    private static let list = Corpus.package.appending(path: "Fixtures/Coverage.txt")

    /// What only faults of the machine, hours or gigabytes reach, or sources that are not Xcode's.
    private static let unreached: Set = [
        "composite-too-large", "damaged-store", "duplicate-mapping",
        "inaccessible-file", "left-out-of-kit", "malformed-property-list", "migration-check",
        "migrations-not-run", "model-too-large", "no-stages", "not-compiled", "read-only-store",
        "report-too-long", "sqlite-error", "transient-inverse", "unexpected-error",
        "unknown-index-form", "unsupported-map", "unusable-case", "option --skip-refused",
    ]

    private struct Member {
        var name: String
        /// What a file that exercises it contains.
        var signs: [String]
    }

    /// As a constant of Swift: `.brokenInverse` for `broken-inverse`.
    private static func constant(_ id: String) -> String {
        let parts = id.split(separator: "-")
        return "." + parts[0] + parts.dropFirst().map(\.capitalized).joined()
    }

    /// The long names of the options of a command and of those below it.
    private static func options(_ command: [String: Any]) -> Set<String> {
        let arguments = command["arguments"] as? [[String: Any]] ?? []
        let names = arguments.flatMap { $0["names"] as? [[String: Any]] ?? [] }
            .filter { $0["kind"] as? String == "long" }.compactMap { $0["name"] as? String }
        return (command["subcommands"] as? [[String: Any]] ?? []).reduce(Set(names)) {
            $0.union(options($1))
        }
    }

    private static func members() throws -> [Member] {
        let answer = Data(try momtool("rules --format json").output.utf8)
        let report = try JSONSerialization.jsonObject(with: answer) as? [String: Any]
        let table = (report?["rules"] as? [[String: Any]] ?? []).compactMap {
            $0["rule"] as? String
        }
        let rules = table + OtherIdentifier.meanings.keys
        let page = try fileText(pagesFolder.appending(path: "StableOutput.md"))
        let exits = page.matches(of: /(?m)^\| ([1-9]\d*) \|/).map { String($0.output.1) }
        let help = Data(try momtool("--experimental-dump-help").output.utf8)
        let dump = try JSONSerialization.jsonObject(with: help) as? [String: Any]
        let options = options(dump?["command"] as? [String: Any] ?? [:])
        #expect(rules.count > 300 && exits.count >= 9 && options.count > 100)
        return rules.map {
            Member(name: $0, signs: ["[\($0)]", "\"\($0)\"", "\"\($0):", constant($0)])
        }
            + options.map { Member(name: "option --\($0)", signs: [" --\($0)", "\"--\($0)\""]) }
            + exits.map { Member(name: "exit \($0)", signs: ["\n[\($0)]\n"]) }
            + Verdict.allCases.map(\.identifier).map {
                Member(name: "verdict \($0)", signs: ["\"\($0)\"", constant($0)])
            }
    }

    private static func text(_ path: String) -> String {
        (try? fileText(Corpus.package.appending(path: path))) ?? ""
    }

    private static func exercises(_ member: Member, _ path: String, _ text: String) -> Bool {
        if path.hasPrefix("Sources/") {
            return text.contains("\"\(member.name)\"") && text.contains("failing:")
        }
        return text.withCString { start in
            member.signs.contains { sign in
                guard let found = strstr(start, sign) else { return false }
                let next = Character(Unicode.Scalar(UInt8(bitPattern: found[sign.utf8.count])))
                return sign.hasSuffix("]") || !(next.isLetter || next.isNumber || next == "-")
            }
        }
    }

    private static let places = [
        "Fixtures/Words", "Fixtures/Cases", "Tests", "Sources/Judgement/ModelChecking/Rules",
    ]

    /// What names rules without exercising them.
    private static let lists = ["CoverageTests", "MistakeTests", "RuleExampleTests"]

    private static func record(_ members: [Member], keeping known: [String: String]) throws {
        let paths = places.flatMap { place -> [String] in
            let all = FileManager.default.enumerator(atPath: Corpus.package.path + "/" + place)
            let names = (all?.allObjects ?? []).compactMap { $0 as? String }.sorted()
            return names.filter { name in !lists.contains { name.hasSuffix("/\($0).swift") } }
                .map { "\(place)/\($0)" }
        }
        let texts = paths.map { ($0, text($0)) }
        let lines = members.compactMap { member in
            let path = known[member.name] ?? texts.first { exercises(member, $0, $1) }?.0
            return path.map { "\(member.name): \($0)\n" }
        }
        try Data(lines.sorted().joined().utf8).write(to: list)
    }

    @Test func `each rule, option, exit status and verdict is exercised`() throws {
        let members = try Self.members().filter { !Self.unreached.contains($0.name) }
        let lines = Self.text("Fixtures/Coverage.txt").split(separator: "\n").map {
            $0.components(separatedBy: ": ")
        }
        let known = Dictionary(lines.map { ($0[0], $0[1]) }) { first, _ in first }
        let valid = members.filter { member in
            known[member.name].map { Self.exercises(member, $0, Self.text($0)) } == true
        }
        let names = Set(valid.map(\.name))
        if isRecording {
            try Self.record(members, keeping: known.filter { names.contains($0.key) })
        }
        #expect(members.map(\.name).filter { !names.contains($0) } == [], "exercised by no file")
        #expect(Set(known.keys).subtracting(members.map(\.name)) == [], "no members")
    }

    /// The commands of a line, each with its options.
    private static func commands(in line: Substring, of verbs: Set<String>) -> [Set<String>] {
        line.matches(of: /\bmomtool ((?:cloudkit|model|accept) )?([a-z-]+)([^`;,:()|]*)/).compactMap
        {
            let verb = ($0.output.1.map { String($0) } ?? "") + $0.output.2
            guard verbs.contains(String(verb.split(separator: " ")[0])) else { return nil }
            let options = $0.output.3.split(separator: " ").map {
                $0.prefix { $0.isLetter || $0 == "-" }
            }
            return Set(
                options.filter { $0.hasPrefix("--") || $0 == "-o" }.map(String.init) + [verb]
            )
        }
    }

    @Test func `each command that a record prints is run by a record`() throws {
        let help = Data(try momtool("--experimental-dump-help").output.utf8)
        let dump = try JSONSerialization.jsonObject(with: help) as? [String: Any]
        let root = (dump?["command"] as? [String: Any])?["subcommands"] as? [[String: Any]] ?? []
        let verbs = Set(root.compactMap { $0["commandName"] as? String } + ["help"])
        let words = Corpus.package.appending(path: "Fixtures/Words").path
        var (printed, run): (Set<Set<String>>, Set<Set<String>>) = ([], [])
        for name in try FileManager.default.contentsOfDirectory(atPath: words)
        where name.hasSuffix(".txt") {
            for line in Self.text("Fixtures/Words/\(name)").split(separator: "\n")
            where line.contains("momtool ") {
                let found = Self.commands(in: line, of: verbs)
                if line.hasPrefix("$ ") { run.formUnion(found) } else { printed.formUnion(found) }
            }
        }
        #expect(printed.count > 60)
        let idle = printed.filter { command in
            !command.contains("--help") && !run.contains { $0.isSuperset(of: command) }
        }
        #expect(idle == [])
    }

    /// A repair removes no files.
    @Test func `each kind of loss is shown on each road that has it`() {
        let shown = StagedLossCase.all.flatMap(\.cells) + RepairLossCase.all.flatMap(\.cells)
        let missing = LossRoad.allCases.flatMap { road in
            LossKind.allCases.filter { kind in !shown.contains { $0 == (kind, road) } }
                .map { "\(road) \($0)" }
        }
        #expect(missing == ["repair file"])
    }
}
