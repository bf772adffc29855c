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
            try writeBundle(["Shop": source], current: "Shop", at: bundle)
            #expect(try momtool(["lock"], in: folder).status == 0)
            let renamed = source.replacing(#"name="title""#, with: #"name="titles""#)
            try writeBundle(["Shop": source, "Shop 2": renamed], current: "Shop 2", at: bundle)
            try body(folder)
        }
    }

    @Test func `the command of the summary is typed as it stands`() throws {
        try withRename { folder in
            let check = try momtool(["check"], in: folder)
            #expect(check.output.contains("; momtool lint --fix cures 1\n"), "\(check.output)")
            let part = try momtool(["check", "App"], in: folder)
            #expect(part.output.contains("; momtool lint App --fix cures 1\n"), "\(part.output)")
            let all = try momtool(["lint"], in: folder)
            #expect(all.output == (try momtool(["lint", "."], in: folder)).output)
            #expect(all.output.contains("[undeclared-rename]"))
            let fixed = try momtool(["lint", "--fix"], in: folder)
            #expect(fixed.status == 0, "\(fixed.output)\(fixed.errors)")
            #expect(
                fixed.errors.contains(
                    "contents:5:9: fixed: set the renaming identifier of 'titles' to 'title'; this is a guess"
                ),
                "\(fixed.errors)"
            )
            let after = try momtool(["check"], in: folder)
            #expect(!after.output.contains("--fix cures"), "\(after.output)")
        }
    }

    @Test func `JSON has what was fixed`() throws {
        try withRename { folder in
            let before = try momtool(["lint", "--format", "json"], in: folder)
            let none = try JSONDecoder().decode(Report.self, from: Data(before.output.utf8))
            #expect(none.fixed == nil)
            let run = try momtool(["lint", "--fix", "--format", "json"], in: folder)
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
            let run = try momtool(["lint"], in: folder)
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
            try writeBundle(["Shop": source, "Shop 2": new], current: "Shop 2", at: bundle)
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
