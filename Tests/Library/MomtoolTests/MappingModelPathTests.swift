import Foundation
import TestSupport
import Testing

/// Sources of mapping models name their versions by paths.
struct MappingModelPathTests {
    private static func model(_ item: String, _ tag: String, _ rest: String = "") -> String {
        func all(_ names: String) -> String {
            names.map { "<attribute name='\($0)' optional='YES' attributeType='String'/>" }.joined()
        }
        let first = "<entity name='Item'>\(all(item))\(rest)</entity>"
        return "<model>\(first)<entity name='Tag'>\(all(tag))</entity></model>"
    }

    /// A mapping of the entity `Item`, and of `a`.
    private static func mapping(_ start: String, _ end: String) -> String {
        """
        <database><object type="XDDEVMAPPINGMODEL" id="z1">
        <attribute name="sourcemodelpath">\(bundle)/\(start).xcdatamodel</attribute>
        <attribute name="destinationmodelpath">\(bundle)/\(end).xcdatamodel</attribute>
        <relationship name="entitymappings" idrefs="z2"/></object><object type="XDDEVENTITYMAPPING" id="z2">
        <attribute name="sourcename">Item</attribute><attribute name="destinationname">Item</attribute>
        <relationship name="attributemappings" idrefs="z3"/></object>
        <object type="XDDEVATTRIBUTEMAPPING" id="z3"><attribute name="name">a</attribute></object></database>
        """
    }

    private func inApp(
        _ versions: [String],
        _ ends: (String, String) = ("V1", "V2"),
        rows: String = #"{"Item": [{"a": "x"}], "Tag": [{"t": "x"}]}"#,
        _ body: (URL) throws -> Void
    ) throws {
        try withFolder { folder in
            try makeRepository(folder)
            try writeBundle(versions, Self.bundle, in: folder)
            let mapping = Self.mapping(ends.0, ends.1)
            try write(mapping, "Maps/One.xcmappingmodel/xcmapping.xml", in: folder)
            try write(rows, "R.json", in: folder)
            let words = "create S.sqlite --model \(Self.bundle) --version V1 --rows R.json"
            try #require(try momtool(words, in: folder).status == 0)
            try body(folder)
        }
    }

    private static let bundle = "App/Shop.xcdatamodeld"
    private static let versions = [model("ab", "t"), model("a", "t")]
    private static let checks = ["check", "lint \(bundle)", "doctor S.sqlite --model \(bundle)"]
    private static let runs = [
        "plan \(bundle) --store S.sqlite", "migrate S.sqlite --model \(bundle) -o O.sqlite",
    ]

    @Test(arguments: [
        ("V1", "V2", false), ("Old", "V2", true), ("V1", "New", true), ("Old", "New", true),
        ("V0", "V1", false),
    ])
    func `one of a missing version is named`(_ start: String, _ end: String, _ isOn: Bool) throws {
        try inApp(Self.versions, (start, end)) { folder in
            for isListed in [false, true] {
                if isListed { try write("mappingModels: [Maps]\n", ".momtool.yml", in: folder) }
                let severity = isListed ? "warning" : "note"
                for words in Self.checks + Self.runs {
                    try? FileManager.default.removeItem(at: folder.appending(path: "O.sqlite"))
                    let run = try momtool(words, in: folder)
                    let found = (run.output + run.errors).split(separator: "\n").filter {
                        $0.contains("One.xcmappingmodel: \(severity): ")
                            && $0.contains("[mapping-model-not-run]")
                    }
                    #expect(found.count == (isOn ? 1 : 0), "\(words): \(run)")
                }
            }
        }
    }

    @Test func `renaming a version names the mapping models that have its path`() throws {
        try inApp(Self.versions) { folder in
            for (old, new, isNamed) in [("V1", "A", true), ("A", "V1", false), ("V2", "B", true)] {
                let words = "model rename-version \(Self.bundle) \(old) \(new)"
                let run = try momtool(words, in: folder)
                #expect(run.status == 0, "\(run.errors)")
                let text = run.output + run.errors
                #expect(text.contains("Maps/One.xcmappingmodel") == isNamed, "\(text)")
            }
        }
    }

    @Test func `a mapping model is for the step that it names, whatever it leaves out`() throws {
        try inApp([Self.model("a", "t"), Self.model("a", "tu")]) { folder in
            for more in ["", " --mapping-models Maps"] {
                for (words, status) in zip(Self.runs, [1, 3]) {
                    let run = try momtool(words + more, in: folder)
                    #expect(run.status == status, "\(words): \(run)")
                    #expect((run.output + run.errors).contains("--allow-data-loss Tag"), "\(run)")
                }
            }
            let check = try momtool(["check"], in: folder)
            #expect(check.output.contains("[data-loss]"), "\(check.output)")
        }
    }

    @Test func `what a migration asks for is planned beside the rows that it fails on`() throws {
        let unique =
            "<uniquenessConstraints><uniquenessConstraint><constraint value='a'/></uniquenessConstraint></uniquenessConstraints>"
        let rows = #"{"Item": [{"a": "x", "b": "y"}, {"a": "x"}]}"#
        try inApp([Self.model("ab", "t"), Self.model("a", "t", unique)], rows: rows) { folder in
            for words in Self.runs {
                let run = try momtool(words, in: folder)
                let text = run.output + run.errors
                let found = ["Item: 1 ", "Item.b: 1 "].map(text.contains)
                #expect(run.status == 3 && found == [true, true], "\(text)")
            }
        }
    }
}
