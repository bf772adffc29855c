import Foundation
import TestSupport
import Testing

struct BridgeCommandTests {
    private static func source(_ type: String) -> String {
        EditedShop.source.replacing(
            #"name="isbn" optional="YES" attributeType="String""#,
            with: #"name="isbn" optional="YES" attributeType="\#(type)""#
        )
    }

    private func withModel(_ body: (EditedShop) throws -> Void) throws {
        try withFolder { folder in
            try writeBundle(
                ["Shop 8": Self.source("String"), "Shop 9": Self.source("Integer 64")],
                EditedShop.model,
                in: folder,
                current: "Shop 9"
            )
            try body(EditedShop(folder: folder))
        }
    }

    @Test func `the version between makes both steps legal, and names nothing else`() throws {
        try withModel { shop in
            let before = try momtool(["hash", EditedShop.model + "#Shop 9"], in: shop.folder).output
            let plan = ["plan", EditedShop.model, "--from", "Shop 8", "--to", "Shop 9"]
            #expect(try momtool(plan, in: shop.folder).status != 0)
            let run = try shop.run("new-version", "--bridge", "Shop 8", "Shop 9")
            #expect(run.status == 0, "\(run.errors)")
            #expect(run.output.contains("made 'Shop 8.5' between 'Shop 8' and 'Shop 9'"))
            #expect(run.errors.contains("custom stage from 'Shop 8.5' to 'Shop 9'"))
            #expect(run.errors.contains("which leaves its hashes as they are"))
            let after = try momtool(["hash", EditedShop.model + "#Shop 9"], in: shop.folder).output
            #expect(before == after)
            for (from, to) in [("Shop 8", "Shop 8.5"), ("Shop 8.5", "Shop 9")] {
                let step = ["plan", EditedShop.model, "--from", from, "--to", to]
                try expectRun(step, in: shop.folder, 0)
            }
            let text = try shop.text("Shop 8.5")
            #expect(text.contains("<!-- kept -->") && text.contains("futureSetting='1'"))
            #expect(try shop.text("Shop 8") == Self.source("String"))
            let again = try shop.run("new-version", "--bridge", "Shop 8", "Shop 8.5")
            #expect(again.status == 3 && again.errors.contains("by itself"), "\(again.errors)")
        }
    }

    @Test func `a dry run shows the version and writes nothing`() throws {
        try withModel { shop in
            let files = try shop.files()
            let run = try shop.run(
                "new-version",
                "Middle",
                "--bridge",
                "Shop 8",
                "Shop 9",
                "--dry-run"
            )
            #expect(run.status == 0 && run.output.contains("Middle.xcdatamodel"), "\(run.errors)")
            #expect(try shop.files() == files)
            for words in [
                ["Shop 8"], ["Shop 8", "Shop 7"], ["Shop 9", "Shop 9"], ["a", "b", "c"],
            ] {
                let wrong = try momtool(
                    ["model", "new-version", EditedShop.model, "--bridge"] + words,
                    in: shop.folder
                )
                #expect(wrong.status != 0 && !wrong.wasKilled, "\(words)")
                #expect(try shop.files() == files)
            }
        }
    }

    @Test func `a newer version that is locked gets other identifiers only where that is said`()
        throws
    {
        try withFolder { folder in
            let bundle = folder.appending(path: EditedShop.model)
            let shop = EditedShop(folder: folder)
            let newer = Self.source("Integer 64")
            try writeBundle(["Shop 9": newer], at: bundle)
            #expect(try momtool("lock \(EditedShop.model)", in: folder).status == 0)
            try writeBundle(["Shop 8": Self.source("String")], current: "Shop 9", at: bundle)
            let files = try shop.files()
            let words = ["new-version", "--bridge", "Shop 8", "Shop 9"]
            let refused = try shop.run(words[0], words[1], words[2], words[3])
            #expect(refused.status == 3, "\(refused.errors)")
            #expect(refused.errors.contains("'Shop 9' is locked"), "\(refused.errors)")
            #expect(refused.errors.contains("--edit-locked writes them"), "\(refused.errors)")
            #expect(try shop.files() == files)
            let run = try shop.run(words[0], words[1], words[2], words[3], "--edit-locked")
            #expect(run.status == 0, "\(run.errors)")
            #expect(run.errors.contains("which leaves its hashes as they are"), "\(run.errors)")
            #expect(try shop.text("Shop 9") != newer)
            #expect(try shop.text("Shop 8") == Self.source("String"))
            let check = try momtool("lock --check \(EditedShop.model)", in: folder)
            #expect(!check.output.contains("[locked-version-edited]"), "\(check.output)")
        }
    }
}

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
            #expect(try momtool("lock", in: folder).status == 0)
            let set = [
                "model", "set", Self.model, "Order.changed", "--type", "String", "--new-version",
            ]
            #expect(try momtool(set, in: folder).status == 0)
            try body(folder)
        }
    }

    private static let bridge =
        "momtool model new-version 'Book Shop.xcdatamodeld' --bridge 'Shop 8' 'Shop 9'"
    private static let words = ["model", "new-version", model, "--bridge", "Shop 8", "Shop 9"]

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
            try expectRun("check", in: folder, nil, not: ["--bridge", "[source-form]"])
        }
    }

    @Test func `the lines that a lost attribute prints convert its values`() throws {
        try withRefusal { folder in
            #expect(try momtool(Self.words, in: folder).status == 0)
            let check = try expectRun("check", in: folder, 1)
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
            let open = try momtool("check", in: folder)
            #expect(open.status == 1, "\(open.output)")
            #expect(open.output.contains("no custom stage moves them: every value is lost"))
            #expect(open.output.contains("stages: [Stages.yml]"), "\(open.output)")
            try write(
                "losses: {Shop 9: [Order.changed]}\nstages: [Stages.yml]\n",
                ".momtool.yml",
                in: folder
            )
            try expectRun("check", in: folder, 0)
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
            try writeBundle(["Shop 8": source("Integer 32")], at: bundle)
            #expect(try momtool("lock", in: folder).status == 0)
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
            #expect(written.errors.contains("the case agrees to lose Order.count"))
            let file = "Cases/Shop 8-to-Shop 9/case.yml"
            let text = try fileText(folder.appending(path: file))
            #expect(text.contains("count: 0 # Integer 32, optional; a stage moves it"), "\(text)")
            #expect(text.contains("count: \"0\" # what the stage makes of it"), "\(text)")
            #expect(try momtool("test Cases", in: folder).status == 1)
        }
    }
}
