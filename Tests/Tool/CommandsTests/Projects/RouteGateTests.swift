import Foundation
import TestSupport
import Testing

struct RouteGateTests {
    private static let gates = [["lint", "."], ["lock", "--check"], ["check"]]

    private func expect(_ status: Int32, _ words: String, in folder: URL) throws {
        for gate in Self.gates {
            let result = try momtool(gate, in: folder)
            #expect(result.status == status, "\(gate): \(result.output)\(result.errors)")
            #expect(
                words.isEmpty || result.output.contains(words),
                "\(gate): \(result.output)"
            )
            #expect(!result.output.contains("unmatched-loss"), "\(gate): \(result.output)")
        }
    }

    @Test
    func
        `a step of the past that a lock does not know to lose is red where an app takes every step`()
        throws
    {
        try withFolder { folder in
            let versions = [
                ShopVersions.source("name", "code"), ShopVersions.source("name"),
                ShopVersions.source("name", "more"),
            ]
            try ShopVersions.write(versions, in: folder)
            try ShopVersions.say("migration: stepwise\n", in: folder)
            #expect(try momtool(["lock"], in: folder).status == 0)
            try expect(0, "", in: folder)
            // A lock has no loss where a mapping model took the step.
            let lock = folder.appending(path: ShopVersions.bundle + ".lock")
            let text = try String(contentsOf: lock, encoding: .utf8)
            #expect(text.contains("\nloses *\n"))
            try Data(text.replacing("\nloses *", with: "").utf8).write(to: lock)
            try expect(1, "error: the step from 'V1' to 'V2' is inferred: Item.code: ", in: folder)
            let check = try momtool(["check"], in: folder)
            #expect(!check.output.contains("migration-test-failed"), "\(check.output)")
            try ShopVersions.say(
                "migration: stepwise\nlosses: {V2: [Item.code]}\n",
                in: folder
            )
            try expect(0, "", in: folder)
        }
    }

    @Test func `what shipped before anybody named its losses is asked about in a store`() throws {
        try withFolder { folder in
            let versions = [ShopVersions.source("name", "code"), ShopVersions.source("name")]
            try ShopVersions.write(versions + [ShopVersions.source("name", "more")], in: folder)
            #expect(try momtool(["lock"], in: folder).status == 0)
            let lock = folder.appending(path: ShopVersions.bundle + ".lock")
            #expect(try String(contentsOf: lock, encoding: .utf8).contains("\nloses *\n"))
            try expect(0, "", in: folder)
            let rows = #"{"Item": [{"@id": "a", "name": "one", "code": "first"}]}"#
            try Data(rows.utf8).write(to: folder.appending(path: "rows.json"))
            let create = ["create", "S.sqlite", "--model", ShopVersions.bundle, "--version", "V1"]
            #expect(try momtool(create + ["--rows", "rows.json"], in: folder).status == 0)
            let model = ["S.sqlite", "--model", ShopVersions.bundle]
            let migrate = ["migrate"] + model + ["-o", "New.sqlite"]
            let asked = try momtool(migrate, in: folder)
            #expect(asked.status != 0 && asked.errors.contains("Item.code"), "\(asked.errors)")
            let words = ["plan", ShopVersions.bundle, "--store", "S.sqlite"]
            let plan = try momtool(words, in: folder)
            #expect(!plan.output.contains("named as meant"), "\(plan.output)")
            let named = try String(contentsOf: lock, encoding: .utf8)
                .replacing("\nloses *", with: "\nloses Item.code")
            try Data(named.utf8).write(to: lock)
            let done = try momtool(migrate, in: folder)
            #expect(done.status == 0 && done.output.contains("Item.code"), "\(done.errors)")
        }
    }

    @Test func `a step back loses what is not named for the version that it leads to`() throws {
        try withFolder { folder in
            let versions = [
                ShopVersions.source("name"), ShopVersions.source("name", "code"),
                ShopVersions.source("name", "code", "more"),
            ]
            try ShopVersions.write(versions, in: folder)
            #expect(try momtool(["lock"], in: folder).status == 0)
            try ShopVersions.write(versions, current: 2, in: folder)
            try expect(
                1,
                "error: the step back from 'V3' to 'V2': Item.more: ",
                in: folder
            )
            let lint = try momtool(["lint", "."], in: folder)
            #expect(lint.output.contains("losses: {V2: [Item.more]}"), "\(lint.output)")
            #expect(lint.output.contains("make it current again"), "\(lint.output)")
            #expect(!lint.output.contains("or remove it"), "\(lint.output)")
            try ShopVersions.say("losses: {V2: [Item.more]}\n", in: folder)
            try expect(0, "", in: folder)
            let matrix = try momtool(["test", "--matrix", ShopVersions.bundle], in: folder)
            #expect(matrix.status == 0, "\(matrix.output)")
        }
    }
}
