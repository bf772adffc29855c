import Diagnostics
import Foundation
import MomtoolCommands
import TestSupport
import Testing

struct ArgumentTests {
    private static let model = ["--model", "Models/Library.xcdatamodeld"]

    @Test(arguments: [
        ["migrate", "Fixtures/Library-V1.sqlite", "-o", "New.sqlite"] + model,
        ["verify", "Fixtures/Library-V1.sqlite"], ["lint", "Models/Library.xcdatamodeld"],
        ["plan", "Models/Library.xcdatamodeld"],
    ])
    func `a version is not taken where a command has no such option`(words: [String]) throws {
        let result = try momtool(words + ["--version", "V2"])
        #expect(result.status == 64)
        #expect(result.errors.contains("'\(words[0])' has no option --version"))
        #expect(try momtool(words[0], "--version").status == 0)
    }

    private static func commands() throws -> [(words: [String], options: Set<String>)] {
        typealias Command = (words: [String], options: Set<String>)
        func below(_ command: [String: Any], _ words: [String]) -> [Command] {
            let inner = command["subcommands"] as? [[String: Any]] ?? []
            guard inner.isEmpty else {
                return inner.flatMap { below($0, words + [$0["commandName"] as? String ?? ""]) }
            }
            let arguments = command["arguments"] as? [[String: Any]] ?? []
            let names = arguments.flatMap { $0["names"] as? [[String: Any]] ?? [] }
            return [(words, Set(names.compactMap { $0["name"] as? String }))]
        }
        let help = try momtool("--experimental-dump-help").output
        let dump = try JSONSerialization.jsonObject(with: Data(help.utf8)) as? [String: Any]
        return below(try #require(dump?["command"] as? [String: Any]), [])
            .filter { !$0.words.contains("help") }
    }

    @Test func `no command goes on with --version that names no version`() throws {
        let commands = try Self.commands()
        let own = try momtool("--version").output
        #expect(commands.count { $0.options.contains("version") } >= 5)
        try withFolder { folder in
            let shop = folder.appending(path: "Shop.xcdatamodeld")
            try writeBundle(["<model/>", "<model/>"], at: shop)
            let before = try Set(FileManager.default.subpathsOfDirectory(atPath: folder.path))
            let results = commands.concurrentMap { command in
                Result { try momtool(command.words + ["--version"], in: folder) }
            }
            for (command, result) in zip(commands, results) {
                let (run, words) = (try result.get(), command.words.joined(separator: " "))
                guard command.options.contains("version") else {
                    #expect(run.status == 0 && run.output == own, "\(words): \(run.errors)")
                    continue
                }
                #expect(run.status == 64, "\(words): \(run.output)\(run.errors)")
                let missing = "missing value for '--version <version>' [usage]"
                #expect(run.errors.contains(missing), "\(words): \(run.errors)")
            }
            #expect(try Set(FileManager.default.subpathsOfDirectory(atPath: folder.path)) == before)
            // The next argument is its value, and no argument of the command.
            let taken = try momtool("lock --version --check Shop.xcdatamodeld", in: folder)
            #expect(taken.errors.contains("missing value for '--version"), "\(taken.errors)")
            let create = try momtool("create --version V1", in: folder)
            #expect(create.status == 64)
            #expect(create.errors.contains("missing expected argument"), "\(create.errors)")
        }
    }

    @Test func `losses may be named with commas between them`() throws {
        try withFolder { folder in
            let migrate =
                ["migrate", "Fixtures/Library-V1.sqlite"] + Self.model
                + ["-o", folder.path + "/New.sqlite", "--allow-data-loss"]
            try expectRun(migrate + ["Book.notes"], 3, errors: ["--allow-data-loss Notice"])
            try expectRun(migrate + ["Book.notes,Notice"], 0)
            #expect(FileManager.default.fileExists(atPath: folder.path + "/New.sqlite"))
        }
    }

    @Test(arguments: [
        ["--default", "--new-version"], ["--min", "--max", "3"], ["--max", "--optional=yes"],
    ])
    func `an option is not the value of another one`(words: [String]) throws {
        let result = try momtool(
            ["model", "add", "Models/Library.xcdatamodeld", "attribute", "Book.y", "String"]
                + words + ["--dry-run"]
        )
        #expect(result.status == 64)
        let said =
            "error: missing value for '\(words[0])'; a text that is also an option is given as \(words[0])=\(words[1])"
        #expect(result.errors.hasPrefix("momtool: " + said), "\(result.errors)")
        #expect(result.errors.contains("Usage: momtool model add "))
    }

    @Test func `a text that is also an option is taken where it is tied to its own`() throws {
        let words = [
            "model", "add", "Models/Library.xcdatamodeld", "attribute", "Book.y", "String",
            "--dry-run", "--new-version",
        ]
        for value in ["--default=--new-version", "--default=-1"] {
            let result = try expectRun(words + [value], 0)
            let text = value.dropFirst("--default=".count)
            #expect(result.output.contains("defaultValueString=\"\(text)\""), "\(result.output)")
        }
        #expect(try momtool(words + ["--default", "-1"]).status == 0)
        #expect(try momtool(words + ["--default", "--none-such"]).status == 0)
    }

    @Test(arguments: [
        (["plan", "a", "b", "c", "--stoer", "x"], "--stoer", "--store"),
        (["migrate", "a.sqlite", "--modle", "b"], "--modle", "--model"),
        (["test", "--rows=0", "--matrx", "a"], "--matrx", "--matrix"),
    ])
    func `an option that there is not is told before what is missing`(
        words: [String],
        option: String,
        meant: String
    ) throws {
        let result = try expectRun(words, 64)
        #expect(
            result.errors.hasPrefix(
                "momtool: error: unknown option '\(option)'; did you mean '\(meant)' [usage]\nUsage: momtool \(words[0]) "
            ),
            "\(result.errors)"
        )
        #expect(result.errors.contains("See 'momtool \(words[0]) --help'"))
    }

    @Test(arguments: [
        (["set", "M", "E.a", "--attributeType", "String"], "--attributeType", "--type"),
        (["set", "M", "E", "--elementID=Old"], "--elementID", "--renaming-id"),
        (["set", "M", "E.b", "--deletionRule", "x"], "--deletionRule", "--delete"),
        (["add", "M", "attribute", "E.a", "--isOptional"], "--isOptional", "--optional"),
    ])
    func `an option named as sources name the setting is told by its own name`(
        words: [String],
        option: String,
        meant: String
    ) throws {
        let result = try expectRun(["model"] + words, 64)
        let said = "momtool: error: unknown option '\(option)'; did you mean '\(meant)' [usage]\n"
        #expect(result.errors.hasPrefix(said), "\(result.errors)")
    }
}

struct RemovedTests {
    @Test(arguments: Removed.rows)
    func `what was removed ends with one line that names what serves instead`(row: Removed) throws {
        let words = row.words.split(separator: " ").map(String.init)
        let isOfAny = row.words.hasPrefix("-")
        let result = try momtool(isOfAny ? ["lint"] + words : words)
        let name = isOfAny ? row.words : "momtool \(row.words)"
        #expect(result.status == 64 && result.output.isEmpty, "\(result)")
        #expect(
            result.errors
                == "momtool: error: '\(name)' was removed; \(row.instead) [removed-command]\n"
        )
    }
}
