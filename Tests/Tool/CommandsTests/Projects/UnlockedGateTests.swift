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

    private static let code =
        "<attribute name='code' optional='YES' attributeType='String'/>"
    private static let note =
        "<attribute name='note' optional='YES' attributeType='String'/>"
    private static let unique =
        "<uniquenessConstraints><uniquenessConstraint><constraint value='name'/>"
        + "</uniquenessConstraint></uniquenessConstraints>"

    private func write(_ versions: [String], in folder: URL) throws {
        let named = versions.enumerated().map { ("V\($0 + 1)", $1) }
        try writeBundle(
            Dictionary(uniqueKeysWithValues: named),
            current: "V\(versions.count)",
            at: folder.appending(path: "Shop.xcdatamodeld")
        )
    }

    private func say(_ settings: String, in folder: URL) throws {
        try Data(settings.utf8).write(to: folder.appending(path: ".momtool.yml"))
    }

    private static let gates = [["lint", "Shop.xcdatamodeld"], ["check"]]

    private func expect(_ status: Int32, _ words: [String], in folder: URL) throws {
        for gate in Self.gates {
            let result = try momtool(gate, in: folder)
            #expect(result.status == status, "\(gate): \(result.output)\(result.errors)")
            for word in words { #expect(result.output.contains(word), "\(word): \(result.output)") }
        }
    }

    @Test
    func `a loss of a step stays a finding when a version follows, until it is named or locked`()
        throws
    {
        try withFolder { folder in
            let versions = [model(Self.code), model(""), model(Self.note)]
            try write(versions, in: folder)
            let loss =
                "warning: 'V2' loses Item.code: stores of 'V1' meet that on their way to 'V3', and no lock"
            try expect(1, [loss, "losses: {V2: [Item.code]}", "[data-loss]"], in: folder)
            try say("losses: {V2: [Item.code]}\n", in: folder)
            try expect(0, ["nothing found"], in: folder)
            try say("", in: folder)
            #expect(try momtool(["lock", "Shop.xcdatamodeld"], in: folder).status == 0)
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
            let versions = [model(Self.code), model(renamed), model(""), model(Self.note)]
            try write(versions, in: folder)
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
            let refused = try momtool(lock, in: folder)
            #expect(refused.status == 3, "\(refused.output)\(refused.errors)")
            #expect(refused.errors.contains("warning: "), "\(refused.errors)")
            #expect(refused.errors.contains("[rows-decide]"), "\(refused.errors)")
            try say("losses: {V2: [Item]}\n", in: folder)
            #expect(try momtool(lock, in: folder).status == 0)
            let text = try String(
                contentsOf: folder.appending(path: "Shop.xcdatamodeld.lock"),
                encoding: .utf8
            )
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
            let result = try momtool(["init"], in: folder)
            #expect(result.status == 0, "\(result.errors)")
            #expect(result.output.contains("'V2' is left out of the lock"), "\(result.output)")
            let settings = try String(
                contentsOf: folder.appending(path: ".momtool.yml"),
                encoding: .utf8
            )
            #expect(settings.contains("#   V2: [Item]"), "\(settings)")
        }
    }
}
