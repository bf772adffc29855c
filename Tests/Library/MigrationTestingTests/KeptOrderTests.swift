import Foundation
import MigrationPlanning
import MigrationTesting
import Momtool
import TestSupport
import Testing

struct KeptOrderTests {
    private static func model(_ inverse: String, _ more: String = "") -> String {
        """
        <model><entity name='Folder'><attribute name='name' optional='YES' attributeType='String'/>
        <relationship name='notes' optional='YES' toMany='YES' ordered='YES' destinationEntity='Note'
          inverseName='folders' inverseEntity='Note'/></entity>
        <entity name='Note'><attribute name='name' optional='YES' attributeType='String'/>\(more)
        <relationship name='folders' optional='YES' \(inverse) destinationEntity='Folder'
          inverseName='notes' inverseEntity='Folder'/></entity></model>
        """
    }

    private static let rows = """
        before:
          Folder:
            - {"@id": a, name: a, notes: [Note/y, Note/x]}
            - {"@id": b, name: b, notes: [Note/z]}
          Note: [{"@id": x, name: x}, {"@id": y, name: y}, {"@id": z, name: z}]
        expect: contains

        """

    private static let list = """
        after:
          Folder: {"@id": a, name: a, notes: [Note/y, Note/x]}
          Note: [{"@id": x, name: x}, {"@id": y, name: y}]

        """

    /// The second version gives the list a to-many inverse, the third adds an attribute.
    private func withModel(_ body: (URL) throws -> Void) throws {
        try withFolder { folder in
            let added = "<attribute name='kind' optional='YES' attributeType='String'/>"
            let many = "toMany='YES' ordered='YES'"
            try writeBundle(
                [Self.model("maxCount='1'"), Self.model(many), Self.model(many, added)],
                "M.xcdatamodeld",
                in: folder
            )
            try write("losses: {V2: [Folder.notes]}\n", ".momtool.yml", in: folder)
            try body(folder)
        }
    }

    private func outcome(_ text: String, in folder: URL) throws -> CaseOutcome {
        let place = folder.appending(path: "case.yml")
        try Data(("model: M.xcdatamodeld\nfrom: V1\n" + text).utf8).write(to: place)
        return try #require(MigrationCase.cases(at: folder).first).run()
    }

    @Test func `a case passes, with a remark at the line of its list`() throws {
        try withModel { folder in
            let outcome = try outcome(Self.rows + Self.list, in: folder)
            #expect(outcome.status == .passed, "\(outcome)")
            let place = folder.appending(path: "case.yml").path
            let remark = outcome.remarks.first ?? ""
            #expect(outcome.remarks.count == 1 && remark.contains(" 2 links, "), "\(outcome)")
            #expect(remark.hasPrefix("\(place):10: Folder.notes: "))
        }
    }

    @Test func `a list of one object has no order, and no remark`() throws {
        try withModel { folder in
            let one = "  Folder:\n    - {\"@id\": b, name: b, notes: [Note/z]}\n    - "
            let lists = Self.list.replacing("  Folder: ", with: one)
                .replacing("name: y}]", with: "name: y}, {\"@id\": z, name: z}]")
            let outcome = try outcome(Self.rows + lists, in: folder)
            let place = folder.appending(path: "case.yml").path
            #expect(outcome.status == .passed && outcome.remarks.count == 1, "\(outcome)")
            #expect(outcome.remarks.first?.hasPrefix("\(place):12: ") == true, "\(outcome)")
        }
    }

    @Test func `a case that names no list has no remark`() throws {
        try withModel { folder in
            let outcome = try outcome(
                Self.rows + "after: {Note: {\"@id\": x, name: x}}\n",
                in: folder
            )
            #expect(outcome.status == .passed && outcome.remarks.isEmpty, "\(outcome)")
        }
    }

    @Test func `a stage with work behind the step restores the order`() throws {
        try withModel { folder in
            try write("UPDATE Note SET kind = 'x';", "did.sql", in: folder)
            let stages = """
                stages:
                  - custom: {from: V1, to: V3}
                    didMigrate: did.sql

                """
            let restored = try outcome(Self.rows + Self.list + stages, in: folder)
            #expect(restored.status == .passed && restored.remarks.isEmpty, "\(restored)")
            let bare = "stages:\n  - lightweight: [V1, V2, V3]\n"
            let told = try outcome(Self.rows + Self.list + bare, in: folder)
            #expect(told.status == .passed && told.remarks.count == 1, "\(told)")
        }
    }

    @Test func `steps one after the other, a matrix and stores have it once`() throws {
        try withModel { folder in
            _ = try outcome(Self.rows + Self.list, in: folder)
            let model = try Model(folder.appending(path: "M.xcdatamodeld").path)
            let store = folder.appending(path: "Old.sqlite").path
            let rows =
                #"{"Folder": {"@id": "a", "notes": ["Note/y", "Note/x"]}, "Note": [{"@id": "x"}, {"@id": "y"}]}"#
            try write(rows, "rows.json", in: folder)
            let create = ["create", "Old.sqlite", "--model", "M.xcdatamodeld", "--version", "V1"]
            #expect(try momtool(create + ["--rows", "rows.json"], in: folder).status == 0)
            for settings in ["", "migration: stepwise\n"] {
                try Data((settings + "losses: {V2: [Folder.notes]}\n").utf8)
                    .write(to: folder.appending(path: ".momtool.yml"))
                for words in [
                    ["--matrix", model.path], ["--stores", store, "--model", model.path],
                ] {
                    let run = try expectRun(["test"] + words, in: folder, 0)
                    let lines = run.output.split(separator: "\n").filter {
                        $0.contains("Folder.notes: ") && $0.contains(" links, ")
                    }
                    #expect(lines.count == 1, "\(settings)\(words): \(run.output)")
                }
            }
            let output = folder.appending(path: "New.sqlite").path
            let said = try Migrator(model).migrate(Store(store), to: output)
            let kept = said.filter { $0.rule == "kept-order" }
            #expect(kept.count == 1 && kept[0].message.hasPrefix("Folder.notes: "), "\(kept)")
            let migrate = ["migrate", store, "--model", model.path, "--in-place"]
            try expectRun(migrate, in: folder, 0, errors: ["[kept-order]"])
        }
    }
}
