import Foundation
import TestSupport
import Testing

struct NameLineTests {
    fileprivate static let line = "\n::stop-commands::pwn"

    enum Place: CaseIterable {
        case version, path, element

        fileprivate var version: String { self == .version ? "V" + NameLineTests.line : "V" }
        fileprivate var folder: String? { self == .path ? "p" + NameLineTests.line : nil }
        fileprivate var name: String { self == .element ? NameLineTests.line : "x" }
    }

    /// The commands, with `%` for the folder, and `@` for the prefix of versions' names.
    private static let commands = [
        ["lint", "%N.xcdatamodeld", "--all-versions"], ["check", "%."],
        ["lock", "%N.xcdatamodeld"], ["lock", "%N.xcdatamodeld", "--check"],
        ["verify", "%S.sqlite", "%B.sqlite", "--model", "%N.xcdatamodeld"],
        ["cloudkit", "check", "%N.xcdatamodeld", "%p.ckdb"], ["diff", "%N.xcdatamodeld"],
        ["diff", "%S.sqlite", "%B.sqlite"], ["plan", "%N.xcdatamodeld"],
        ["plan", "%N.xcdatamodeld", "--from", "@2", "--to", "@1"],
        ["plan", "%N.xcdatamodeld", "--store", "%S.sqlite"], ["plan", "--stages", "%stages.yml"],
        ["inspect", "%S.sqlite"], ["inspect", "%N.xcdatamodeld"], ["hash", "%N.xcdatamodeld"],
        ["hash", "%N.xcdatamodeld", "--explain", "E~"], ["hash", "%N.xcdatamodeld#none"],
        ["identify", "%S.sqlite", "--model", "%N.xcdatamodeld"], ["identify", "%S.sqlite"],
        ["doctor", "%S.sqlite", "--model", "%N.xcdatamodeld"], ["doctor", "%B.sqlite"],
        ["doctor", "%S.sqlite", "%B.sqlite", "--model", "%N.xcdatamodeld"],
        ["test", "--matrix", "%N.xcdatamodeld"], ["test", "%Cases"],
        ["migrate", "%S.sqlite", "--model", "%N.xcdatamodeld", "-o", "%T.sqlite"],
        ["migrate", "%S.sqlite", "--stages", "%stages.yml", "-o", "%T2.sqlite"],
        ["migrate", "--from-list", "list", "--model", "%N.xcdatamodeld", "-o", "%outs"],
        ["migrate", "%no.sqlite", "--model", "%N.xcdatamodeld", "-o", "%T3.sqlite"],
        ["migrate", "%S.sqlite", "--model", "%none", "-o", "%T4.sqlite"],
        ["repair", "%B.sqlite", "--model", "%N.xcdatamodeld#@1"],
        ["inspect", "%S.sqlite", "--history"],
        ["export", "%S.sqlite", "--model", "%N.xcdatamodeld#@1", "-o", "%out.json"],
        ["export", "%S.sqlite", "--entity", "none"], ["config", "%N.xcdatamodeld"],
        ["generate", "%N.xcdatamodeld", "--swiftdata"],
        ["compile", "%N.xcdatamodeld", "-o", "%N.momd"],
        ["decompile", "%N.momd", "-o", "%Sources"], ["inspect", "%N.momd"],
        ["model", "new-version", "%N.xcdatamodeld"], ["init", "%."], ["inspect", "%no.sqlite"],
    ]

    @Test(arguments: Place.allCases)
    func `a line break in a name begins no line`(place: Place) throws {
        try withFolder { folder in
            let inner = place.folder.map { folder.appending(path: $0) } ?? folder
            try HostileProject(name: place.name, folder: inner, version: place.version).write()
            let prefix = place.folder.map { $0 + "/" } ?? ""
            let list = ["S", "B"].map { "\(prefix)\($0).sqlite\0" }.joined()
            try Data(list.utf8).write(to: folder.appending(path: "list"))
            for words in Self.commands {
                let words = words.map {
                    $0.replacing("%", with: prefix).replacing("@", with: place.version)
                        .replacing("~", with: place.name)
                }
                let run = try momtool(words, in: folder)
                let said = run.output + "\n" + run.errors
                #expect(OutputGrammar.obeyed(said) == [], "\(words)")
                #expect(OutputGrammar.torn(said) == [], "\(words)")
                #expect(!run.wasKilled)
            }
        }
    }

    @Test func `the commands that doctor offers name what has a line break in it`() throws {
        try withFolder { folder in
            let project = HostileProject(name: "x", folder: folder, version: "V'" + Self.line)
            try project.write()
            let store = "S\u{202E}\n'\\.sqlite"
            try FileManager.default.moveItem(
                at: folder.appending(path: "S.sqlite"),
                to: folder.appending(path: store)
            )
            let told = try momtool(
                ["doctor", store, "--model", "N.xcdatamodeld", "--format", "json"],
                in: folder
            )
            let offered = OutputGrammar.strings(in: told.output).first {
                $0.hasPrefix("momtool ") && $0.contains("sqlite")
            }
            let command = try #require(offered, "\(told.output)")
            #expect(!command.contains("\n"))
            let shell = Process()
            shell.executableURL = URL(fileURLWithPath: "/bin/bash")
            shell.arguments = ["-c", "momtool() { printf '%s\\0' \"$@\"; }; " + command]
            let pipe = Pipe()
            shell.standardOutput = pipe
            try shell.run()
            let words = pipe.fileHandleForReading.readDataToEndOfFile().split(separator: 0)
            shell.waitUntilExit()
            #expect(words.contains { $0.elementsEqual(store.utf8) }, "\(command)")
        }
    }

    @Test func `a name that begins as a command does not begin a line`() throws {
        let name = "\u{3000}::stop-commands::pwn ##[error]pwn"
        try withFolder { folder in
            let text = """
                <model><entity name="\(name)"><attribute name="\(name)" optional="YES" \
                attributeType="String" defaultValueString="\(name)"/></entity></model>
                """
            try writeBundle(
                ["V1": text, "V2": text.replacing("YES", with: "NO")],
                current: "V2",
                at: folder.appending(path: "N.xcdatamodeld")
            )
            for (store, value) in [("S.sqlite", name), ("T.sqlite", "x")] {
                let rows = [name: [["@id": "1", name: value]]]
                try JSONSerialization.data(withJSONObject: rows)
                    .write(to: folder.appending(path: "rows.json"))
                let create = [
                    "create", store, "--model", "N.xcdatamodeld#V1", "--rows", "rows.json",
                ]
                #expect(try momtool(create, in: folder).status == 0)
            }
            for words in [
                ["hash"], ["lint", "--all-versions"], ["inspect"], ["plan"],
                ["diff", "--from", "V1", "--to", "V2"], ["graph"],
            ] {
                let run = try momtool([words[0], "N.xcdatamodeld"] + words.dropFirst(), in: folder)
                let said = run.output + "\n" + run.errors
                #expect(OutputGrammar.obeyed(said) == [], "\(words)")
            }
            for words in [["diff", "S.sqlite", "T.sqlite"], ["export", "S.sqlite"]] {
                let run = try momtool(words, in: folder)
                #expect(!run.output.isEmpty)
                #expect(OutputGrammar.obeyed(run.output + run.errors) == [], "\(words)")
            }
            let export = try momtool(["export", "S.sqlite"], in: folder)
            #expect(OutputGrammar.strings(in: export.output).contains(name), "\(export.output)")
        }
    }
}
