import Foundation
import TestSupport
import Testing

struct HouseRuleTests {
    private func write(_ text: String, in folder: URL) throws {
        try Data(text.utf8).write(to: folder.appending(path: ".momtool.yml"))
    }

    @Test(arguments: conventions)
    func `a convention of a team is a condition, tried on its examples`(
        _ convention: Convention
    ) throws {
        try withFolder { folder in
            var text = convention.text
            if convention.subject == "version" || convention.subject == "change" {
                text = text.replacing("{name}", with: "this")
            }
            try write(text, in: folder)
            try expectRun("config --test", in: folder, 0, "1 rule, 2 examples: all as they say")
            let wrong = text.replacing("passes:", with: "kept:").replacing(
                "fails:",
                with: "passes:"
            )
            .replacing("kept:", with: "fails:")
            try write(wrong, in: folder)
            try expectRun("config --test", in: folder, 1, ".momtool.yml:6:", ".momtool.yml:7:")
        }
    }

    @Test func `the rules of the page say what their examples say`() throws {
        try withFolder { folder in
            let page = Corpus.package.appending(
                path: "Sources/Library/Momtool/Momtool.docc/HouseRules.md"
            )
            let text = try fileText(page)
            let parts = text.components(separatedBy: "```yaml\n").dropFirst()
            let rules = try #require(parts.first?.components(separatedBy: "```").first)
            try write(rules, in: folder)
            try expectRun("config --test", in: folder, 0, "2 rules, 3 examples: all as they say")
        }
    }

    @Test func `nothing tried is not success`() throws {
        try withFolder { folder in
            try write(Self.rule, in: folder)
            try expectRun("config --test", in: folder, 66, errors: ["no rule has an example"])
        }
    }

    private static let rule = """
        rules:
          - id: acme-short
            for: attribute
            when: "name.length > 3"
            message: "'{name}' of {entity.name} is long"
            severity: error

        """

    private func writeModel(in folder: URL, _ userInfo: String = "") throws {
        let body =
            "<entity name='Item'><attribute name='title' optional='YES' attributeType='String'>\(userInfo)</attribute><attribute name='day' optional='YES' attributeType='Date'/></entity>"
        try writeBundle(
            ["<model documentVersion=\"1.0\">\(body)</model>"],
            "Shop.xcdatamodeld",
            in: folder
        )
    }

    @Test func `a breach is a finding like any other: told, listed, explained, ignored, let be`()
        throws
    {
        try withFolder { folder in
            let rule = Self.rule
            try write(rule, in: folder)
            try writeModel(in: folder)
            let words = ["lint", "Shop.xcdatamodeld"]
            let lint = try expectRun(words, in: folder, 1)
            let line = lint.output.split(separator: "\n").first { $0.contains("[acme-short]") }
            #expect(line?.contains("error: 'title' of Item is long") == true, "\(lint.output)")
            #expect(try momtool("check", in: folder).status == 1)
            #expect(try momtool("rules", in: folder).output.contains("acme-short"))
            try expectRun("rules acme-short", in: folder, nil, "name.length > 3")
            try write(rule + "lint:\n  rules: {acme-short: note}\n", in: folder)
            #expect(try momtool(words, in: folder).status == 0)
            let ignore = "lint:\n  ignore: [{rule: acme-short, element: Item.title, reason: old}]\n"
            try write(rule + ignore, in: folder)
            #expect(try !momtool(words, in: folder).output.contains("[acme-short]"))
            try write(rule, in: folder)
            let baseline = ["--write-baseline", "known.txt"]
            #expect(try momtool(words + baseline, in: folder).status == 0)
            #expect(try momtool(words + ["--baseline", "known.txt"], in: folder).status == 0)
            try FileManager.default.removeItem(at: folder.appending(path: "Shop.xcdatamodeld"))
            let entry = "<userInfo><entry key='momtool.ignore' value='acme-short'/></userInfo>"
            try writeModel(in: folder, entry)
            try expectRun(words, in: folder, 0, not: ["acme-short"])
        }
    }

    @Test(arguments: [
        ("when: \"name ==\"", ":4:11: error: character 8 of the condition"),
        ("when: \"tpye == 'String'\"", "an attribute has no 'tpye'; did you mean 'type'"),
        ("when: \"entity.parent.nmae == 'A'\"", "an entity has no 'nmae'; did you mean 'name'"),
        ("when: \"name.first == 'A'\"", "'first' is asked of a plain value"),
        ("when: \"entity.attributes.@sun.minimum > 1\"", "'@sun' is no operator of lists"),
        ("when: \"now() > 1\"", "is unknown in rules"),
        ("when: \"name == %@\"", "replace the placeholder"),
        ("for: table", "write entity, attribute, relationship, index, version or change"),
        ("id: Acme", "write an ID in small letters"),
        ("id: data-loss", "momtool has a rule 'data-loss' of its own"),
        ("severity: fatal", "write note, warning or error"),
        ("applies: never", "write new or all"),
        ("message: \"{nmae}\"", "an attribute has no 'nmae'"),
        ("wenn: x", "'wenn' is unknown here"),
    ])
    func `a mistake in a rule is told at its line`(_ line: String, _ expected: String) throws {
        try withFolder { folder in
            try writeModel(in: folder)
            var lines = ["id: acme", "for: attribute", "when: \"name == 'a'\"", "message: no"]
            let key = line.prefix { $0 != ":" }
            if let index = lines.firstIndex(where: { $0.hasPrefix(key + ":") }) {
                lines[index] = line
            } else {
                lines.append(line)
            }
            try write("rules:\n  - " + lines.joined(separator: "\n    ") + "\n", in: folder)
            let result = try momtool("lint Shop.xcdatamodeld", in: folder)
            #expect(result.status == 65, "\(result.output)\(result.errors)")
            #expect(result.errors.contains(expected), "\(result.errors)")
            #expect(result.errors.contains(".momtool.yml:"), "\(result.errors)")
        }
    }

    @Test func `a condition that would take for ever is stopped, and says so`() throws {
        try withFolder { folder in
            let names = (0..<60).map {
                Self.entity("E\(String(repeating: "a", count: 200))\($0)", Self.attribute("a\($0)"))
            }
            try writeBundle(
                ["<model documentVersion=\"1.0\">\(names.joined())</model>"],
                "Shop.xcdatamodeld",
                in: folder
            )
            var condition = "name == 'x'"
            for depth in 0..<6 {
                condition = "SUBQUERY(version.entities, $v\(depth), \(condition)).@count > 0"
            }
            let conditions = [
                condition, "name MATCHES 'E(a|a)*b'", "name LIKE '*a*a*a*a*a*a*a*a*b'",
            ]
            for condition in conditions {
                let text = """
                    rules:
                      - {id: acme-slow, for: entity, when: "\(condition)", message: slow}

                    """
                try write(text, in: folder)
                let result = try momtool("lint Shop.xcdatamodeld", in: folder)
                #expect(result.status == 1, "\(result.errors)")
                #expect(result.output.contains("the rule was stopped in 'V1'"), "\(result.output)")
            }
        }
    }
}
