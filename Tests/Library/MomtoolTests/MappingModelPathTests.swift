import Foundation
import TestSupport
import Testing

/// Sources of mapping models name their versions by paths.
struct MappingModelPathTests {
    private static func model(_ attributes: String, _ tag: String) -> String {
        func entity(_ name: String, _ attributes: String) -> String {
            let all = attributes.map {
                "<attribute name='\($0)' optional='YES' attributeType='String'/>"
            }
            return "<entity name='\(name)'>\(all.joined())</entity>"
        }
        return "<model>\(entity("Item", attributes))\(entity("Tag", tag))</model>"
    }

    /// A mapping of the entity `Item`, and of `a`.
    private static func mapping(_ start: String, _ end: String) -> String {
        """
        <database><object type="XDDEVMAPPINGMODEL" id="z1">
        <attribute name="sourcemodelpath">App/Shop.xcdatamodeld/\(start).xcdatamodel</attribute>
        <attribute name="destinationmodelpath">App/Shop.xcdatamodeld/\(end).xcdatamodel</attribute>
        <relationship name="entitymappings" idrefs="z2"/></object>
        <object type="XDDEVENTITYMAPPING" id="z2"><attribute name="sourcename">Item</attribute>
        <attribute name="destinationname">Item</attribute>
        <relationship name="attributemappings" idrefs="z3"/></object>
        <object type="XDDEVATTRIBUTEMAPPING" id="z3"><attribute name="name">a</attribute></object></database>
        """
    }

    private func inApp(
        _ versions: [String: String],
        _ start: String,
        _ end: String,
        _ body: (URL) throws -> Void
    ) throws {
        try withFolder { folder in
            try makeRepository(folder)
            let bundle = folder.appending(path: "App/Shop.xcdatamodeld")
            try writeBundle(versions, current: "V2", at: bundle)
            try write(Self.mapping(start, end), "Maps/One.xcmappingmodel/xcmapping.xml", in: folder)
            let rows = #"{"Item": [{"a": "x"}], "Tag": [{"t": "x"}]}"#
            try write(rows, "rows.json", in: folder)
            let create = ["create", "S.sqlite", "--model", "App/Shop.xcdatamodeld"]
            let run = try momtool(create + ["--version", "V1", "--rows", "rows.json"], in: folder)
            try #require(run.status == 0, "\(run.errors)")
            try body(folder)
        }
    }

    private static let versions = ["V1": model("ab", "t"), "V2": model("a", "t")]

    @Test(arguments: [
        ("V1", "V2", false), ("Old", "V2", true), ("V1", "New", true), ("Old", "New", true),
        ("V0", "V1", false),
    ])
    func `a mapping model of a missing version is named in each command`(
        _ start: String,
        _ end: String,
        _ isFound: Bool
    ) throws {
        try inApp(Self.versions, start, end) { folder in
            let model = "App/Shop.xcdatamodeld"
            for isListed in [false, true] {
                if isListed { try write("mappingModels: [Maps]\n", ".momtool.yml", in: folder) }
                let severity = isListed ? "warning" : "note"
                for words in [
                    ["check"], ["lint", model], ["plan", model, "--store", "S.sqlite"],
                    ["migrate", "S.sqlite", "--model", model, "-o", "\(severity).sqlite"],
                    ["doctor", "S.sqlite", "--model", model],
                ] {
                    let run = try momtool(words, in: folder)
                    let found = (run.output + run.errors).split(separator: "\n").filter {
                        $0.contains("One.xcmappingmodel: \(severity): ")
                            && $0.contains("[mapping-model-not-run]")
                    }
                    #expect(
                        found.count == (isFound ? 1 : 0),
                        "\(words): \(run.output)\(run.errors)"
                    )
                }
            }
        }
    }

    @Test func `renaming a version names the mapping models that have its path`() throws {
        try inApp(Self.versions, "V1", "V2") { folder in
            for (old, new, isNamed) in [("V1", "A", true), ("A", "V1", false), ("V2", "B", true)] {
                let words = ["model", "rename-version", "App/Shop.xcdatamodeld", old, new]
                let run = try momtool(words, in: folder)
                #expect(run.status == 0, "\(run.errors)")
                let text = run.output + run.errors
                #expect(text.contains("Maps/One.xcmappingmodel") == isNamed, "\(text)")
            }
        }
    }

    @Test func `a mapping model is for the step that it names, whatever it leaves out`() throws {
        let versions = ["V1": Self.model("a", "t"), "V2": Self.model("a", "tu")]
        try inApp(versions, "V1", "V2") { folder in
            let model = "App/Shop.xcdatamodeld"
            for more in [[], ["--mapping-models", "Maps"]] {
                let plan = try momtool(["plan", model, "--store", "S.sqlite"] + more, in: folder)
                #expect(
                    plan.status == 1 && plan.output.contains("allow-data-loss Tag"),
                    "\(plan.output)"
                )
                let words = ["migrate", "S.sqlite", "--model", model, "-o", "O.sqlite"] + more
                #expect(try momtool(words, in: folder).status == 3)
            }
            let check = try momtool(["check"], in: folder)
            #expect(check.output.contains("[data-loss]"), "\(check.output)")
        }
    }

    @Test func `what a migration asks for is planned beside the rows that it fails on`() throws {
        let unique = "<uniquenessConstraints><uniquenessConstraint><constraint value='a'/>"
        let end = "</uniquenessConstraint></uniquenessConstraints></entity><entity name='Tag'>"
        let new = Self.model("a", "t").replacing("</entity><entity name='Tag'>", with: unique + end)
        try inApp(["V1": Self.model("ab", "t"), "V2": new], "V1", "V2") { folder in
            let rows = #"{"Item": [{"a": "x", "b": "y"}, {"a": "x"}]}"#
            try write(rows, "rows.json", in: folder)
            let model = "App/Shop.xcdatamodeld"
            let create = ["create", "D.sqlite", "--model", model, "--version", "V1"]
            _ = try momtool(create + ["--rows", "rows.json"], in: folder)
            for words in [
                ["plan", model, "--store", "D.sqlite"],
                ["migrate", "D.sqlite", "--model", model, "-o", "O.sqlite"],
            ] {
                let run = try momtool(words, in: folder)
                #expect(run.status == 3, "\(run.output)\(run.errors)")
                for name in ["Item: 1 row at stake", "Item.b: 1 value at stake"] {
                    #expect((run.output + run.errors).contains(name), "\(run.output)\(run.errors)")
                }
            }
        }
    }
}
