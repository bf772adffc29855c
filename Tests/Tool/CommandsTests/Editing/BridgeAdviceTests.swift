import Foundation
import TestSupport
import Testing

struct BridgeAdviceTests {
    private static let model = "Book Shop.xcdatamodeld"

    private static func source(_ type: String) -> String {
        xcodeSource(
            """
                <entity name="Order" representedClassName="Order" syncable="YES" codeGenerationType="class">
                    <attribute name="changed" optional="YES" attributeType="\(type)"/>
                    <attribute name="title" optional="YES" attributeType="String"/>
                </entity>
            """
        )
    }

    private func withRefusal(_ body: (URL) throws -> Void) throws {
        try withFolder { folder in
            let versions = ["Shop 7", "Shop 8"].map { ($0, Self.source("UUID")) }
            var all = Dictionary(uniqueKeysWithValues: versions)
            all["Shop 7"] = all["Shop 7"]?.replacing(
                #"<attribute name="title" optional="YES" attributeType="String"/>"#,
                with: ""
            )
            let bundle = folder.appending(path: Self.model)
            try writeBundle(all, current: "Shop 8", at: bundle)
            #expect(try momtool(["lock"], in: folder).status == 0)
            let set = [
                "model", "set", Self.model, "Order.changed", "--type", "String", "--new-version",
            ]
            #expect(try momtool(set, in: folder).status == 0)
            try body(folder)
        }
    }

    private static let bridge =
        "momtool model new-version 'Book Shop.xcdatamodeld' --bridge 'Shop 8' 'Shop 9'"
    private static let words = [
        "model", "new-version", model, "--bridge", "Shop 8", "Shop 9",
    ]

    @Test func `a refused step names the command that bridges it`() throws {
        try withRefusal { folder in
            for words in [
                ["lint", Self.model], ["check"], ["plan", Self.model, "--from", "Shop 8"],
            ] {
                let run = try momtool(words, in: folder)
                #expect(run.status != 0)
                #expect((run.output + run.errors).contains(Self.bridge), "\(words): \(run.output)")
            }
            #expect(try momtool(Self.words, in: folder).status == 0)
            let check = try momtool(["check"], in: folder)
            #expect(!check.output.contains("--bridge"), "\(check.output)")
            #expect(!check.output.contains("[source-form]"), "\(check.output)")
        }
    }

    @Test func `the lines that a lost attribute prints convert its values`() throws {
        try withRefusal { folder in
            #expect(try momtool(Self.words, in: folder).status == 0)
            let check = try momtool(["check"], in: folder)
            #expect(check.status == 1, "\(check.output)")
            let lines = check.output.components(separatedBy: "\n")
            let start = try #require(lines.firstIndex { $0.hasPrefix("model: ") })
            let end = try #require(lines[start...].firstIndex { $0.hasPrefix("note: ") })
            let stages = lines[start..<end].joined(separator: "\n")
            #expect(stages.contains("lightweight: [Shop 7, Shop 8]"), "\(stages)")
            try write(stages, "Stages.yml", in: folder)
            #expect(lines[end] == "note: and Convert.sql beside it:")
            try write(lines[end + 1], "Convert.sql", in: folder)
            try write("losses: {Shop 9: [Order.changed]}\n", ".momtool.yml", in: folder)
            // Only `check` takes a stages file that nothing names.
            let open = try momtool(["check"], in: folder)
            #expect(open.status == 1, "\(open.output)")
            #expect(
                open.output.contains("no custom stage moves them: every value is lost"),
                "\(open.output)"
            )
            #expect(open.output.contains("stages: [Stages.yml]"), "\(open.output)")
            try write(
                "losses: {Shop 9: [Order.changed]}\nstages: [Stages.yml]\n",
                ".momtool.yml",
                in: folder
            )
            let green = try momtool(["check"], in: folder)
            #expect(green.status == 0, "\(green.output)\(green.errors)")
            let id = "F81D4FAE-7DEC-11D0-A765-00A0C91E6BF6"
            try write(
                #"{"Order": [{"changed": "\#(id)", "title": "x"}, {"title": "y"}]}"#,
                "Rows.json",
                in: folder
            )
            let create = [
                "create", "S.sqlite", "--model", Self.model, "--version", "Shop 8", "--rows",
                "Rows.json",
            ]
            #expect(try momtool(create, in: folder).status == 0)
            let migrated = try momtool(
                [
                    "migrate", "S.sqlite", "--model", Self.model, "--stages", "Stages.yml",
                    "--allow-data-loss", "-o", "New.sqlite",
                ],
                in: folder
            )
            #expect(migrated.status == 0, "\(migrated.errors)")
            let rows = try momtool(["export", "New.sqlite", "--model", Self.model], in: folder)
            #expect(rows.output.uppercased().contains(id), "\(rows.output)")
        }
    }
    @Test func `a written case begins where stores are, and shows what a stage moves`() throws {
        try withFolder { folder in
            func source(_ type: String) -> String {
                xcodeSource(
                    """
                        <entity name="Order" representedClassName="Order" syncable="YES" codeGenerationType="class">
                            <attribute name="count" optional="YES" attributeType="\(type)"/>
                        </entity>
                    """
                )
            }
            let bundle = folder.appending(path: Self.model)
            try writeBundle(["Shop 8": source("Integer 32")], current: "Shop 8", at: bundle)
            #expect(try momtool(["lock"], in: folder).status == 0)
            let set = [
                "model", "set", Self.model, "Order.count", "--type", "String", "--new-version",
            ]
            #expect(try momtool(set, in: folder).status == 0)
            #expect(try momtool(Self.words, in: folder).status == 0)
            try write("losses: {Shop 9: [Order.count]}\n", ".momtool.yml", in: folder)
            let write = ["test", "Cases", "--write-case", "--model", Self.model]
            let written = try momtool(write, in: folder)
            #expect(written.status == 0, "\(written.errors)")
            #expect(written.output.contains("Shop 8-to-Shop 9"), "\(written.output)")
            #expect(
                written.errors.contains("the case agrees to lose Order.count"),
                "\(written.errors)"
            )
            let file = "Cases/Shop 8-to-Shop 9/case.yml"
            let text = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
            #expect(text.contains("count: 0 # Integer 32, optional; a stage moves it"), "\(text)")
            #expect(text.contains("count: \"0\" # what the stage makes of it"), "\(text)")
            #expect(try momtool(["test", "Cases"], in: folder).status == 1)
        }
    }
}
