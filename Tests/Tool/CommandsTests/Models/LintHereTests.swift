import Foundation
import TestSupport
import Testing

struct LintHereTests {
    private struct Report: Decodable {
        struct Fixed: Decodable, Equatable {
            var fix: String
            var path: String
            var line: Int?
            var isGuess: Bool
        }
        var fixed: [Fixed]?
    }

    private static let source = xcodeSource(
        """
            <entity name="Book" representedClassName="Book" syncable="YES" codeGenerationType="class">
                <attribute name="isbn" optional="YES" attributeType="String"/>
                <attribute name="title" optional="YES" attributeType="String"/>
            </entity>
        """
    )

    private func withRename(_ body: (URL) throws -> Void) throws {
        try withFolder { folder in
            let source = Self.source
            let bundle = folder.appending(path: "App/Shop.xcdatamodeld")
            try writeBundle(["Shop": source], at: bundle)
            #expect(try momtool("lock", in: folder).status == 0)
            let renamed = source.replacing(#"name="title""#, with: #"name="titles""#)
            try writeBundle(["Shop": source, "Shop 2": renamed], at: bundle)
            try body(folder)
        }
    }

    @Test func `the command of the summary is typed as it stands`() throws {
        try withRename { folder in
            try expectRun("check", in: folder, nil, "; momtool lint --fix cures 1\n")
            try expectRun("check App", in: folder, nil, "; momtool lint App --fix cures 1\n")
            let all = try momtool("lint", in: folder)
            #expect(all.output == (try momtool("lint .", in: folder)).output)
            #expect(all.output.contains("[undeclared-rename]"))
            let fixed = try expectRun("lint --fix", in: folder, 0)
            #expect(
                fixed.errors.contains(
                    "contents:5:9: fixed: set the renaming identifier of 'titles' to 'title'; this is a guess"
                ),
                "\(fixed.errors)"
            )
            try expectRun("check", in: folder, nil, not: ["--fix cures"])
        }
    }

    @Test func `JSON has what was fixed`() throws {
        try withRename { folder in
            let before = try momtool("lint --format json", in: folder)
            let none = try JSONDecoder().decode(Report.self, from: Data(before.output.utf8))
            #expect(none.fixed == nil)
            let run = try momtool("lint --fix --format json", in: folder)
            let report = try JSONDecoder().decode(Report.self, from: Data(run.output.utf8))
            #expect(
                report.fixed == [
                    .init(
                        fix: "set the renaming identifier of 'titles' to 'title'",
                        path: "App/Shop.xcdatamodeld/Shop 2.xcdatamodel/contents",
                        line: 5,
                        isGuess: true
                    )
                ],
                "\(run.output)"
            )
        }
    }

    @Test func `a folder without a model is refused`() throws {
        try withFolder { folder in
            let run = try momtool("lint", in: folder)
            #expect(run.status == 66 || run.status == 64, "\(run.errors)")
            #expect(!run.errors.contains("missing expected argument"), "\(run.errors)")
        }
    }

    @Test func `a mandatory value without a default names the model`() throws {
        try withFolder { folder in
            let source = EditedShop.source
            let new = source.replacing(
                #"<attribute name="label""#,
                with: #"<attribute name="key" attributeType="String"/><attribute name="label""#
            )
            let bundle = folder.appending(path: "Book Shop.xcdatamodeld")
            try writeBundle(["Shop": source, "Shop 2": new], at: bundle)
            let path = ["lint", "Book Shop.xcdatamodeld"]
            let lint = try momtool(path, in: folder)
            #expect(
                lint.output.contains(
                    "momtool model set 'Book Shop.xcdatamodeld' Stop.key --default '<VALUE>'"
                ),
                "\(lint.output)"
            )
            try writeBundle(["Shop": source, "Shop 2": new], current: "Shop", at: bundle)
            let other = try momtool(path + ["--all-versions"], in: folder)
            #expect(
                other.output.contains(
                    "momtool model set 'Book Shop.xcdatamodeld#Shop 2' Stop.key --default '<VALUE>'"
                ),
                "\(other.output)"
            )
        }
    }
}

struct RepositoryLintTests {
    private let faulty = """
        <model>
        <entity name='A'><relationship name='next' maxCount='1' optional='YES' destinationEntity='A'/></entity>
        </model>
        """

    @Test func `every model below a folder is checked, and what tools made is left out`() throws {
        try withFolder { folder in
            for path in [
                "App/Shop.xcdatamodeld/Shop.xcdatamodel/contents",
                "Kit/Sources/B.xcdatamodel/contents",
                ".build/checkouts/Other/C.xcdatamodel/contents", ".git/D.xcdatamodel/contents",
            ] { try write(faulty, path, in: folder) }
            let result = try expectRun("lint . --fail-on note", in: folder, 1)
            let findings = result.output.matches(of: #/(?m)^([^ :]+):[0-9]+:[0-9]+: /#)
            let paths = Set(findings.map { String($0.output.1) })
            #expect(
                paths == [
                    "App/Shop.xcdatamodeld/Shop.xcdatamodel/contents",
                    "Kit/Sources/B.xcdatamodel/contents",
                ],
                "\(result.output)"
            )
            #expect(result.output.contains("2 models: "))
            let above = try momtool("lint Kit", in: folder)
            #expect(above.output.contains("Kit/Sources/B.xcdatamodel/contents:2:"))
            #expect(!above.output.contains("Shop.xcdatamodeld"))
        }
    }

    @Test func `a model that cannot be read does not hide what is wrong with the others`() throws {
        try withFolder { folder in
            try write("<model", "A.xcdatamodel/contents", in: folder)
            try write(faulty, "B.xcdatamodel/contents", in: folder)
            let result = try momtool("lint .", in: folder)
            #expect(result.status != 0)
            #expect(result.output.contains("B.xcdatamodel/contents:2:"))
            #expect((result.output + result.errors).contains("A.xcdatamodel/contents:1:"))
        }
    }

    @Test func `settings count for the models below them alone`() throws {
        try withFolder { folder in
            try write(faulty, "App/A.xcdatamodel/contents", in: folder)
            try write(faulty, "Kit/B.xcdatamodel/contents", in: folder)
            try write("lint:\n  rules:\n    missing-inverse: off\n", "Kit/.momtool.yml", in: folder)
            let result = try momtool("lint .", in: folder)
            let lines = result.output.split(separator: "\n").filter {
                $0.contains("[missing-inverse]")
            }
            #expect(lines.count == 1)
            #expect(lines.first?.contains("App/A.xcdatamodel") == true, "\(result.output)")
        }
    }
}

struct SafeFixTests {
    private static func model(_ more: String = "") -> String {
        """
        <model>
        <entity name="A">
            <attribute name="a" optional="YES" attributeType="String" renamingIdentifier="b"/>
            \(more)
        </entity>
        </model>

        """
    }

    private func inFolder(_ body: (URL) throws -> Void) throws {
        try withFolder { folder in
            let more = "<attribute name=\"c\" optional=\"YES\" attributeType=\"String\"/>"
            try writeBundle([Self.model(), Self.model(more)], "M.xcdatamodeld", in: folder)
            try body(folder)
        }
    }

    private func text(_ version: String, _ folder: URL) throws -> String {
        let file = folder.appending(path: "M.xcdatamodeld/\(version).xcdatamodel/contents")
        return try fileText(file)
    }

    @Test(arguments: [true, false])
    func `a literal identifier of a name that stays is taken away, and what shipped stays`(
        isLocked: Bool
    ) throws {
        try inFolder { folder in
            if isLocked {
                #expect(try momtool("lock M.xcdatamodeld --unshipped V2", in: folder).status == 0)
            }
            try expectRun("lint M.xcdatamodeld", in: folder, 0)
            let all = try momtool("lint M.xcdatamodeld --all-versions", in: folder)
            #expect(all.output.contains("; --fix cures 1\n"), "\(all.output)")
            let fixed = try momtool("lint M.xcdatamodeld --all-versions --fix", in: folder)
            let reason = isLocked ? "not fixed: 'V1' is locked" : "not fixed: A.a: "
            #expect(fixed.errors.contains(reason), "\(fixed.output)\(fixed.errors)")
            #expect(try text("V1", folder) == Self.model())
            let second = try text("V2", folder)
            #expect(!second.contains("renamingIdentifier") && !second.contains("elementID"))
            try expectRun("plan M.xcdatamodeld --from V1", in: folder, nil, not: ["loses data"])
        }
    }

    @Test func `a literal identifier that declares a rename becomes one that counts`() throws {
        try inFolder { folder in
            let renamed = Self.model().replacing("name=\"a\"", with: "name=\"new\"")
                .replacing("renamingIdentifier=\"b\"", with: "renamingIdentifier=\"a\"")
            try writeBundle(
                [Self.model().replacing(" renamingIdentifier=\"b\"", with: ""), renamed],
                "M.xcdatamodeld",
                in: folder
            )
            #expect(try momtool("lint M.xcdatamodeld", in: folder).status == 1)
            try expectRun("lint M.xcdatamodeld --fix", in: folder, 0)
            #expect(try text("V2", folder).contains("elementID=\"a\""))
        }
    }
}
