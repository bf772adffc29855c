import Diagnostics
import Foundation
import LogReading
import MomtoolReporting
import TestSupport
import Testing

struct HintTests {
    /// Every hint; their number makes sure that none is forgotten.
    private static let hints: [Hint] =
        advice.map { .advice($0) } + [
            .settings, .editExample, .setting, .optional("Book.title", of: nil),
            .defaultOrOptional("Book.title", of: "Shop.xcdatamodeld"), .fitting(of: nil),
            .fitting(of: "SOURCES"),
            .conditions, .ownClasses(of: "V1", in: nil, file: nil), .frozenClasses(of: "V1"),
            .merging, .mergingSides(of: "Shop.xcdatamodeld/V2.xcdatamodel/contents"),
            .ownClasses(of: "V1", in: "Sources/My App", file: "Sources/My App/V1.swift"),
            .bringingOver(
                path: "Shop.xcdatamodeld",
                source: "Shop.xcdatamodeld/V2.xcdatamodel/contents"
            ),
            .hashModifier("2", of: "Book", to: "Shop.xcdatamodeld"),
            .renaming("name", of: "Book.title", to: "Shop.xcdatamodeld"),
            .conversion(of: nil), .conversion(of: "Shop.xcdatamodeld"),
            .namingCurrent(path: "Shop.xcdatamodeld", version: "V1"), .source,
            .newVersion(of: nil), .newVersion(of: "Shop.xcdatamodeld"),
            .freezing(of: "Sources/Shop", asOf: nil), .freezing(of: "Sources/Shop", asOf: "v1.0"),
            .bridging("Shop.xcdatamodeld", from: "V1", to: "V 2"), .settling,
            .elementReferences, .schemaExample, .lock, .relocking("Shop.xcdatamodeld"),
            .unlocking("Shop.xcdatamodeld", version: "V 2"),
            .baseline, .rules, .recording,
            .writingCase(folder: "Cases", model: "Shop.xcdatamodeld"), .acceptance,
            .recordingCorpus("Corpus"), .matrix("Shop.xcdatamodeld"),
            .requiredRows, .migrator, .planning, .elsewhere, .programs, .stageCode("V1 → V2"),
            .olderModel,
            .joinTable("Person.friends"),
            .model,
            .identify, .identifying("Shop.sqlite", model: "Shop.xcdatamodeld"), .examine, .verify,
            .repair, .rehearsal,
            .repairing("Shop.sqlite", model: "Shop.xcdatamodeld", following: [.clearLinks]),
            .verifying("Shop.sqlite", model: "Shop.xcdatamodeld"),
            .statement("VACUUM", store: "Shop.sqlite"),
            .examining("Shop.sqlite", model: "Shop.xcdatamodeld"),
        ]

    private static let advice: [Advice] = [
        .allowLoss("Book.notes"), .allowAllLosses, .allowBackward, .allowTime, .force,
        .startVersion, .nameModel, .nameOlderModel, .nameVersion, .nameBothVersions,
        .nameJoinTable("Person.friends"), .clearLinks, .convertValues, .createEmptyTables,
        .setValue(of: "Book.title", to: "a b"), .dropOwnerless("Order"),
        .pruneHistory(olderThanDays: 30), .takeVersion("V 2"), .removeFiles, .compact,
        .nameValue(of: "Book.title"), .nameHistoryAge, .clearValues(of: "Book.pages"),
    ]

    /// How many cases values are of, whatever they hold.
    private static func cases(of values: [Any]) -> Int {
        Set(values.map { Mirror(reflecting: $0).children.first?.label ?? "\($0)" }).count
    }

    @Test func `every hint is looked at`() throws {
        for (name, values) in [("Hint", Self.hints as [Any]), ("Advice", Self.advice)] {
            let path = "Sources/Ground/Diagnostics/\(name).swift"
            let lines = try fileText(Corpus.package.appending(path: path)).split(separator: "\n")
            #expect(Self.cases(of: values) == lines.count { $0.hasPrefix("    case ") })
        }
    }

    @Test func `the words of code know no option and no command`() {
        for hint in Self.hints {
            let words = Wording(hint).text(in: .code)
            #expect(!words.isEmpty, "\(hint)")
            #expect(!words.contains("--") && !words.contains("momtool "), "\(hint): \(words)")
            #expect(!words.split(separator: " ").contains("-o"), "\(hint): \(words)")
        }
    }

    /// The words of code, which no run of the command prints, and those of the command line that few runs print.
    @Test func `hints have the words that are recorded`() throws {
        let rare: [Hint] = [
            .settling, .planning, .olderModel, .advice(.allowTime), .advice(.nameVersion),
            .advice(.nameJoinTable("Person.friends")),
        ]
        let code = Self.hints.map { Wording($0).text(in: .code) }
        try expectRecorded(code + rare.map { Wording($0).commandWords }, as: "hints")
    }

    @Test func `advice that a person completes is not complete`() {
        let open = Self.advice.filter { !$0.isComplete }
        let names: [Advice] = [
            .nameModel, .nameOlderModel, .nameVersion, .nameBothVersions,
            .nameValue(of: "Book.title"), .nameHistoryAge,
        ]
        #expect(open == names)
    }

    @Test func `the command line knows the options and commands that its words name`() throws {
        let tool = try Tool()
        for hint in Self.hints {
            let words = Wording(hint).commandWords
            #expect(!words.isEmpty, "\(hint)")
            let own = words.replacing(/git [^,]*/, with: "git")
            for options in tool.unknownOptions(in: own) {
                Issue.record("\(hint): \(options) is unknown: \(words)")
            }
        }
        #expect(!tool.unknownOptions(in: "run momtool lock --relok").isEmpty)
        #expect(!tool.unknownOptions(in: "momtool lok").isEmpty)
        #expect(!tool.unknownOptions(in: "allow it with --allow-data-los").isEmpty)
    }

    @Test func `the command line knows the options and commands of what helps`() throws {
        let tool = try Tool()
        let calls: [HelpfulCommand] = [
            .call(.checkSchema, "M", "s.ckdb"),
            .call(.create, "S", .model("M"), .version("V1")),
            .call(.decompile, "S", .output("Model")),
            .call(.doctor, "S", .model("M")), .call(.generate, "M", .output("Classes")),
            .call(.hash, "A.swift", .fitting("S")), .call(.inspect, "S", .history),
            .call(.identify, "S", .model("M"), .inRepository), .call(.inspect, "M"),
            .call(.lint, "M", .allVersions), .call(.lock, "M"),
            .call(
                .migrate,
                "S",
                .stages("s.yml"),
                .following(.allowAllLosses),
                .output("New.sqlite")
            ),
            .call(.plan, "M", .stages("s.yml"), .store("S")),
            .call(.repair, "S", .following(.nameValue(of: "A.b")), .following(.compact)),
            .call(.repair, "S", .taking(version: "V 2", model: "M"), .output("R.sqlite")),
            .call(.verify, "S", .model("M"), .validating),
        ]
        let known = SQLiteCode.all.compactMap(\.command) + KnownMessage.all.compactMap(\.command)
        #expect(known.count > 5)
        for command in calls + known {
            let words = command.commandWords
            #expect(words.hasPrefix("momtool ") && tool.unknownOptions(in: words).isEmpty)
        }
        #expect(
            (.shell("cp A B") + .call(.verify, "B") as HelpfulCommand).commandWords
                == "cp A B && momtool verify B"
        )
    }

    @Test func `a hint is told where it stands in a text`() {
        let wording: Wording = "\(2) of \("them"): \(.lock)\(Wording(" too"))"
        #expect(wording.text(in: .code) == "2 of them: Lock.update() too")
        #expect(wording.commandWords == "2 of them: momtool lock too")
        #expect("\("a")b\("")c" as Wording == Wording("abc"))
        #expect(Wording("") + Wording("a") + Wording(.lock) == "a\(.lock)")
        let diagnostic = Diagnostic(
            "some-rule",
            saying: wording,
            notes: [Diagnostic.Note(saying: "\(.lock)", lines: ["a\nb"])],
            advice: [.allowTime]
        )
        #expect(diagnostic.message == "2 of them: Lock.update() too")
        #expect(
            diagnostic.commandWords
                == "error: 2 of them: momtool lock too [some-rule]\nnote: momtool lock\na\\u000Ab"
        )
        #expect(diagnostic.worded.message == diagnostic.wording.commandWords)
        #expect(diagnostic.worded.worded == diagnostic.worded)
        #expect(
            diagnostic.advised.commandWords.hasPrefix(
                "error: 2 of them: momtool lock too; allow more time with --timeout [some-rule]"
            )
        )
    }

    @Test func `names in a hint begin no line of their own`() {
        let wording: Wording = "say so: \(.advice(.allowLoss("A\n::error::B")))"
        #expect(!wording.text(in: .code).contains("\n"))
        #expect(!wording.commandWords.contains("\n"))
    }

    @Test func `the agreement to a loss is told in the words of the case`() {
        let words = Words.command.agreeing(in: "case.yml") { "allowDataLoss: \($0)" }
        let wording: Wording = "\(.advice(.allowLoss("Book")))\(.lock)"
        #expect(wording.text(in: words) == "allowDataLoss: Bookmomtool lock")
        #expect(words != .command)
        #expect(words == Words.command.agreeing(in: "case.yml") { $0 })
    }
}

private struct Tool {
    private struct Dump: Decodable {
        struct Argument: Decodable {
            struct Name: Decodable {
                var name: String
            }
            var names: [Name]?
        }
        struct Command: Decodable {
            var commandName: String
            var arguments: [Argument]?
            var subcommands: [Command]?
        }
        var command: Command
    }

    private let root: Dump.Command

    init() throws {
        let help = try momtool("--experimental-dump-help")
        root = try JSONDecoder().decode(Dump.self, from: Data(help.output.utf8)).command
    }

    var verbs: [String] { (root.subcommands ?? []).map(\.commandName) + ["help"] }

    /// The unknown options and commands in a text.
    ///
    /// An option after `momtool VERB` is one of that command, up to a comma; any other one is of some command.
    func unknownOptions(in text: String) -> [String] {
        var unknown: [String] = []
        var command: Dump.Command?
        let parts = text.split(separator: " ")
        let words = parts.map {
            String($0).trimmingCharacters(in: CharacterSet(charactersIn: "'`,;:()"))
        }
        for (index, word) in words.enumerated() {
            if index > 0, parts[index - 1].hasSuffix(",") { command = nil }
            if index > 0, words[index - 1] == "momtool" {
                guard word != "help" else { continue }
                command = root.subcommands?.first { $0.commandName == word }
                if command == nil { unknown.append(word) }
            } else if index > 1, words[index - 2] == "momtool",
                let inner = command?.subcommands, !inner.isEmpty
            {
                command = inner.first { $0.commandName == word }
                if command == nil { unknown.append(word) }
            } else if word.hasPrefix("--") || word == "-o" {
                let known = command.map { names(of: $0) } ?? allNames(of: root)
                let name = word.drop { $0 == "-" }.prefix { $0 != "=" }
                if !known.contains(String(name)) { unknown.append(word) }
            }
        }
        return unknown
    }

    private func names(of command: Dump.Command) -> Set<String> {
        Set((command.arguments ?? []).flatMap { $0.names ?? [] }.map(\.name))
    }

    private func allNames(of command: Dump.Command) -> Set<String> {
        (command.subcommands ?? []).reduce(names(of: command)) { $0.union(allNames(of: $1)) }
    }
}

extension HintTests {
    /// Where a text of the library may name an option or a command, and why.
    private static let exempt: [(place: String, reason: String)] = [
        ("System/FileSystem/Git", "the options are those of git"),
        ("Judgement/ModelChecking/Rules/", "the pages of rules, which the program prints"),
        ("Judgement/ModelChecking/Baseline.swift", "the first line of the file"),
        ("Judgement/ModelChecking/ModelLock+Text.swift", "the first lines of a lock"),
        (
            "Models/ModelMerging/ContentsMerging.swift",
            "the first line of a lock, by which it is known"
        ),
        ("Library/ProjectChecking/NewProject.swift", "the first line of .momtool.yml"),
    ]

    @Test func `no text of the library names an option or a command`() throws {
        let verbs = try Tool().verbs.joined(separator: "|")
        let pattern = try Regex("--[a-z]|momtool (\(verbs))\\b")
        var used: Set<String> = []
        for floor in ["Ground", "System", "Models", "Judgement", "Stores", "Library"] {
            for file in try swiftFiles(below: "Sources/\(floor)") {
                let text = try fileText(file.url)
                for line in text.split(separator: "\n")
                where line.contains("--") || line.contains("momtool ") {
                    guard !line.drop(while: { $0 == " " }).hasPrefix("//"),
                        line.contains(pattern)
                    else { continue }
                    let place = Self.exempt.first { file.path.hasPrefix("Sources/" + $0.place) }
                    used.insert(place?.place ?? "")
                    #expect(place != nil, "\(file.path): \(line)")
                }
            }
        }
        #expect(used.union([""]) == Set(Self.exempt.map(\.place) + [""]))
    }

    private func swiftFiles(below folder: String) throws -> [(path: String, url: URL)] {
        let root = Corpus.package.appending(path: folder)
        let paths = try FileManager.default.subpathsOfDirectory(atPath: root.path).sorted()
        return paths.filter { $0.hasSuffix(".swift") }
            .map { ("\(folder)/\($0)", root.appending(path: $0)) }
    }
}
