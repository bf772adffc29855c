import Foundation
import TestSupport
import Testing

struct ProjectMistakeTests {
    private static func entity(_ name: String, _ attributes: String...) -> String {
        let lines = attributes.map {
            "<attribute name='\($0)' optional='YES' attributeType='String'/>"
        }
        return "<entity name='\(name)'>\(lines.joined(separator: "\n"))</entity>"
    }

    private static func model(_ entities: String...) -> String {
        "<model>\n\(entities.joined(separator: "\n"))\n</model>"
    }

    private func withShop(_ body: (URL) throws -> Void) throws {
        try withFolder { folder in
            let versions = [
                "V1": Self.model(Self.entity("Book", "a", "b"), Self.entity("Notice", "n")),
                "V2": Self.model(Self.entity("Book", "a", "b", "c"), Self.entity("Notice", "n")),
                "V10": Self.model(
                    Self.entity("Book", "a", "b", "c", "d"),
                    Self.entity("Notice", "n")
                ),
            ]
            let bundle = folder.appending(path: "Shop.xcdatamodeld")
            try writeBundle(versions, current: "V10", at: bundle)
            try body(folder)
        }
    }

    private func writeCase(_ name: String, from: String, depth: Int = 2, in folder: URL) throws {
        let up = String(repeating: "../", count: depth)
        let text = """
            model: \(up)Shop.xcdatamodeld
            from: \(from)
            to: V10
            before: {Book: [{"@id": x, a: one}]}
            after: {Book: [{"@id": x, a: one}]}

            """
        try write(text, "MigrationCases/\(name)/case.yml", in: folder)
    }

    private func errors(_ result: CommandResult) -> [String] {
        result.output.split(separator: "\n").map(String.init).filter { $0.contains(": error: ") }
    }

    @Test func `one version is judged without the others being missing`() throws {
        try withShop { folder in
            #expect(try momtool("lock Shop.xcdatamodeld", in: folder).status == 0)
            try write("losses: {V2: [Nothing]}\n", ".momtool.yml", in: folder)
            for version in ["V1", "V2", "V10"] {
                let result = try momtool("lint Shop.xcdatamodeld#\(version)", in: folder)
                #expect(!result.output.contains("locked-version"), "\(result.output)")
                #expect(!result.output.contains("unmatched-loss"), "\(result.output)")
            }
            let edited = Self.model(Self.entity("Book", "a"), Self.entity("Notice", "n"))
            try write(edited, "Shop.xcdatamodeld/V1.xcdatamodel/contents", in: folder)
            try expectRun("lint Shop.xcdatamodeld#V1", in: folder, 1, "'V1' shipped and was edited")
        }
    }

    @Test func `test and check find the same cases, however deep, and test needs no folder`() throws
    {
        try withShop { folder in
            try writeCase("one", from: "V1", in: folder)
            try writeCase("mine/deep/two", from: "V2", depth: 4, in: folder)
            try expectRun("check", in: folder, nil, " 2 cases: ")
            for words in [["test"], ["test", "."], ["test", "MigrationCases"]] {
                try expectRun(words, in: folder, 0, "2 passed, 0 failed")
            }
            try expectRun("test MigrationCases/mine", in: folder, nil, "1 passed, 0 failed")
        }
    }

    @Test func `a new case goes where init writes its own, unless a folder is named`() throws {
        try withShop { folder in
            #expect(try momtool("init", in: folder).status == 0)
            let place = "MigrationCases/V2-to-V10/case.yml"
            #expect(FileManager.default.fileExists(atPath: folder.appending(path: place).path))
            let again = try momtool("test --write-case --model Shop.xcdatamodeld", in: folder)
            #expect(again.status == 3 && again.errors.contains("there is a case already"))
        }
    }

    @Test func `one mistake is one error, with the cases that could not be run for it`() throws {
        try withShop { folder in
            for name in ["a", "b", "c"] { try writeCase(name, from: "V1", in: folder) }
            #expect(try momtool("check", in: folder).status == 0)
            let note = "note: 3 cases could not be run for it: a, b, c"
            func expectOne(_ text: String) throws {
                let result = try momtool("check", in: folder)
                #expect(errors(result).count == 1, "\(result.output)")
                #expect(errors(result).first?.contains(text) == true, "\(result.output)")
                #expect(result.output.contains(note), "\(result.output)")
            }
            try write("losess: {}\n", ".momtool.yml", in: folder)
            try expectOne("'losess' is unknown here; did you mean 'losses'")
            try write("", ".momtool.yml", in: folder)
            let source = "Shop.xcdatamodeld/V1.xcdatamodel/contents"
            let text = try fileText(folder.appending(path: source))
            try write("<model", source, in: folder)
            try expectOne("[malformed-xml]")
            try write(text, source, in: folder)
            for name in ["a", "b", "c"] { try writeCase(name, from: "V3", in: folder) }
            try expectOne("a cannot be run: the model has no version 'V3'")
        }
    }

    @Test func `what went since a revision is told at the version, and has a place in the comment`()
        throws
    {
        try withShop { folder in
            try commit("one", in: folder)
            try write(
                Self.model(Self.entity("Book", "a", "b", "c")),
                "Shop.xcdatamodeld/V10.xcdatamodel/contents",
                in: folder
            )
            try write("losses: {V10: [Notice]}\n", ".momtool.yml", in: folder)
            let result = try momtool("check --against HEAD --comment c.md", in: folder)
            #expect(
                result.output.contains(
                    "Shop.xcdatamodeld/V10.xcdatamodel/contents:1:1: note: since HEAD: Notice: the entity"
                ),
                "\(result.output)"
            )
            let comment = try fileText(folder.appending(path: "c.md"))
            #expect(!comment.contains("`1 model, 3 versions"), "\(comment)")
            #expect(comment.contains("**loses data**, named as meant"), "\(comment)")
            try expectRun("check --against HEAD --format github", in: folder, nil, not: ["\\u000A"])
        }
    }

    @Test func `losses of several versions are given as one entry, in the order of versions`()
        throws
    {
        try withShop { folder in
            let versions = [
                "V1": Self.model(Self.entity("Book", "a", "b"), Self.entity("Notice", "n")),
                "V2": Self.model(Self.entity("Book", "a"), Self.entity("Notice", "n")),
                "V10": Self.model(Self.entity("Book", "a")),
            ]
            for (name, text) in versions {
                try write(text, "Shop.xcdatamodeld/\(name).xcdatamodel/contents", in: folder)
            }
            let result = try expectRun("check", in: folder, 1)
            let lines = result.output.split(separator: "\n").map(String.init)
            let start = try #require(lines.firstIndex(of: "losses:"), "\(result.output)")
            #expect(
                Array(lines[start...].prefix(3)) == [
                    "losses:", "  V2: [Book.b]", "  V10: [Notice]",
                ]
            )
            let first = try #require(lines.firstIndex { $0.contains("V2.xcdatamodel") })
            let last = try #require(lines.firstIndex { $0.contains("V10.xcdatamodel") })
            #expect(first < last && last < start)
            try write(
                lines[start...].prefix(3).joined(separator: "\n") + "\n",
                ".momtool.yml",
                in: folder
            )
            let green = try momtool("check", in: folder)
            #expect(green.status == 0 && !green.output.contains("losses:"), "\(green.output)")
            try write(
                "losses: {V2: [Book.b]}\nlosses: {V10: [Notice]}\n",
                ".momtool.yml",
                in: folder
            )
            try expectRun("check", in: folder, nil, "put both under one 'losses:'")
        }
    }

    @Test func `a name that is the end of one version is taken for it in advice`() throws {
        try withFolder { folder in
            let text = Self.model(Self.entity("Book", "a"))
            let names = ["Model 8.1.3", "Model 18.4.3", "Model 18.4.4"]
            try writeBundle(
                Dictionary(uniqueKeysWithValues: names.map { ($0, text) }),
                "M.xcdatamodeld",
                in: folder,
                current: "Model 18.4.4"
            )
            func advice(_ name: String) throws -> String {
                try momtool(["plan", "M.xcdatamodeld", "--from", name], in: folder).errors
            }
            #expect(try advice("18.4.3").contains("did you mean 'Model 18.4.3'"))
            #expect(try !advice("Model 18.4.2").contains("did you mean"))
            #expect(try advice("Modle 18.4.3").contains("did you mean 'Model 18.4.3'"))
            try write("losses: {18.4.4: [Book]}\n", ".momtool.yml", in: folder)
            try expectRun("lint M.xcdatamodeld", in: folder, nil, "did you mean 'Model 18.4.4'")
            try write("", "dw.sqlite", in: folder)
            let other = try momtool("inspect zz.sqlite", in: folder)
            #expect(!other.errors.contains("did you mean"), "\(other.errors)")
            try write("", "Shop.sqlite", in: folder)
            let near = try momtool("inspect Shpo.sqlite", in: folder)
            #expect(near.errors.contains("did you mean 'Shop.sqlite'"), "\(near.errors)")
        }
    }

    @Test func `what is ignored of a version that is not there is told`() throws {
        try withShop { folder in
            let item = "lint: {ignore: [{rule: source-form, version: V11, reason: old}]}\n"
            try write(item, ".momtool.yml", in: folder)
            let lint = try momtool("lint Shop.xcdatamodeld", in: folder)
            let said = lint.output.split(separator: "\n").filter {
                $0.hasSuffix("[unmatched-ignore]")
            }
            #expect(said.count == 1, "\(lint.output)")
            #expect(said.first?.hasPrefix(".momtool.yml:1:") == true, "\(lint.output)")
            try write(item.replacing("V11", with: "V10"), ".momtool.yml", in: folder)
            try expectRun("lint Shop.xcdatamodeld", in: folder, nil, not: ["unmatched-ignore"])
        }
    }

    @Test func `the next step is a command where no version is current`() throws {
        try withShop { folder in
            let file = folder.appending(path: "Shop.xcdatamodeld/.xccurrentversion")
            try FileManager.default.removeItem(at: file)
            let command = "momtool model set-current Shop.xcdatamodeld V10"
            try expectRun("check", in: folder, nil, command)
            let words = command.split(separator: " ").dropFirst().map(String.init)
            #expect(try momtool(words, in: folder).status == 0)
            #expect(try momtool("check", in: folder).status == 0)
        }
    }

    @Test func `plan takes two models as diff does, and check says what takes one version`() throws
    {
        try withShop { folder in
            let plan = try momtool("plan Shop.xcdatamodeld#V1 Shop.xcdatamodeld#V2", in: folder)
            #expect(plan.status == 0 && plan.output.contains("V1 → V2"))
            try commit("one", in: folder)
            let old = try momtool("plan HEAD:Shop.xcdatamodeld#V1 Shop.xcdatamodeld", in: folder)
            #expect(old.status == 0 && old.output.contains("V1 → V10"))
            for path in ["HEAD:Shop.xcdatamodeld", "Shop.xcdatamodeld#V1"] {
                try expectRun(["check", path], in: folder, 66, errors: ["use momtool lint "])
                #expect(try momtool(["lint", path], in: folder).status == 0)
            }
        }
    }

    @Test func `a version that is taken back leaves no file behind that git does not know`() throws
    {
        try withFolder { folder in
            let source = Self.model(Self.entity("Book", "a"))
            try write(source, "Shop.xcdatamodeld/Shop.xcdatamodel/contents", in: folder)
            try commit("one", in: folder)
            #expect(try momtool("model new-version Shop.xcdatamodeld", in: folder).status == 0)
            let undone = try momtool("model undo-version Shop.xcdatamodeld", in: folder)
            #expect(undone.status == 0 && !undone.output.contains("entered in"), "\(undone.output)")
            #expect(try git("status", "--porcelain", in: folder).output.isEmpty)
        }
    }

    @Test func `a folder that is missing is named, and so is the option that replaces a store`()
        throws
    {
        try withShop { folder in
            let create = [
                "create", "Old.sqlite", "--model", "Shop.xcdatamodeld", "--version", "V1",
            ]
            #expect(try momtool(create, in: folder).status == 0)
            try expectRun(create, in: folder, 73, errors: ["or replace it with --force"])
            let lost = try momtool(
                ["migrate", "Old.sqlite", "--model", "Shop.xcdatamodeld", "-o", "none/New.sqlite"],
                in: folder
            )
            #expect(lost.errors.contains("there is no folder 'none'"), "\(lost.errors)")
        }
    }
}
