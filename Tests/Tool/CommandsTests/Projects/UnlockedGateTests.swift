import Foundation
import TestSupport
import Testing

struct UnlockedGateTests {
    private func model(_ attributes: String, _ more: String = "") -> String {
        """
        <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
        <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
        <entity name="Item" syncable="YES">
        <attribute name="name" optional="YES" attributeType="String"/>
        \(attributes)
        \(more)
        </entity>
        </model>

        """
    }

    private static let code = "<attribute name='code' optional='YES' attributeType='String'/>"
    private static let note = "<attribute name='note' optional='YES' attributeType='String'/>"
    private static let unique =
        "<uniquenessConstraints><uniquenessConstraint><constraint value='name'/>"
        + "</uniquenessConstraint></uniquenessConstraints>"

    private func write(_ versions: [String], in folder: URL) throws {
        let named = versions.enumerated().map { ("V\($0 + 1)", $1) }
        try writeBundle(
            Dictionary(uniqueKeysWithValues: named),
            "Shop.xcdatamodeld",
            in: folder,
            current: "V\(versions.count)"
        )
    }

    private func say(_ settings: String, in folder: URL) throws {
        try Data(settings.utf8).write(to: folder.appending(path: ".momtool.yml"))
    }

    private static let gates = [["lint", "Shop.xcdatamodeld"], ["check"]]

    private func expect(_ status: Int32, _ words: [String], in folder: URL) throws {
        for gate in Self.gates {
            let result = try expectRun(gate, in: folder, status)
            for word in words { #expect(result.output.contains(word), "\(word): \(result.output)") }
        }
    }

    @Test
    func `a loss of a step stays a finding when a version follows, until it is named or locked`()
        throws
    {
        try withFolder { folder in
            try write([model(Self.code), model(""), model(Self.note)], in: folder)
            let loss =
                "warning: 'V2' loses Item.code: stores of 'V1' meet that on their way to 'V3', and no lock"
            try expect(1, [loss, "losses: {V2: [Item.code]}", "[data-loss]"], in: folder)
            try say("losses: {V2: [Item.code]}\n", in: folder)
            try expect(0, ["nothing found"], in: folder)
            try say("", in: folder)
            #expect(try momtool("lock Shop.xcdatamodeld", in: folder).status == 0)
            try expect(0, ["nothing found"], in: folder)
        }
    }

    @Test func `what becomes mandatory, narrower or unique in a step of the past is told too`()
        throws
    {
        let size = { (type: String) in
            "<attribute name='size' optional='YES' attributeType='\(type)'/>"
        }
        let must = "<attribute name='code' attributeType='String'/>"
        let steps: [(old: String, new: String, more: String, rule: String)] = [
            (Self.code, must, "", "new-required-without-default"),
            (size("Integer 64"), size("Integer 16"), "", "data-loss"),
            ("", "", Self.unique, "rows-decide"),
        ]
        for step in steps {
            try withFolder { folder in
                let versions = [
                    model(step.old), model(step.new, step.more),
                    model(step.new + Self.note, step.more),
                ]
                try write(versions, in: folder)
                try expect(1, ["warning: 'V2' ", "[\(step.rule)]"], in: folder)
            }
        }
    }

    @Test
    func
        `a loss that a later version takes back is none, and one of a rename is named where it is`()
        throws
    {
        try withFolder { folder in
            try write([model(Self.code), model(""), model(Self.code + Self.note)], in: folder)
            try expect(0, [], in: folder)
        }
        try withFolder { folder in
            let renamed =
                "<attribute name='tag' optional='YES' attributeType='String' elementID='code'/>"
            try write([model(Self.code), model(renamed), model(""), model(Self.note)], in: folder)
            try expect(1, ["warning: 'V3' loses Item.tag: stores of 'V1', 'V2' meet"], in: folder)
            try say("losses: {V3: [Item.tag]}\n", in: folder)
            try expect(0, [], in: folder)
        }
    }

    @Test func `an app that takes every step is told of each once`() throws {
        try withFolder { folder in
            let versions = [
                model(Self.note), model(Self.code + Self.note), model(Self.note),
                model(Self.note, Self.unique),
            ]
            try write(versions, in: folder)
            try say("migration: stepwise\nlosses: {V4: [Item]}\n", in: folder)
            try expect(
                1,
                ["warning: 'V3' loses Item.code: stores of 'V2' meet", "1 warning"],
                in: folder
            )
        }
    }

    @Test func `a version whose rows decide is not locked until that is named`() throws {
        try withFolder { folder in
            try write([model("")], in: folder)
            let lock = ["lock", "Shop.xcdatamodeld"]
            #expect(try momtool(lock, in: folder).status == 0)
            try write([model(""), model("", Self.unique)], in: folder)
            try expectRun(lock, in: folder, 3, errors: ["warning: ", "[rows-decide]"])
            try say("losses: {V2: [Item]}\n", in: folder)
            #expect(try momtool(lock, in: folder).status == 0)
            let text = try fileText(folder.appending(path: "Shop.xcdatamodeld.lock"))
            #expect(text.contains("loses Item"), "\(text)")
            try say("", in: folder)
            try write(
                [model(""), model("", Self.unique), model(Self.note, Self.unique)],
                in: folder
            )
            try expect(0, [], in: folder)
        }
    }

    @Test func `init leaves a version whose rows decide out of the lock, and names it`() throws {
        try withFolder { folder in
            try write([model(""), model("", Self.unique)], in: folder)
            try expectRun("init", in: folder, 0, "'V2' is left out of the lock")
            let settings = try fileText(folder.appending(path: ".momtool.yml"))
            #expect(settings.contains("#   V2: [Item]"), "\(settings)")
        }
    }
}

struct RouteGateTests {
    private static let gates = [["lint", "."], ["lock", "--check"], ["check"]]

    private func expect(_ status: Int32, _ words: String, in folder: URL) throws {
        for gate in Self.gates {
            let result = try expectRun(gate, in: folder, status)
            #expect(words.isEmpty || result.output.contains(words), "\(gate): \(result.output)")
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
            #expect(try momtool("lock", in: folder).status == 0)
            try expect(0, "", in: folder)
            // A lock has no loss where a mapping model took the step.
            let lock = folder.appending(path: ShopVersions.bundle + ".lock")
            let text = try fileText(lock)
            #expect(text.contains("\nloses *\n"))
            try Data(text.replacing("\nloses *", with: "").utf8).write(to: lock)
            try expect(1, "error: the step from 'V1' to 'V2' is inferred: Item.code: ", in: folder)
            try expectRun("check", in: folder, nil, not: ["migration-test-failed"])
            try ShopVersions.say("migration: stepwise\nlosses: {V2: [Item.code]}\n", in: folder)
            try expect(0, "", in: folder)
        }
    }

    @Test func `what shipped before anybody named its losses is asked about in a store`() throws {
        try withFolder { folder in
            let versions = [ShopVersions.source("name", "code"), ShopVersions.source("name")]
            try ShopVersions.write(versions + [ShopVersions.source("name", "more")], in: folder)
            #expect(try momtool("lock", in: folder).status == 0)
            let lock = folder.appending(path: ShopVersions.bundle + ".lock")
            #expect(try fileText(lock).contains("\nloses *\n"))
            try expect(0, "", in: folder)
            let rows = #"{"Item": [{"@id": "a", "name": "one", "code": "first"}]}"#
            try write(rows, "rows.json", in: folder)
            let create = ["create", "S.sqlite", "--model", ShopVersions.bundle, "--version", "V1"]
            #expect(try momtool(create + ["--rows", "rows.json"], in: folder).status == 0)
            let model = ["S.sqlite", "--model", ShopVersions.bundle]
            let migrate = ["migrate"] + model + ["-o", "New.sqlite"]
            let asked = try momtool(migrate, in: folder)
            #expect(asked.status != 0 && asked.errors.contains("Item.code"), "\(asked.errors)")
            let plan = try momtool("plan \(ShopVersions.bundle) --store S.sqlite", in: folder)
            #expect(!plan.output.contains("named as meant"), "\(plan.output)")
            let named = try fileText(lock)
                .replacing("\nloses *", with: "\nloses Item.code")
            try Data(named.utf8).write(to: lock)
            try expectRun(migrate, in: folder, 0, "Item.code")
        }
    }

    @Test func `a step back loses what is not named for the version that it leads to`() throws {
        try withFolder { folder in
            let versions = [
                ShopVersions.source("name"), ShopVersions.source("name", "code"),
                ShopVersions.source("name", "code", "more"),
            ]
            try ShopVersions.write(versions, in: folder)
            #expect(try momtool("lock", in: folder).status == 0)
            try ShopVersions.write(versions, current: 2, in: folder)
            try expect(1, "error: the step back from 'V3' to 'V2': Item.more: ", in: folder)
            let lint = try momtool("lint .", in: folder)
            #expect(lint.output.contains("losses: {V2: [Item.more]}"), "\(lint.output)")
            #expect(lint.output.contains("make it current again"), "\(lint.output)")
            #expect(!lint.output.contains("or remove it"), "\(lint.output)")
            try ShopVersions.say("losses: {V2: [Item.more]}\n", in: folder)
            try expect(0, "", in: folder)
            try expectRun("test --matrix \(ShopVersions.bundle)", in: folder, 0)
        }
    }
}
