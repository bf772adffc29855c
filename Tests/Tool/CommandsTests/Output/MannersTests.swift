import Foundation
import TestSupport
import Testing

struct MannersTests {
    private static let model = "Models/Library.xcdatamodeld"

    @Test(
        arguments: [
            (["migarte"], "there is no command 'migarte'; did you mean 'migrate'"),
            (["cloudkit", "chek"], "there is no command 'chek'; did you mean 'check'"),
            (["hash", model, "--formt", "json"], "did you mean '--format' [usage]"),
            (["rules", "mising-inverse"], "did you mean 'missing-inverse'"),
            (["hash", model, "--explain", "Boook"], "did you mean 'Book'"),
            (["graph", model, "--entity", "Autor"], "did you mean 'Author'"),
            (["export", "Fixtures/Library-V1.sqlite", "--entity", "Bok"], "did you mean 'Book'"),
            (["rules", "--format", "markdwn"], "'text', 'json' or 'markdown'"),
            (["hash", "Models/Journal#SchemaV22"], "did you mean 'SchemaV2'"),
        ]
    )
    func `the nearest name is proposed for one that nothing has`(
        arguments: [String],
        words: String
    ) throws {
        try expectRun(arguments, 64, errors: [words])
    }

    @Test(
        arguments: [
            ("Modls/Library.xcdatamodeld", "Models/Library.xcdatamodeld"),
            ("models/library.xcdatamodeld", "Models/Library.xcdatamodeld"),
            ("./Modells/Librry.xcdatamodeld", "./Models/Library.xcdatamodeld"),
            ("Library.xcdatamodeld", "Models/Library.xcdatamodeld"),
            ("deep.sqlite", "a/b/c/Deep.sqlite"), ("deeper.sqlite", nil),
            ("Library-V2.sqlite", nil), ("Library-V1.sqlite-sh", "Library-V1.sqlite"),
            ("Modls/Nothing.sqlite", nil),
        ] as [(String, String?)]
    )
    func `a path is looked at part by part, then for its name below`(
        path: String,
        meant: String?
    ) throws {
        try withFolder { folder in
            let names = [
                "Models/Library.xcdatamodeld/V1.xcdatamodel/contents", "a/b/c/Deep.sqlite",
                "a/b/c/d/Deeper.sqlite", "Library-V1.sqlite", "Library-V1.sqlite-shm",
                "Library-V1.sqlite-wal",
            ]
            for name in names {
                let file = folder.appending(path: name)
                try makeFolder(file.deletingLastPathComponent())
                try Data("<model/>".utf8).write(to: file)
            }
            let result = try expectRun(["inspect", path], in: folder, 66)
            let hint = meant.map { "no such file or folder; did you mean '\($0)' [" }
            #expect(result.errors.contains(hint ?? "no such file or folder ["), "\(result.errors)")
        }
    }

    @Test(
        arguments: [
            ("Models", "a folder, not a store"),
            (model, "a model (.xcdatamodeld), not a store"),
            ("README.md", "a text file, not an SQLite database"),
            ("Map.xcmappingmodel", "a mapping model (.xcmappingmodel), not a store"),
            ("Library.momd", "a compiled model (.momd), not a store"),
            ("Library.momd/V1.mom", "a compiled model (.mom), not a store"),
            ("Empty.sqlite", "an empty file, not an SQLite database"),
        ]
    )
    func `an input of the wrong kind is called what it is`(path: String, words: String) throws {
        try withFolder { folder in
            let model = Corpus.package.appending(path: Self.model).path
            _ = try momtool("compile", model, "-o", folder.path)
            let map = folder.appending(path: "Map.xcmappingmodel").path
            try FileManager.default.createDirectory(atPath: map, withIntermediateDirectories: false)
            try Data().write(to: folder.appending(path: "Empty.sqlite"))
            let own = folder.appending(path: path).path
            let place =
                FileManager.default.fileExists(atPath: own)
                ? own : Corpus.package.appending(path: path).path
            for command in [
                ["verify"], ["export"], ["repair"], ["identify", "--model", model],
                ["plan", model, "--store"],
            ] {
                let result = try expectRun(command + [place], 65)
                let message = "\(place): error: this is \(words)"
                #expect(result.errors.hasPrefix(message), "\(result.errors)")
                #expect(result.errors.contains(" [not-a-database]\n"), "\(result.errors)")
            }
        }
    }

    @Test(
        arguments: [
            (["hash", "README.md"], "a text file, neither a model nor a store"),
            (["compile", "README.md", "-o", "x"], "a text file; compile reads .xcdatamodeld"),
            (["lint", "Tests/Support/TestSupport"], "the folder holds no model"),
        ]
    )
    func `what holds no model is called what it is`(arguments: [String], words: String) throws {
        let result = try momtool(arguments)
        #expect(result.status == 65 || result.status == 66)
        #expect(result.errors.contains(words), "\(result.errors)")
    }

    @Test func `what is counted has the right number`() throws {
        let two = try momtool("inspect", Self.model).output
        #expect(two.contains("9 entities,"))
        #expect(two.contains(" 0 fetched properties, 1 index, "), "\(two)")
        try withFolder { folder in
            let lock = folder.appending(path: "One.lock").path
            let one = Self.model + "/V1.xcdatamodel"
            let result = try momtool("lock", one, "--lock", lock)
            #expect(result.output == "\(lock): 1 version locked, 1 new\n")
        }
    }

    @Test func `a name that is near to none is not put right`() throws {
        let result = try momtool("hash", Self.model + "#V9")
        #expect(result.errors.contains("there is no version 'V9'; there are: V1, V2"))
        #expect(!result.errors.contains("did you mean"))
    }

    @Test(
        arguments: [
            ["test", "Missing"], ["config", "Missing.xcdatamodeld"], ["lint", "Missing"],
            ["verify", "Missing.sqlite"], ["inspect", "Missing.momd"],
            ["doctor", "Missing.sqlite"],
            ["model", "merge", "Missing", "b", "c", "-o", "d"],
        ]
    )
    func `what is not there is named as it was given, and ends with 66`(arguments: [String]) throws
    {
        let model = arguments[0] == "doctor" ? ["--model", Self.model] : []
        let result = try expectRun(arguments + model, 66)
        let path = arguments.first { $0.hasPrefix("Missing") } ?? ""
        #expect(result.errors.hasPrefix("\(path): error: no such f"), "\(result.errors)")
    }

    @Test func `a loss that no version has is said with the nearest name`() throws {
        let result = try momtool(
            "migrate Fixtures/Library-V1.sqlite --model \(Self.model) -o /dev/null/x "
                + "--allow-data-loss Notices --allow-data-loss Book.notes"
        )
        let warning = "--allow-data-loss: no version has 'Notices'; did you mean 'Notice'"
        #expect(result.errors.contains(warning), "\(result.errors)")
        #expect(!result.errors.contains("'Book.notes'"))
    }

    @Test(
        arguments: [
            ["hash"], ["hash", "Missing.xcdatamodeld"], ["verify", "README.md"], ["rules", "no"],
            ["migrate", "Missing.sqlite", "--model", model, "-o", "New.sqlite"],
            ["migrate", "Fixtures/Library-V1.sqlite", "--model", model, "-o", "/dev/null/x"],
            ["create", "README.md", "--model", model], ["nothing"], ["lint", "--wrong"],
            ["export", "Fixtures/Library-V1.sqlite", "--where", "title =="],
            ["repair", "Fixtures/Library-V1.sqlite", "--set", "Book"],
        ]
    )
    func `every error names what it is about before the word`(arguments: [String]) throws {
        let result = try momtool(arguments)
        let lines = result.errors.split(separator: "\n")
        let form = /^[^ ].*: error: .+/
        #expect(lines.contains { $0.wholeMatch(of: form) != nil }, "\(result.errors)")
        #expect(!lines.contains { $0.lowercased().hasPrefix("error") }, "\(result.errors)")
        #expect([1, 2, 3, 4, 64, 65, 66, 73, 74].contains(result.status))
    }

    @Test func `help lists the formats that a command has`() throws {
        #expect(try momtool("rules", "--help").output.contains("(values: text, json, markdown)"))
        let lint = try momtool("lint", "--help").output.replacing(/\s+/, with: " ")
        let formats = "text, json, sarif, github, gitlab, junit, markdown"
        #expect(lint.contains(formats))
        #expect(try momtool("graph", "--help").output.contains("mermaid, dot"))
    }

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
            let shown = said.matches(of: /create: \d+ of \d+ kB, \d+ %, [0-9.]+ (s|min).* left/)
            // A fast machine is done before there is anything to show.
            #expect(!shown.isEmpty || !said.contains("create:"))
        }
    }
}
