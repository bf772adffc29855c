import Foundation
import TestSupport
import Testing

struct NewUserTests {
    private func model(_ properties: String) -> String {
        "<model><entity name='Post'><attribute name='title' optional='YES' attributeType='String'/>\(properties)</entity></model>"
    }

    private let content = "<attribute name='content' optional='YES' attributeType='String'/>"

    private func withModel(_ versions: [String], _ body: (URL) throws -> Void) throws {
        try withFolder { folder in
            let texts = versions.enumerated().map { ("V\($0 + 1)", model($1)) }
            try writeBundle(
                Dictionary(uniqueKeysWithValues: texts),
                "Blog.xcdatamodeld",
                in: folder,
                current: "V\(versions.count)"
            )
            try body(folder)
        }
    }

    @Test(arguments: [
        "model add Blog.xcdatamodeld attribute Post.rank Integer 16 --default 1",
        "model add Blog.xcdatamodeld attribute Post.rank --type Integer 16",
        "model add Blog.xcdatamodeld attribute Post.rank integer 16",
    ])
    func `a type of two words needs no quotes`(command: String) throws {
        try withModel([""]) { folder in
            try expectRun(command.split(separator: " ").map(String.init), in: folder, 0)
            let source = folder.appending(path: "Blog.xcdatamodeld/V1.xcdatamodel/contents")
            let text = try fileText(source)
            #expect(text.contains("attributeType=\"Integer 16\""), "\(text)")
        }
    }

    @Test(arguments: [
        ("model show Blog.xcdatamodeld", "did you mean 'momtool inspect'"),
        ("model diff Blog.xcdatamodeld", "did you mean 'momtool diff'"),
        ("model delete Blog.xcdatamodeld", "did you mean 'remove'"),
        ("model xyz Blog.xcdatamodeld", "there are: add, set, remove"),
        ("show Blog.xcdatamodeld", "did you mean 'inspect'"), ("validate", "did you mean 'check'"),
        ("delete Blog.xcdatamodeld", "did you mean 'model remove'"),
    ])
    func `words of other tools lead to the command`(command: String, words: String) throws {
        try withModel([""]) { folder in
            let run = try momtool(command.split(separator: " ").map(String.init), in: folder)
            #expect(run.status == 64 && run.errors.contains(words), "\(run.errors)")
        }
    }

    @Test func `the number of a version goes on from nought`() throws {
        try withFolder { folder in
            try writeBundle(["Schema1_2_0": model("")], "Blog.xcdatamodeld", in: folder)
            let run = try momtool("model new-version Blog.xcdatamodeld", in: folder)
            #expect(run.output.contains("made 'Schema1_2_1'"), "\(run.output)\(run.errors)")
        }
    }

    @Test func `one value is one value`() throws {
        try withModel([content, ""]) { folder in
            try write("{\"Post\": [{\"content\": \"a\"}]}", "rows.json", in: folder)
            let create = ["create", "S.sqlite", "--model", "Blog.xcdatamodeld", "--version", "V1"]
            #expect(try momtool(create + ["--rows", "rows.json"], in: folder).status == 0)
            let run = try momtool(
                "migrate S.sqlite --model Blog.xcdatamodeld -o N.sqlite --allow-data-loss",
                in: folder
            )
            #expect(run.output.contains("Post.content (1 value)"), "\(run.output)\(run.errors)")
        }
    }

    @Test func `a case is no file of rows`() throws {
        try withModel([""]) { folder in
            try write("before: {}\n", "case.yml", in: folder)
            let run = try momtool(
                ["create", "S.sqlite", "--model", "Blog.xcdatamodeld", "--rows", "case.yml"],
                in: folder
            )
            #expect(run.status == 65, "\(run.errors)")
            #expect(
                run.errors.contains("rows are read as JSON, the form that momtool export writes")
            )
        }
    }

    private let mapping = """
        <database>
        <object type="XDDEVMAPPINGMODEL" id="z1">
        <attribute name="sourcemodelpath">Blog.xcdatamodeld/V1.xcdatamodel</attribute>
        <attribute name="destinationmodelpath">Blog.xcdatamodeld/V2.xcdatamodel</attribute>
        <relationship name="entitymappings" idrefs="z2"/></object>
        <object type="XDDEVENTITYMAPPING" id="z2">
        <attribute name="sourcename">Post</attribute>
        <attribute name="destinationname">Post</attribute>
        <relationship name="attributemappings" idrefs="z3"/></object>
        <object type="XDDEVATTRIBUTEMAPPING" id="z3"><attribute name="name">title</attribute></object>
        </database>
        """

    @Test func `the loss of one step past a mapping model is named as check says`() throws {
        let rank = "<attribute name='rank' optional='YES' attributeType='Date'/>"
        try withModel([content, "", rank]) { folder in
            try write(mapping, "V1 to V2.xcmappingmodel/xcmapping.xml", in: folder)
            let red = try momtool("check", in: folder)
            let advice = "losses: {V3: [Post.content]}"
            #expect(red.status == 1 && red.output.contains(advice), "\(red.output)")
            try write(advice + "\n", ".momtool.yml", in: folder)
            let green = try momtool("check", in: folder)
            #expect(green.status == 0 && !green.output.contains("unmatched-loss"))
            // Unreadable settings still tell how the app migrates.
            let settings = "migration: stepwise\npolicies: {Nobody: map.yml}\n"
            try write(settings, ".momtool.yml", in: folder)
            try write("Post: x\n", "map.yml", in: folder)
            try expectRun("check", in: folder, nil, "map.yml:1:1: error:", not: ["data-loss"])
        }
    }
}
