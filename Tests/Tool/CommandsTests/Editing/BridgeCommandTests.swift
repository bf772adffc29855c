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
                current: "Shop 9",
                at: folder.appending(path: EditedShop.model)
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
            #expect(
                run.errors.contains("custom stage from 'Shop 8.5' to 'Shop 9'"),
                "\(run.errors)"
            )
            #expect(run.errors.contains("which leaves its hashes as they are"))
            let after = try momtool(["hash", EditedShop.model + "#Shop 9"], in: shop.folder).output
            #expect(before == after)
            for (from, to) in [("Shop 8", "Shop 8.5"), ("Shop 8.5", "Shop 9")] {
                let step = ["plan", EditedShop.model, "--from", from, "--to", to]
                let result = try momtool(step, in: shop.folder)
                #expect(result.status == 0, "\(from) → \(to): \(result.errors)")
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
            try writeBundle(["Shop 9": newer], current: "Shop 9", at: bundle)
            #expect(try momtool(["lock", EditedShop.model], in: folder).status == 0)
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
            let check = try momtool(["lock", "--check", EditedShop.model], in: folder)
            #expect(!check.output.contains("[locked-version-edited]"), "\(check.output)")
        }
    }
}
