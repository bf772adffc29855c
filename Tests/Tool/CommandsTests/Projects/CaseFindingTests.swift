import Foundation
import TestSupport
import Testing

struct CaseFindingTests {
    private static let old = """
        <entity name="Continent"><attribute name="name" optional="YES" attributeType="String"/>
        <attribute name="number" attributeType="Integer 64" defaultValueString="0"/>
        <relationship name="countries" optional="YES" toMany="YES" destinationEntity="Country" \
        inverseName="continent" inverseEntity="Country"/></entity>
        <entity name="Country"><attribute name="code" attributeType="Integer 64" defaultValueString="0"/>
        <attribute name="moods" optional="YES" attributeType="Integer 16"/>
        <relationship name="continent" optional="YES" maxCount="1" destinationEntity="Continent" \
        inverseName="countries" inverseEntity="Continent"/>
        <uniquenessConstraints><uniquenessConstraint><constraint value="code"/>\
        </uniquenessConstraint></uniquenessConstraints></entity>
        """

    private static let new = old.replacing(
        "<attribute name=\"moods\" optional=\"YES\" attributeType=\"Integer 16\"/>",
        with: """
            <attribute name="feelings" optional="YES" attributeType="Integer 32" elementID="moods"/>
            <attribute name="size" attributeType="Double" defaultValueString="1.5"/>
            """
    )

    private func model(_ entities: String) -> String {
        """
        <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
        <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
        \(entities)
        </model>

        """
    }

    private func withAtlas(_ body: (URL) throws -> Void) throws {
        try withFolder { folder in
            try writeBundle([model(Self.old), model(Self.new)], "Atlas.xcdatamodeld", in: folder)
            try body(folder)
        }
    }

    private func run(
        _ text: String,
        in folder: URL,
        _ words: [String] = []
    ) throws -> CommandResult {
        try write("model: ../../Atlas.xcdatamodeld\n\(text)\n", "Cases/one/case.yml", in: folder)
        return try momtool(["test", "Cases"] + words, in: folder)
    }

    private static let before = """
        from: V1
        before:
          Continent: [{"@id": af, number: 1}, {"@id": as, number: 2}, {"@id": eu, number: 3}]
          Country:
            - {"@id": za, code: 27, moods: 2, continent: Continent/af}
            - {"@id": in, code: 91, moods: 5, continent: Continent/as}
            - {"@id": fr, code: 33, moods: 5, continent: Continent/eu}
            - {"@id": de, code: 49, moods: 2, continent: Continent/eu}
        expect: contains
        after:
          Continent: [{"@id": eu, number: 3}, {"@id": as}, {"@id": af}]
          Country:
            - {"@id": fr, feelings: 5, continent: Continent/eu}
            - {"@id": za, feelings: 2, continent: Continent/af}
            - {"@id": in, feelings: 5, continent: Continent/as}
        """

    @Test func `rows that leave out a unique value are told apart by what they name`() throws {
        try withAtlas { folder in
            let run = try run(Self.before, in: folder)
            #expect(run.status == 0, "\(run.output)")
        }
    }

    @Test func `one wrong value is one difference, at its line`() throws {
        try withAtlas { folder in
            let text = Self.before.replacing("za, feelings: 2", with: "za, feelings: 3")
            let run = try run(text, in: folder)
            let lines = run.output.split(separator: "\n").filter { $0.contains("expected") }
            #expect(lines.count == 1, "\(run.output)")
            #expect(run.output.contains("case.yml:15: Country/za: feelings is 2, expected 3"))
        }
    }

    @Test(arguments: [
        ("expect: contains", "expect: refused", "case.yml:10: the store was migrated, though"),
        (
            "expect: contains", "expect: {refused: 134111}\nallowDataLoss: true",
            "case.yml:10: the store was migrated, though"
        ),
        ("from: V1", "from: V1x", "case.yml:2: the model has no version 'V1x'"),
        ("from: V1", "form: V1", "'form' is unknown here; did you mean 'from'"),
        ("moods: 2, continent", "mods: 2, continent", "did you mean 'moods'"),
        ("Continent/af}\n    - {\"@id\": in", "af}\n    - {\"@id\": in", "\"Continent/af\""),
        (
            "code: 91", "code: 27",
            "case.yml:7: error: rows share a value of Country.code, which must be unique: "
                + "Country/za, Country/in"
        ),
        (
            "after:", "facts: [{sql: SELECT 1, gives: ['2']}]\nafter:",
            "case.yml:11: SELECT 1: gives [\"1\"], expected [\"2\"]"
        ),
    ])
    func `a fault is told at its line`(old: String, new: String, message: String) throws {
        try withAtlas { folder in
            #expect(Self.before.contains(old))
            let run = try run(Self.before.replacing(old, with: new), in: folder)
            #expect(run.status == 1, "\(run.output)\(run.errors)")
            #expect(run.output.contains(message), "\(run.output)")
        }
    }

    @Test func `facts that do not hold hide no rows that differ`() throws {
        try withAtlas { folder in
            let text = Self.before.replacing("za, feelings: 2", with: "za, feelings: 3")
            let facts = "facts: [{sql: SELECT 1, gives: ['2']}]\nafter:"
            let run = try run(text.replacing("after:", with: facts), in: folder)
            #expect(run.output.contains(": SELECT 1: gives"), "\(run.output)")
            #expect(run.output.contains("Country/za: feelings is 2, expected 3"), "\(run.output)")
        }
    }

    @Test
    func `names of losses that no version has are told of, and those that do not occur are not`()
        throws
    {
        try withAtlas { folder in
            let names = "allowDataLoss: [Country.moodz, Country.moods, Continent]\nafter:"
            let run = try run(Self.before.replacing("after:", with: names), in: folder)
            #expect(run.status == 0, "\(run.output)")
            let told = run.output.split(separator: "\n").filter { $0.contains("allowDataLoss") }
            let line =
                "case.yml:11: allowDataLoss: no version has 'Country.moodz'; did you mean 'Country.moods'"
            #expect(told.count == 1 && told[0].contains(line), "\(run.output)")
            try write("losses: {V2: [Country.moodz]}\n", ".momtool.yml", in: folder)
            let matrix = try momtool("test --matrix Atlas.xcdatamodeld", in: folder)
            #expect(matrix.status == 0, "\(matrix.output)")
            #expect(
                matrix.errors.contains(".momtool.yml:1:15: note: no version has 'Country.moodz'")
            )
        }
    }

    @Test func `rows in YAML stand in the case`() throws {
        try withAtlas { folder in
            let place = folder.appending(path: "Cases/one")
            try makeFolder(place)
            try write("Continent: {number: 1}\n", "rows.yml", in: place)
            let run = try run("from: V1\nbefore: rows.yml\nafter: {}", in: folder)
            let words = "case.yml:3:9: error: 'rows.yml' is YAML: rows in YAML stand in case.yml"
            #expect(run.output.contains(words), "\(run.output)")
        }
    }

    @Test func `what is missing and has no line is told at its case`() throws {
        try withAtlas { folder in
            let run = try run("from: V1\nbefore: {}", in: folder, ["--format", "junit"])
            let words =
                "file=\"Cases/one/case.yml\" line=\"1\"><failure message=\"after.json is missing"
            #expect(run.output.contains(words), "\(run.output)")
        }
    }

    /// A stages file two folders up, whose checksum is not that of the model.
    @Test func `a fault of a stages file is told at its line there, and once`() throws {
        try withAtlas { folder in
            let stages = "model: Atlas.xcdatamodeld\nstages:\n  - lightweight: [{V1: abcd}, V2]\n"
            try write(stages, "Stages.yml", in: folder)
            let text = """
                from: V1
                stages: ../../Stages.yml
                before: {}
                expect: contains
                after: {}
                cases: {first: {}, second: {}}
                """
            let run = try run(text, in: folder)
            let line = "\n  Stages.yml:3:5: error: stage 1: the checksum of 'V1' is pinned to abcd"
            #expect(run.output.contains(line), "\(run.output)")
            let check = try momtool("check", in: folder)
            #expect(check.output.ranges(of: "is pinned to abcd").count == 1, "\(check.output)")
            #expect(check.output.contains("also fails for it: "), "\(check.output)")
        }
    }

    @Test func `a model that is not there is told`() throws {
        try withAtlas { folder in
            _ = try run(Self.before, in: folder)
            let place = folder.appending(path: "Cases/one/case.yml")
            let text = try fileText(place)
            try Data(text.replacing("Atlas.x", with: "Atlass.x").utf8).write(to: place)
            let missing = try momtool("test Cases", in: folder)
            #expect(
                missing.output.contains("case.yml:1: there is no model '../../Atlass.xcdatamodeld'")
            )
        }
    }

    @Test func `one case of several is run by its name`() throws {
        try withAtlas { folder in
            let text = """
                from: V1
                expect: contains
                after: {}
                cases:
                  first: {before: {Continent: {number: 1}}}
                  second: {before: {Continent: [{number: x}]}}
                """
            #expect(try run(text, in: folder).status == 1)
            try expectRun("test Cases --filter first", in: folder, 0, "1 passed")
            let none = try momtool(["test", "Cases", "--filter", "one: frist"], in: folder)
            #expect(none.status == 66 && none.errors.contains("did you mean 'one: first'"))
        }
    }

    @Test(arguments: [".", "Cases", "Cases/", "Cases/Shop"])
    func `cases of one name in two folders are told apart by them`(_ place: String) throws {
        try withFolder { folder in
            for group in ["Shop", "Stock"] {
                let copy = folder.appending(path: "Cases/\(group)")
                let files = FileManager.default
                try files.createDirectory(at: copy, withIntermediateDirectories: true)
                let name = "attribute-added-optional"
                let original = Corpus.package.appending(path: "Fixtures/Cases/\(name)")
                try files.copyItem(at: original, to: copy.appending(path: name))
            }
            let report = try momtool(["test", place, "--format", "junit"], in: folder)
            #expect(report.status == 0, "\(report.errors)")
            #expect(report.output.contains("<testcase classname=\"Cases/Shop\""))
            let hasBoth = report.output.contains("<testcase classname=\"Cases/Stock\"")
            #expect(hasBoth == (place != "Cases/Shop"), "\(report.output)")
        }
    }

    @Test func `the folders of artifacts have names that every system takes`() throws {
        try withAtlas { folder in
            let text = """
                from: V1
                cases:
                  "rows: a <b> | c*?": {before: {}, after: {Nothing: []}}
                """
            #expect(try run(text, in: folder, ["--artifacts", "Failed"]).status == 1)
            let names = try FileManager.default
                .contentsOfDirectory(atPath: folder.appending(path: "Failed").path)
            #expect(names == ["one - rows - a -b- - c--"])
        }
    }

    @Test func `a mistake in the configuration is told once`() throws {
        try withAtlas { folder in
            try write("migration: sideways\n", ".momtool.yml", in: folder)
            let text = """
                from: V1
                expect: contains
                after: {}
                cases: {first: {before: {}}, second: {before: {}}}
                """
            let run = try run(text, in: folder)
            let all = run.output + run.errors
            #expect(run.status != 0)
            #expect(all.ranges(of: "write direct or stepwise").count == 1, "\(all)")
        }
    }

    @Test func `a written case has what the step changes, and passes as it is`() throws {
        try withAtlas { folder in
            let new = ["test", "Cases", "--write-case", "--model", "Atlas.xcdatamodeld"]
            #expect(try momtool(new, in: folder).status == 0)
            let place = folder.appending(path: "Cases/V1-to-V2/case.yml")
            let text = try fileText(place)
            #expect(text.contains("moods: 0 # Integer 16, optional; becomes feelings"), "\(text)")
            #expect(text.contains("feelings: 0 # was moods"), "\(text)")
            #expect(text.contains("size: 1.5 # the default"), "\(text)")
            try expectRun("test Cases", in: folder, 0)
            let wrong = text.replacing("feelings: 0", with: "feelings: 1")
            try Data(wrong.utf8).write(to: place)
            #expect(try momtool("test Cases", in: folder).status == 1)
        }
    }

    @Test func `a case of a step that only adds an entity does not say that others change`() throws
    {
        try withFolder { folder in
            let added = Self.old + "<entity name=\"Ocean\"/>"
            try writeBundle([model(Self.old), model(added)], "Atlas.xcdatamodeld", in: folder)
            let new = ["test", "Cases", "--write-case", "--model", "Atlas.xcdatamodeld"]
            #expect(try momtool(new, in: folder).status == 0)
            let place = folder.appending(path: "Cases/V1-to-V2/case.yml")
            let text = try fileText(place)
            #expect(text.hasPrefix("# The step from V1 to V2 changes no entity of V1"), "\(text)")
            #expect(text.contains("# number: 0 # Integer 64, required, its default"), "\(text)")
            #expect(try momtool("test Cases", in: folder).status == 0)
        }
    }
}
