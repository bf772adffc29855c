import Diagnostics
import Foundation
import TestSupport
import Testing

struct NameLineTests {
    private static let line = "\n::stop-commands::pwn"

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

    @Test func `a line break in a name begins no line`() throws {
        try withFolder { folder in
            let (prefix, version) = ("p\(Self.line)/", "V\(Self.line)")
            let inner = folder.appending(path: prefix)
            try HostileProject(name: Self.line, folder: inner, version: version).write()
            let list = ["S", "B"].map { "\(prefix)\($0).sqlite\0" }.joined()
            try write(list, "list", in: folder)
            for words in Self.commands {
                let words = words.map {
                    $0.replacing("%", with: prefix).replacing("@", with: version)
                        .replacing("~", with: Self.line)
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
            let script = "momtool() { printf '%s\\0' \"$@\"; }; " + command
            let run = try result(of: URL(filePath: "/bin/bash"), ["-c", script])
            let words = run.output.split(separator: "\0")
            #expect(words.contains { $0.utf8.elementsEqual(store.utf8) }, "\(command)")
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
                [text, text.replacing("YES", with: "NO")],
                "N.xcdatamodeld",
                in: folder
            )
            for (store, value) in [("S.sqlite", name), ("T.sqlite", "x")] {
                let rows = try JSONEncoder().encode([name: [["@id": "1", name: value]]])
                try rows.write(to: folder.appending(path: "rows.json"))
                let create = "create \(store) --model N.xcdatamodeld#V1 --rows rows.json"
                try expectRun(create, in: folder, 0)
            }
            let export = try momtool("export S.sqlite", in: folder)
            #expect(OutputGrammar.strings(in: export.output).contains(name), "\(export.output)")
            for words in [
                "hash N.xcdatamodeld", "lint N.xcdatamodeld --all-versions",
                "inspect N.xcdatamodeld", "plan N.xcdatamodeld", "graph N.xcdatamodeld",
                "diff N.xcdatamodeld --from V1 --to V2", "diff S.sqlite T.sqlite",
                "export S.sqlite",
            ] {
                let run = try momtool(words, in: folder)
                #expect(!run.output.isEmpty, "\(words)")
                #expect(OutputGrammar.obeyed(run.output + "\n" + run.errors) == [], "\(words)")
            }
        }
    }
}

struct HiddenSignTests {
    @Test(
        arguments: [
            0x034F, 0x115F, 0x1160, 0x180E, 0x200C, 0x200D, 0x206A, 0x206F, 0x3164, 0xFE00, 0xFE0E,
            0xFE0F, 0xFFA0, 0xFFF9, 0xFFFB, 0x1D173, 0x1D17A, 0xE0100, 0xE01EF,
        ] as [UInt32]
    )
    func `a sign that is not seen is a number`(value: UInt32) throws {
        let scalar = try #require(Unicode.Scalar(value))
        #expect("V\(scalar)1".onOneLine == "V\(scalar.escapedNumber)1")
        #expect("1\(scalar)".onOneLine == "1\(scalar.escapedNumber)")
        #expect("\(scalar)1".onOneLine == "\(scalar.escapedNumber)1")
        #expect("V\(scalar)1".isObeyed)
    }

    @Test(
        arguments: [
            // Emoji: a heart, a family, a flag of two signs, a key, a skin.
            "❤\u{FE0F}", "👩\u{200D}👩\u{200D}👧", "🏳\u{FE0F}\u{200D}🌈", "1\u{FE0F}\u{20E3}",
            "👩🏽\u{200D}🚀", "☎\u{FE0E}",
            // Persian, Hindi, Sinhala, Malayalam; a Japanese name.
            "می\u{200C}خواهم", "क्\u{200D}ष", "ශ්\u{200D}රී", "ന്\u{200D}", "葛\u{E0100}城", "葛\u{FE00}",
        ]
    )
    func `a real name stays as it is`(name: String) {
        #expect(name.onOneLine == name)
        #expect(!name.isObeyed)
        #expect(shellWord(name) == "'\(name)'")
    }

    @Test(arguments: ["م\u{200C}", "👩\u{200D}", "\u{200D}👩", "a\u{200D}👧", "क\u{200D}"])
    func `a joiner that joins nothing is a number`(name: String) {
        #expect(name.onOneLine.contains("\\u200"))
    }
}
