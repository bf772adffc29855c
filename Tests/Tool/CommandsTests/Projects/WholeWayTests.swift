import Foundation
import TestSupport
import Testing

struct WholeWayTests {
    private static let gates = [
        ["lint", "Shop.xcdatamodeld"], ["test", "--matrix", "Shop.xcdatamodeld"], ["check"],
        ["lock", "Shop.xcdatamodeld"],
    ]

    private func model(_ attributes: String) -> String {
        """
        <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
        <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
        <entity name="Item" syncable="YES">
        <attribute name="name" optional="YES" attributeType="String"/>
        \(attributes)
        </entity>
        </model>

        """
    }

    private func write(_ versions: [String], in folder: URL) throws {
        let bundle = folder.appending(path: "Shop.xcdatamodeld")
        let texts = versions.map(model)
        for count in 1...texts.count {
            let all = texts.prefix(count).enumerated().map { ("V\($0 + 1)", $1) }
            try writeBundle(Dictionary(uniqueKeysWithValues: all), current: "V\(count)", at: bundle)
            guard count < texts.count else { return }
            try expectRun("lock Shop.xcdatamodeld", in: folder, 0)
        }
    }

    private func say(_ settings: String, in folder: URL) throws {
        try Data(settings.utf8).write(to: folder.appending(path: ".momtool.yml"))
    }

    private func writeCase(in folder: URL) throws -> [String] {
        let place = folder.appending(path: "Cases/all")
        try makeFolder(place)
        let text = """
            model: ../../Shop.xcdatamodeld
            from: V1
            to: V3
            allowDataLoss: true
            before: {Item: [{name: a, code: b}]}
            after: {Item: [{name: a}]}

            """
        try Data(text.utf8).write(to: place.appending(path: "case.yml"))
        return ["test", "Cases"]
    }

    private func expect(
        _ isGreen: Bool,
        _ words: String? = nil,
        in folder: URL,
        sparing spared: Set<String> = []
    ) throws {
        for gate in Self.gates where !spared.contains(gate[0]) {
            let result = try momtool(gate, in: folder)
            let text = "\(gate): \(result.output)\(result.errors)"
            #expect((result.status == 0) == isGreen, "\(text)")
            if let words { #expect(text.contains(words), "\(text)") }
        }
    }

    @Test
    func
        `a chain of steps that no app takes by itself is an error until the app says that it does`()
        throws
    {
        try withFolder { folder in
            try say("losses:\n  V2: [Item.code]\n", in: folder)
            let date = "<attribute name=\"code\" optional=\"YES\" attributeType=\"Date\"/>"
            let text = "<attribute name=\"code\" optional=\"YES\" attributeType=\"String\"/>"
            try write([text, "", date], in: folder)
            try expect(false, "'V1'", in: folder, sparing: ["test"])
            let lint = try momtool("lint Shop.xcdatamodeld", in: folder)
            #expect(lint.output.contains("error: stores of 'V1' do not come to 'V3'"))
            #expect(lint.output.contains("[version-cannot-open]"))
            #expect(lint.output.contains("momtool migrate goes V1 → V2 → V3"), "\(lint.output)")
            try expectRun(Self.gates[1], in: folder, 1, "Core Data takes one step")
            let check = try writeCase(in: folder)
            try expectRun(check, in: folder, 1, "refused: Core Data takes one step")
            #expect(try momtool("plan Shop.xcdatamodeld --from V1", in: folder).status == 0)
            try say("losses:\n  V2: [Item.code]\nmigration: stepwise\n", in: folder)
            try expect(true, in: folder)
            try expectRun(check, in: folder, 0)
            try say("migration: sideways\n", in: folder)
            let wrong = try momtool("lint Shop.xcdatamodeld", in: folder)
            #expect(wrong.status == 65 && wrong.errors.contains("write direct or stepwise"))
        }
    }

    @Test func `a version of which nobody has stores any more is named, and then said no more`()
        throws
    {
        try withFolder { folder in
            let settings = "losses:\n  V2: [Item.code]\n"
            try say(settings, in: folder)
            let date = "<attribute name=\"code\" optional=\"YES\" attributeType=\"Date\"/>"
            let text = "<attribute name=\"code\" optional=\"YES\" attributeType=\"String\"/>"
            try write([text, "", date], in: folder)
            let ignored = """
                lint:
                  ignore:
                    - {rule: version-cannot-open, version: V1, reason: nobody has it}

                """
            try say(settings + ignored, in: folder)
            try expect(true, in: folder, sparing: ["test"])
        }
    }

    @Test
    func `a mandatory attribute whose default only a version between has is asked for by name`()
        throws
    {
        try withFolder { folder in
            let given =
                "<attribute name=\"rank\" attributeType=\"Integer 16\" defaultValueString=\"1\" usesScalarValueType=\"YES\"/>"
            let open =
                "<attribute name=\"rank\" attributeType=\"Integer 16\" usesScalarValueType=\"YES\"/>"
            let more = "<attribute name=\"more\" optional=\"YES\" attributeType=\"String\"/>"
            try write(["", given, open + more], in: folder)
            try expect(false, "Item.rank", in: folder)
            let lint = try momtool("lint Shop.xcdatamodeld", in: folder)
            #expect(
                lint.output.contains("the step from 'V1', past the versions between: Item.rank")
            )
            #expect(lint.output.contains("[new-required-without-default]"), "\(lint.output)")
            let check = try momtool("check", in: folder)
            // One cause, one finding: the migration of generated objects is not reported again.
            #expect(!check.output.contains("[migration-test-failed]"), "\(check.output)")
            try say("losses:\n  V3: [Item.rank]\n", in: folder)
            try expect(true, in: folder)
        }
    }

    @Test func `a rename that the next version no longer declares loses the values of the oldest`()
        throws
    {
        try withFolder { folder in
            func attribute(_ name: String, _ rest: String = "") -> String {
                "<attribute name=\"\(name)\" optional=\"YES\" attributeType=\"String\"\(rest)/>"
            }
            let more = attribute("more")
            try write(
                [
                    attribute("label"), attribute("caption", " elementID=\"label\""),
                    attribute("caption", " elementID=\"label\"") + more,
                ],
                in: folder
            )
            try expect(true, in: folder)
        }
    }

    @Test func `versions behind the current one count when they shipped`() throws {
        try withFolder { folder in
            let old = "<attribute name=\"code\" optional=\"YES\" attributeType=\"String\"/>"
            let new = "<attribute name=\"code\" optional=\"YES\" attributeType=\"Date\"/>"
            let bundle = folder.appending(path: "Shop.xcdatamodeld")
            let texts = ["V1": model(old), "V2": model(old + new.replacing("code", with: "day"))]
            try writeBundle(texts, current: "V1", at: bundle)
            try expectRun(Self.gates[1], in: folder, 66)
            let check = try momtool("check", in: folder)
            #expect(check.status == 1 && check.output.contains("0 migrations"), "\(check.output)")
            #expect(check.output.contains("nothing is tried from newer versions"))
            let plan = try momtool("plan Shop.xcdatamodeld --from V2 --to V1", in: folder)
            #expect(plan.errors.contains("this goes back: 'V2' comes after 'V1'"), "\(plan.errors)")
            // Once it is locked, apps with the older version meet its stores, and lose what it added.
            #expect(try momtool("lock Shop.xcdatamodeld", in: folder).status == 0)
            try expectRun("check", in: folder, nil, "1 migration,")
        }
    }
}

struct StepwiseAdviceTests {
    private static let advice = "say migration: stepwise in .momtool.yml"

    private func model(_ attribute: String) -> String {
        "<model><entity name='Item'><attribute name='name' optional='YES' attributeType='String'/>\(attribute)</entity></model>"
    }

    /// A value becomes mandatory: `V2` has a default for it, which `V3` lacks.
    private func write(_ second: String, in folder: URL) throws {
        let code = "<attribute name='code' attributeType='String'"
        try writeBundle(
            [
                model(""), model("\(code) \(second)/>"),
                model("\(code)/><attribute name='day' optional='YES' attributeType='Date'/>"),
            ],
            "Shop.xcdatamodeld",
            in: folder
        )
        try Data("{\"Item\": [{\"@id\": \"a\", \"name\": \"A\"}]}".utf8)
            .write(to: folder.appending(path: "rows.json"))
        let made = try momtool(
            "create S.sqlite --model Shop.xcdatamodeld --version V1 --rows rows.json",
            in: folder
        )
        #expect(made.status == 0, "\(made.errors)")
        let place = folder.appending(path: "Cases/all")
        try makeFolder(place)
        let text = """
            model: ../../Shop.xcdatamodeld
            from: V1
            before: {Item: {name: A}}
            after: {Item: {name: A, code: none}}

            """
        try Data(text.utf8).write(to: place.appending(path: "case.yml"))
    }

    private static let commands = [
        ["migrate", "S.sqlite", "--model", "Shop.xcdatamodeld", "-o", "N.sqlite"],
        ["plan", "Shop.xcdatamodeld", "--store", "S.sqlite"], ["test", "Cases"], ["check"],
        ["test", "--matrix", "Shop.xcdatamodeld"],
        ["test", "--model", "Shop.xcdatamodeld", "--stores", "S.sqlite"],
    ]

    @Test(arguments: commands)
    func `what every step would do is proposed`(command: [String]) throws {
        try withFolder { folder in
            try write("defaultValueString='none'", in: folder)
            let refused = try momtool(command, in: folder)
            let text = refused.output + refused.errors
            #expect(text.contains(Self.advice), "\(text)")
            try Data("migration: stepwise\n".utf8)
                .write(to: folder.appending(path: ".momtool.yml"))
            let done = try expectRun(command, in: folder, 0)
            #expect(!(done.output + done.errors).contains(Self.advice))
        }
    }

    @Test(arguments: commands)
    func `what no step does is not proposed`(command: [String]) throws {
        try withFolder { folder in
            try write("", in: folder)
            let refused = try momtool(command, in: folder)
            let text = refused.output + refused.errors
            #expect(!text.contains(Self.advice), "\(text)")
        }
    }
}
