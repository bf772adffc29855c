import Foundation
import SQLiteAccess
import TestSupport
import Testing

struct InjectionTests {
    /// Names of models, cases, stages and schemas, by the format that they attack.
    private static let names = [
        "markup": "x\"]}'),;|`--><b id=pwn>]]></script><![CDATA[&lt;&amp;x [a](pwn) <!DOCTYPE a>",
        "runner": "${{ github.token }}%0A::error::pwn%0D%25\n::stop-commands::pwn\r\n##[error]pwn",
        "terminal": "\u{9B}31mpwn\u{80}\u{7F}\u{61C}\u{202E}\u{2066}\u{2069}"
            + "\u{200E}\u{2028}\u{85}x\ty",
        "code": "\"; pwn() // \\(pwn()) */ pwn() /* \"\"\" #\" "
            + "'); DROP TABLE Z_METADATA; -- @end %@ %n \\",
        "lines": "=cmd|'/c calc'!A1\n- !!pwn &a *a {b: [c]} # d: e\n---\n"
            + "ok 7 - pwn # TODO x\nBail out!\n|---|",
        "diagram": "a\"]; %%{init: {}}%% end\n#quot; \\N\\E \" -> pwn [shape=x] click pwn",
        "path": "../../../../pwn/x",
        "agent": "##[stop-commands]pwn ##vso[task.complete]pwn \u{200B}\u{FEFF}\u{AD}\u{2060}"
            + "\u{E0041}\u{E007F}",
        "marks": "\"'\\|<>`]#*[{(;:,&%=-/".map { "\($0)\u{301}" }.joined() + "<\u{338}b id=pwn>",
    ]

    private static let findings = [
        "text", "json", "sarif", "github", "gitlab", "junit", "markdown",
    ]
    private static let cases = ["text", "json", "junit", "github", "markdown"]
    private static let plain = ["text", "json"]

    private static let commands: [([String], [String])] = {
        let (model, old) = ("N.xcdatamodeld", "N.xcdatamodeld#V1")
        let step = ["--from", "V1", "--to", "V2"]
        let repair = ["repair", "B.sqlite", "--model", old, "--clear-links", "--sql"]
        return [
            (["lint", model, "--all-versions"], findings), (["check", "."], findings),
            (["verify", "S.sqlite", "--model", model], findings),
            (["verify", "B.sqlite", "--model", old], findings),
            (["cloudkit", "check", model, "p.ckdb"], findings),
            (["diff", model] + step, ["text", "json", "markdown", "edits"]),
            (["diff", "S.sqlite", "B.sqlite"], plain), (["plan", model] + step, plain),
            (["plan", model, "--sql", "--store", "S.sqlite"] + step, plain),
            (["inspect", "S.sqlite"], plain), (["inspect", model], plain),
            (["hash", model], plain),
            (["identify", "S.sqlite", "--model", model, "--git"], plain),
            (["doctor", "B.sqlite", "--model", model], plain),
            (["graph", model], ["mermaid", "dot"]),
            (["test", "--matrix", model], cases), (["test", "Cases"], cases),
            (["migrate", "S.sqlite", "--model", model, "-o", "T.sqlite"], plain),
            (repair + ["-o", "R.sqlite"], plain),
            (["export", "S.sqlite", "--model", old, "-o", "-"], []),
            (["generate", "--stages", "stages.yml"], ["text"]), (["config", model], []),
            (["cloudkit", "schema", model], []), (["generate", model, "--swiftdata"], ["text"]),
            (["compile", model, "-o", "N.momd"], plain),
            (["inspect", "N.momd"], plain), (["decompile", "N.momd", "-o", "Sources"], plain),
        ]
    }()

    /// The formats that a name is meant to break; they have it in every command.
    private static let aims = [
        "markup": ["junit", "markdown"], "runner": ["github"], "code": ["none"],
        "lines": ["edits"], "diagram": ["mermaid", "dot"], "agent": ["github"],
    ]

    /// Whether a name is tried with a format of a command: a sixth of all on every push, by night all of them.
    private static func isTried(
        _ key: String,
        _ number: Int,
        _ command: [String],
        _ format: String?
    )
        -> Bool
    {
        let place = names.keys.sorted().firstIndex(of: key) ?? 0
        return Sweep.isWhole || (number + place) % 6 == 0 || command.contains("-o")
            || aims[key]?.contains(format ?? "none") == true
    }

    private static let naming = ["lint", "inspect", "hash", "diff", "plan"]

    @Test(arguments: names.keys.sorted())
    func `no name gets out of its place in any format of any command`(of key: String) throws {
        let name = try #require(Self.names[key])
        try withFolder { folder in
            let folder = folder.appending(path: "a")
            try HostileProject(name: name, folder: folder).write()
            let around = try Self.files(around: folder)
            for (number, (command, formats)) in Self.commands.enumerated() {
                for (index, format) in (formats.isEmpty ? [nil] : formats.map(Optional.some))
                    .enumerated() where Self.isTried(key, number + index, command, format)
                {
                    if command.dropLast().last == "-o", let place = command.last {
                        try? FileManager.default.removeItem(at: folder.appending(path: place))
                    }
                    let options = format.map { ["--format", $0] } ?? []
                    let run = try momtool(command + options, in: folder)
                    let what = "\((command + options).joined(separator: " "))"
                    #expect([0, 1, 2, 3, 65].contains(run.status), "\(what): \(run.errors)")
                    #expect(!run.wasKilled, "\(what)")
                    // A name that is not quoted breaks a statement, or is run.
                    #expect(!(run.output + run.errors).contains("SQLite error"), "\(what)")
                    let isCode = ["cloudkit schema", "generate"].contains(where: what.hasPrefix)
                    let said = run.output + "\n" + run.errors
                    #expect(OutputGrammar.obeyed(said, isCode: isCode) == [], "\(what)")
                    // SQL has names and values as they are.
                    let isChecked = !isCode && !command.contains("--sql")
                    #expect(!isChecked || OutputGrammar.torn(said) == [], "\(what)")
                    // Refused edits are reported as findings.
                    guard let format, !run.output.isEmpty, format != "edits" || run.status < 3
                    else { continue }
                    #expect(OutputGrammar.faults(of: run.output, format) == [], "\(what)")
                    guard format == "json", Self.naming.contains(command[0]),
                        command.contains("N.xcdatamodeld")
                    else { continue }
                    let texts = OutputGrammar.strings(in: run.output)
                    #expect(texts.contains { $0.utf8.contains("E\(name)".utf8) }, "\(what)")
                }
            }
            #expect(try Self.files(around: folder) == around)
            try Self.checkComment(in: folder)
            try Self.checkStores(in: folder, name)
        }
    }

    /// The files beside the folder, where the paths in names lead.
    private static func files(around folder: URL) throws -> [String] {
        let parent = folder.deletingLastPathComponent()
        let places = [parent.deletingLastPathComponent(), URL(fileURLWithPath: "/")]
        return try FileManager.default.contentsOfDirectory(atPath: parent.path).sorted()
            + places.map { $0.appending(path: "pwn").path }
            .filter(FileManager.default.fileExists(atPath:))
    }

    /// The diagram in a comment is one block of code, whatever its names.
    private static func checkComment(in folder: URL) throws {
        let place = folder.appending(path: "comment.md")
        defer { try? FileManager.default.removeItem(at: place) }
        _ = try momtool("check . --comment comment.md", in: folder)
        let comment = try fileText(place)
        let lines = comment.unicodeScalars.split(separator: "\n").map(String.init)
        let start = try #require(lines.firstIndex(of: "```mermaid"))
        let block = lines[(start + 1)...].prefix { !$0.contains("```") }
        #expect(lines[block.endIndex] == "```")
        let diagram = block.joined(separator: "\n").replacing("@\u{200B}", with: "@")
        #expect(OutputGrammar.faults(of: diagram, "mermaid") == [])
    }

    /// Names in stores come back unchanged, and have no other effect.
    private static func checkStores(in folder: URL, _ name: String) throws {
        let model = "N.xcdatamodeld"
        let rows = try expectRun(["export", "T.sqlite", "--model", model], in: folder, 0)
        #expect(
            OutputGrammar.strings(in: rows.output).contains { $0.utf8.elementsEqual(name.utf8) }
        )
        #expect(try momtool(["verify", "T.sqlite", "--model", model], in: folder).status == 0)
        let code = ["generate", model, "--all", "-o", "Classes"]
        #expect([3, 65].contains(try momtool(code, in: folder).status))
        #expect(!FileManager.default.fileExists(atPath: folder.appending(path: "Classes").path))
    }

    @Test func `no name of a folder, a branch or a commit gets out of its place`() throws {
        let name = "p\n::stop-commands::pwn\u{1B}[31m\u{202E}<b id=pwn>|]]>'\"\u{301}"
        try withFolder { folder in
            let inner = folder.appending(path: name)
            try HostileProject(name: "x", folder: inner).write()
            let path = "\(name)/N.xcdatamodeld"
            for (command, formats) in [
                (["lint", path], Self.findings), (["check", name], Self.findings),
                (["diff", path, "--from", "V1"], ["text", "json", "markdown"]),
                (["inspect", path], Self.plain),
                (["identify", "\(name)/S.sqlite", "--model", path], Self.plain),
                (["verify", "\(name)/S.sqlite", "\(name)/B.sqlite"], Self.findings),
                (["test", "\(name)/Cases"], Self.cases),
                (
                    ["migrate", "\(name)/S.sqlite", "--model", path, "-o", "\(name)/T.sqlite"],
                    ["text"]
                ),
                (["graph", path], ["mermaid", "dot"]),
            ] {
                for format in formats {
                    let run = try momtool(command + ["--format", format], in: folder)
                    let what = "\(command[0]) --format \(format)"
                    #expect([0, 1, 2, 3].contains(run.status), "\(what): \(run.errors)")
                    let said = run.output + "\n" + run.errors
                    #expect(OutputGrammar.obeyed(said) == [], "\(what)")
                    #expect(OutputGrammar.torn(said) == [], "\(what)")
                    #expect(OutputGrammar.faults(of: run.output, format) == [], "\(what)")
                }
            }
        }
    }
}

/// A model in two versions, stores, cases, stages, a schema and a repository, with one name everywhere.
struct HostileProject {
    let name: String
    let folder: URL
    var version = "V"

    func write() throws {
        let added =
            "<attribute name=\"new~\" attributeType=\"Date\" defaultDateTimeInterval=\"0\"/>"
        try writeBundle(
            ["\(version)1": model("YES", ""), "\(version)2": model("NO", added)],
            "N.xcdatamodeld",
            in: folder,
            current: "\(version)2"
        )
        try write(
            "Cases/one/case.yml",
            "model: ../../N.xcdatamodeld\nfrom: \(json(version + "1"))\nname: \(json(name))\n"
        )
        try write("Cases/one/before.json", "{}")
        try write("Cases/one/after.json", "{\"none\": [{\"@id\": \"1\"}]}")
        try write(
            "stages.yml",
            "model: N.xcdatamodeld\nstages:\n"
                + "  - lightweight: [\(json(version + "1")), \(json(version + "2"))]\n"
                + "    label: \(json(name))\n"
        )
        try write(
            "p.ckdb",
            "DEFINE SCHEMA\n RECORD TYPE CD_E (\n \"___recordID\" REFERENCE QUERYABLE,\n"
                + " CD_a INT64\n );\n"
        )
        let rows: [String: Any] = [
            "E\(name)": [["@id": "e1", "a\(name)": name, "r\(name)": "F\(name)/f1"]],
            "F\(name)": [["@id": "f1", "q\(name)": 3]],
        ]
        let text = try JSONSerialization.data(withJSONObject: rows)
        try write("rows.json", String(decoding: text, as: UTF8.self))
        for store in ["S.sqlite", "B.sqlite"] {
            let made = try momtool(
                ["create", store, "--model", "N.xcdatamodeld#\(version)1", "--rows", "rows.json"],
                in: folder
            )
            #expect(made.status == 0, "\(made.errors)")
        }
        try damage("B.sqlite")
        let branch = "b\(name.unicodeScalars.filter { $0.properties.isAlphabetic })"
        try git("init", "-q", "-b", branch, in: folder)
        try git("add", "N.xcdatamodeld", in: folder)
        try git("commit", "-q", "-m", name, in: folder)
    }

    private func write(_ path: String, _ text: String) throws {
        try TestSupport.write(text, path, in: folder)
    }

    private func json(_ text: String) throws -> String {
        let list = try JSONEncoder().encode([text])
        return String(String(decoding: list, as: UTF8.self).dropFirst().dropLast())
    }

    private func damage(_ store: String) throws {
        let path = folder.appending(path: store).path
        let connection = try SQLiteConnection(path: path, mode: .readWrite)
        let tables = try connection.rows("SELECT name FROM sqlite_master WHERE name LIKE 'ZE%'")
        let plain = try #require(tables.first?.first?.text)
        let table = quotedIdentifier(plain)
        let columns = try connection.rows(
            "SELECT name FROM pragma_table_info(\(quotedText(plain)))"
        )
        for column in columns.compactMap(\.first?.text) {
            let value = column.hasPrefix("ZR") ? "999" : column.hasPrefix("ZA") ? "x'ff'" : nil
            guard let value else { continue }
            try connection.execute("UPDATE \(table) SET \(quotedIdentifier(column)) = \(value)")
        }
    }

    private func model(_ optional: String, _ further: String) -> String {
        let text = """
            <model userDefinedModelVersionIdentifier="v~"><entity name="E~" representedClassName="C~" elementID="i~">
            <attribute name="a~" optional="\(optional)" attributeType="String" versionHashModifier="h~" \
            defaultValueString="d~" elementID="j~" customClassName="K~"/>\(further)
            <attribute name="t~" optional="YES" attributeType="Transformable" valueTransformerName="T~"/>
            <relationship name="r~" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="F~" \
            inverseName="s~" inverseEntity="F~"/>
            <fetchedProperty name="p~" optional="YES"><fetchRequest name="q~" entity="F~" \
            predicateString="1 == 1"/></fetchedProperty>
            <fetchIndex name="x~"><fetchIndexElement property="a~" type="Binary" order="ascending"/></fetchIndex>
            <uniquenessConstraints><uniquenessConstraint><constraint value="a~"/></uniquenessConstraint>\
            </uniquenessConstraints><userInfo><entry key="k~" value="v~"/></userInfo></entity>
            <entity name="F~" representedClassName=".D~"><attribute name="q~" optional="YES" \
            attributeType="Integer 16"/><relationship name="s~" optional="YES" toMany="YES" deletionRule="Nullify" \
            destinationEntity="E~" inverseName="r~" inverseEntity="E~"/></entity>
            <fetchRequest name="y~" entity="E~" predicateString="1 == 1"/>
            <configuration name="c~" usedWithCloudKit="YES"><memberEntity name="E~"/></configuration></model>
            """
        let value = name.unicodeScalars.map { scalar in
            "&<>\"\n\r\t".unicodeScalars.contains(scalar) ? "&#\(scalar.value);" : "\(scalar)"
        }
        return text.replacing("~", with: value.joined())
    }
}
