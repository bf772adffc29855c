import Foundation
import TestSupport
import Testing

struct HostileNameTests {
    /// A line break, a command, a return, a tab, the separator of lines and a turn of direction.
    private static let bad = "&#10;::stop-commands::x&#13;&#9;&#x2028;&#x202E;"

    private static func model(_ optional: String, _ further: String) -> String {
        let model = """
            <model userDefinedModelVersionIdentifier="v~"><entity name="E~" representedClassName="C~">
            <attribute name="a~" optional="\(optional)" attributeType="String" versionHashModifier="h~"/>\(further)
            <attribute name="t~" optional="YES" attributeType="Transformable" valueTransformerName="T~"/>
            <relationship name="r~" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="F~" \
            inverseName="s~" inverseEntity="F~"/><uniquenessConstraints><uniquenessConstraint>
            <constraint value="a~"/></uniquenessConstraint></uniquenessConstraints>
            <userInfo><entry key="k~" value="v~"/></userInfo></entity>
            <entity name="F~"><attribute name="q~" attributeType="Integer 16"/>
            <relationship name="s~" optional="YES" toMany="YES" deletionRule="Nullify" destinationEntity="E~" \
            inverseName="r~" inverseEntity="E~"/></entity>
            <configuration name="c~"><memberEntity name="E~"/></configuration></model>
            """
        return model.replacing("~", with: bad)
    }

    @Test func `no name begins a line of what is written`() throws {
        try withFolder { folder in
            let added = #"<attribute name="new~" attributeType="Date"/>"#
            try writeBundle(
                ["V1": Self.model("YES", ""), "V2": Self.model("NO", added)],
                current: "V2",
                at: folder.appending(path: "N.xcdatamodeld")
            )
            let (model, step) = ("N.xcdatamodeld", ["--from", "V1", "--to", "V2"])
            var commands = [
                ["hash", model], ["check", "."], ["create", "S.sqlite", "--model", model + "#V1"],
                ["inspect", "S.sqlite"], ["identify", "S.sqlite", "--model", model],
                ["doctor", "S.sqlite", "--model", model], ["verify", "S.sqlite", "--model", model],
                ["plan", model] + step, ["plan", model, "--sql"] + step,
                ["migrate", "S.sqlite", "--model", model, "-o", "T.sqlite"],
                ["test", "--matrix", model], ["cloudkit", "schema", model],
            ]
            let formats = ["text", "github", "markdown", "junit", "json"]
            commands += formats.map { ["lint", model, "--format", $0] }
            commands += ["text", "markdown", "json"].map { ["diff", model, "--format", $0] + step }
            commands += ["mermaid", "dot"].map { ["graph", model, "--format", $0] }
            for command in commands {
                let run = try momtool(command, in: folder)
                #expect(!run.wasKilled)
                let said = run.output + run.errors
                #expect(!said.isEmpty || command[0] == "create", "\(command)")
                let obeyed = said.unicodeScalars.filter {
                    [0x0D, 0x1B, 0x2028, 0x202E].contains($0.value)
                }
                #expect(obeyed.isEmpty || command.contains("junit"), "\(command)")
                let lines = said.split(separator: "\n").map { $0.drop { " \t\\".contains($0) } }
                let begun = lines.filter { $0.hasPrefix("::stop") }
                #expect(begun == [], "\(command)")
            }
        }
    }

    @Test(arguments: ["text", "github", "gitlab", "markdown", "junit"])
    func `no name of a file begins a line of what is written`(format: String) throws {
        try withFolder { folder in
            let place = folder.appending(path: "a\n::stop-commands::x")
            let bundle = place.appending(path: "N.xcdatamodeld")
            let source = "<model><entity name='a'><attribute name='B'/></entity></model>"
            try writeBundle(["V1": source], current: "V1", at: bundle)
            let calls = [("lint", bundle), ("check", place), ("verify", bundle)]
            for (command, input) in calls {
                let arguments = [command, input.path, "--format", format]
                let run = try momtool(arguments, in: folder)
                let said = run.output + run.errors
                #expect(!said.isEmpty && !run.wasKilled)
                #expect(!said.split(separator: "\n").contains { $0.hasPrefix("::stop") }, "\(said)")
            }
        }
    }

    @Test func `a name in a command that is advised is one word of a shell`() throws {
        try withFolder { folder in
            func model(_ attributes: String) -> String {
                "<model><entity name='E;touch x #'>\(attributes)</entity></model>"
            }
            let old = "<attribute name='a b' optional='YES' attributeType='Date'/>"
            try writeBundle(
                ["V1": model(old), "V2": model("<attribute name='c d' attributeType='Date'/>")],
                current: "V2",
                at: folder.appending(path: "Some Files/N.xcdatamodeld")
            )
            let (path, store) = ("Some Files/N.xcdatamodeld", "S.sqlite")
            let rows = #"{"E;touch x #": [{"@id": "p1", "a b": "2020-01-01T00:00:00Z"}]}"#
            try write(rows, "Rows.json", in: folder)
            let created = try momtool(
                ["create", store, "--model", path + "#V1", "--rows", "Rows.json"],
                in: folder
            )
            #expect(created.status == 0, "\(created.errors)")
            for command in [
                ["check", "."], ["lint", path], ["plan", path, "--store", store],
                ["migrate", store, "--model", path, "-o", "T.sqlite"],
                ["doctor", store, "--model", path],
            ] {
                let run = try momtool(command, in: folder)
                let advised = (run.output + run.errors).split(separator: "\n").flatMap { line in
                    ["momtool model set", "--allow-data-loss "].compactMap { words in
                        line.range(of: words).map { line[$0.lowerBound...] }
                            .flatMap { $0.components(separatedBy: "; ").first }
                    }
                }
                #expect(!advised.isEmpty || command[0] == "migrate", "\(command)\n\(run.output)")
                for text in advised {
                    let bare = text.replacing(/'[^']*'/, with: "")
                    #expect(!bare.contains(";touch"), "\(command): \(text)")
                }
            }
        }
    }
}
