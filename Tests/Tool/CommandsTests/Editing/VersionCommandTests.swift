import Foundation
import TestSupport
import Testing

struct VersionCommandTests {
    private static let project = """
        // !$*UTF8*$!
        {
        \tarchiveVersion = 1;
        \tobjects = {

        /* Begin PBXBuildFile section */
        \t\tAA0000000000000000000009 /* Shop.xcdatamodeld in Sources */ = {isa = PBXBuildFile; fileRef = AA0000000000000000000001 /* Shop.xcdatamodeld */; };
        /* End PBXBuildFile section */

        /* Begin PBXFileReference section */
        \t\t000000000000000000000001 /* App.swift */ = {isa = PBXFileReference; lastKnownFileType = sourcecode.swift; path = App.swift; sourceTree = "<group>"; };
        \t\tAA0000000000000000000002 /* Shop.xcdatamodel */ = {isa = PBXFileReference; lastKnownFileType = wrapper.xcdatamodel; path = Shop.xcdatamodel; sourceTree = "<group>"; };
        \t\tAA0000000000000000000003 /* Shop 2.xcdatamodel */ = {isa = PBXFileReference; lastKnownFileType = wrapper.xcdatamodel; path = "Shop 2.xcdatamodel"; sourceTree = "<group>"; };
        \t\tFFFFFFFFFFFFFFFFFFFFFFFF /* Last.swift */ = {isa = PBXFileReference; lastKnownFileType = sourcecode.swift; path = Last.swift; sourceTree = "<group>"; };
        /* End PBXFileReference section */

        /* Begin PBXGroup section */
        \t\tAA0000000000000000000004 = {
        \t\t\tisa = PBXGroup;
        \t\t\tchildren = (
        \t\t\t\t000000000000000000000001 /* App.swift */,
        \t\t\t\tAA0000000000000000000001 /* Shop.xcdatamodeld */,
        \t\t\t);
        \t\t\tsourceTree = "<group>";
        \t\t};
        /* End PBXGroup section */

        /* Begin XCVersionGroup section */
        \t\tAA0000000000000000000001 /* Shop.xcdatamodeld */ = {
        \t\t\tisa = XCVersionGroup;
        \t\t\tchildren = (
        \t\t\t\tAA0000000000000000000003 /* Shop 2.xcdatamodel */,
        \t\t\t\tAA0000000000000000000002 /* Shop.xcdatamodel */,
        \t\t\t);
        \t\t\tcurrentVersion = AA0000000000000000000003 /* Shop 2.xcdatamodel */;
        \t\t\tpath = Shop.xcdatamodeld;
        \t\t\tsourceTree = "<group>";
        \t\t\tversionGroupType = wrapper.xcdatamodel;
        \t\t};
        /* End XCVersionGroup section */
        \t};
        \trootObject = AA0000000000000000000005 /* Project object */;
        }

        """

    private func withProject(
        _ text: String = project,
        _ body: (EditedShop, URL) throws -> Void
    ) throws {
        try EditedShop.with { shop in
            let project = shop.folder.appending(path: "App.xcodeproj/project.pbxproj")
            try makeFolder(project.deletingLastPathComponent())
            try Data(text.utf8).write(to: project)
            // As Xcode writes it, so that undoing gives the first bytes.
            #expect(try shop.run("set-current", "Shop 2").status == 0)
            try body(shop, project)
        }
    }

    private func lines(of url: URL, against old: String) throws -> [String] {
        let new = try fileText(url)
        return new.components(separatedBy: "\n")
            .difference(from: old.components(separatedBy: "\n"))
            .map { change in
                switch change {
                case .remove(_, let line, _): "-" + line
                case .insert(_, let line, _): "+" + line
                }
            }
    }

    @Test func `lint --fix lists a version that a merge lost as making it would have`() throws {
        try withProject { shop, project in
            #expect(try shop.run("new-version").status == 0)
            let whole = try fileText(project)
            try Data(Self.project.utf8).write(to: project)
            let lint = ["lint", EditedShop.model, "-q"]
            #expect(try momtool(lint, in: shop.folder).output.contains("[version-not-in-project]"))
            try expectRun(lint + ["--fix"], in: shop.folder, nil, not: ["in-project]"])
            #expect(try fileText(project) == whole)
            #expect(try momtool(lint + ["--fix"], in: shop.folder).errors.isEmpty)
            try Data(Self.project.utf8).write(to: project)
            try write("name: App\n", "project.yml", in: shop.folder)
            try expectRun(lint + ["--fix"], in: shop.folder, nil, errors: ["XcodeGen makes it"])
            #expect(try fileText(project) == Self.project)
        }
    }

    @Test func `lint --fix names the current version that the project knows alone`() throws {
        try withProject { shop, _ in
            let list = shop.folder.appending(path: "\(EditedShop.model)/.xccurrentversion")
            let whole = try Data(contentsOf: list)
            try FileManager.default.removeItem(at: list)
            let lint = ["lint", EditedShop.model, "-q"]
            #expect(try momtool(lint, in: shop.folder).output.contains("[missing-current-version]"))
            let fixed = try momtool(lint + ["--fix"], in: shop.folder)
            #expect(!fixed.output.contains("[missing-current-version]"), "\(fixed.output)")
            #expect(try Data(contentsOf: list) == whole)
        }
    }

    @Test func `a new version is a copy, current, and entered in the project as Xcode does`() throws
    {
        try withProject { shop, project in
            let before = try shop.files()
            let run = try shop.run("new-version")
            #expect(run.status == 0, "\(run.errors)")
            #expect(run.output.contains("made 'Shop 3' from 'Shop 2', current"))
            #expect(try shop.text("Shop 3") == EditedShop.source)
            let changed = try lines(of: project, against: Self.project)
            let id = try #require(changed.first { $0.contains("isa = PBXFileReference") })
                .dropFirst(3).prefix(24)
            #expect(id.allSatisfy { $0.isHexDigit && !$0.isLowercase })
            let mark = "\(id) /* Shop 3.xcdatamodel */"
            #expect(
                Set(changed) == [
                    "+\t\t\(mark) = {isa = PBXFileReference; lastKnownFileType = wrapper.xcdatamodel; path = \"Shop 3.xcdatamodel\"; sourceTree = \"<group>\"; };",
                    "+\t\t\t\t\(mark),", "+\t\t\tcurrentVersion = \(mark);",
                    "-\t\t\tcurrentVersion = AA0000000000000000000003 /* Shop 2.xcdatamodel */;",
                ]
            )
            let text = try fileText(project)
            #expect(
                text.contains("children = (\n\t\t\t\t\(mark),\n\t\t\t\tAA0000000000000000000003")
            )
            let list = shop.folder.appending(path: "\(EditedShop.model)/.xccurrentversion")
            #expect(
                try fileText(list).hasSuffix(
                    "<dict>\n\t<key>_XCCurrentVersionName</key>\n\t<string>Shop 3.xcdatamodel</string>\n</dict>\n</plist>\n"
                )
            )
            let lint = try momtool("lint \(EditedShop.model)", in: shop.folder)
            let told = lint.output.split(separator: "\n").filter { $0.contains("pbxproj") }
            #expect(told.allSatisfy { $0.contains("model-not-in-target") }, "\(lint.output)")
            let undo = try shop.run("undo-version")
            #expect(undo.status == 0 && undo.output.contains("'Shop 2' is current"))
            #expect(try shop.files() == before)
        }
    }

    @Test func `a version is renamed, and renamed back, in every place`() throws {
        try withProject { shop, project in
            let before = try shop.files()
            #expect(try shop.run("rename-version", "Shop 2", "A & B").status == 0)
            let text = try fileText(project)
            #expect(!text.contains("Shop 2") && text.contains("path = \"A & B.xcdatamodel\";"))
            #expect(try shop.run("add", "entity", "Tag", "--dry-run").errors.contains("A & B"))
            #expect(try shop.run("rename-version", "A & B", "Shop 2").status == 0)
            #expect(try shop.files() == before)
        }
    }

    @Test func `another version is made current, and one that the project does not know`() throws {
        try withProject { shop, project in
            #expect(try shop.run("set-current", "Shop").status == 0)
            #expect(
                try lines(of: project, against: Self.project) == [
                    "-\t\t\tcurrentVersion = AA0000000000000000000003 /* Shop 2.xcdatamodel */;",
                    "+\t\t\tcurrentVersion = AA0000000000000000000002 /* Shop.xcdatamodel */;",
                ]
            )
            let bundle = shop.folder.appending(path: EditedShop.model)
            try copyFile(
                bundle.appending(path: "Shop.xcdatamodel"),
                to: bundle.appending(path: "Own.xcdatamodel")
            )
            #expect(try shop.run("set-current", "Own").status == 0)
            #expect(try fileText(project).contains("path = Own.xcdatamodel;"))
            let again = try shop.files()
            #expect(try shop.run("set-current", "Own").status == 0)
            #expect(try shop.files() == again)
        }
    }

    @Test func `a locked version is edited by making a new one first, in one call`() throws {
        try withProject { shop, project in
            #expect(try momtool("lock \(EditedShop.model)", in: shop.folder).status == 0)
            let before = try shop.files()
            let dry = try shop.run("add", "entity", "Tag", "--new-version", "--dry-run")
            #expect(dry.output.contains("copy from") && dry.output.contains("project.pbxproj"))
            #expect(try shop.files() == before)
            #expect(try shop.run("remove", "Stop", "--new-version").status == 3)
            #expect(try shop.files() == before)
            let run = try shop.run("add", "entity", "Tag", "--new-version")
            #expect(run.status == 0 && run.output.contains("Shop 2 → Shop 3: lightweight"))
            #expect(try shop.text("Shop 3").contains("Tag"))
            #expect(try shop.text("Shop 2") == EditedShop.source)
            #expect(try shop.run("undo-version", "Shop 2").status == 3)
            #expect(try shop.run("undo-version").status == 0)
            #expect(try shop.files() == before)
        }
    }

    @Test func `a project that cannot be edited surely is left alone, and the lines are told`()
        throws
    {
        let odd = Self.project.replacing(
            "/* End PBXFileReference section */",
            with: "/* End PBXFileReference section */\n/* End PBXFileReference section */"
        )
        try withProject(odd) { shop, project in
            let run = try shop.run("new-version", "V3", "--keep-current")
            #expect(run.status == 0 && run.errors.contains("left alone"), "\(run.errors)")
            #expect(run.errors.contains("isa = PBXFileReference; lastKnownFileType"))
            #expect(try fileText(project) == odd)
            #expect(try shop.text("V3") == EditedShop.source)
        }
        try withProject { shop, project in
            let manifest = shop.folder.appending(path: "project.yml")
            try Data("name: App\n".utf8).write(to: manifest)
            let run = try shop.run("new-version")
            #expect(run.status == 0 && run.errors.contains("XcodeGen"), "\(run.errors)")
            #expect(try fileText(project) == Self.project)
        }
    }

    @Test(
        arguments: [
            "", ".", "..", "../x", "a/b", "Shop", "SHOP 2", "a\u{1B}b", "a\nb", " a", ".hidden",
            String(repeating: "x", count: 300), "Shop.xcdatamodel",
        ]
    )
    func `a name that cannot be one, or is taken, is refused`(name: String) throws {
        try withProject { shop, _ in
            let before = try shop.files()
            for words in [["new-version"], ["rename-version", "Shop"]] {
                let run = try momtool(
                    ["model", words[0], EditedShop.model] + words.dropFirst() + [name],
                    in: shop.folder
                )
                #expect([3, 64].contains(run.status), "\(name) \(run.status) \(run.errors)")
                #expect(!run.errors.contains("\u{1B}"))
            }
            #expect(try shop.files() == before)
        }
    }

    @Test func `numbers go on, and a model without a bundle has no versions`() throws {
        try withFolder { folder in
            let names = ["V09": "V10", "Model": "Model 2", "App 9": "App 10", "1.4": "1.5"]
            for (name, next) in names.sorted(by: { $0.key < $1.key }) {
                let bundle = folder.appending(path: "\(next).xcdatamodeld")
                try writeBundle([name: EditedShop.source], current: name, at: bundle)
                let run = try momtool(["model", "new-version", "\(next).xcdatamodeld"], in: folder)
                #expect(run.output.contains("made '\(next)' from '\(name)'"), "\(run.errors)")
                let undo = try momtool(
                    ["model", "undo-version", "\(next).xcdatamodeld", name],
                    in: folder
                )
                #expect(undo.status == 0)
                let last = try momtool(
                    ["model", "undo-version", "\(next).xcdatamodeld"],
                    in: folder
                )
                #expect(last.status == 3 && last.errors.contains("only version"))
            }
            let lone = folder.appending(path: "Lone.xcdatamodel")
            try makeFolder(lone)
            try write(EditedShop.source, "contents", in: lone)
            let run = try momtool("model new-version Lone.xcdatamodel", in: folder)
            #expect(run.status == 3 && run.errors.contains(".xcdatamodeld"))
            let edit = try momtool("model rename Lone.xcdatamodel Stop.label caption", in: folder)
            #expect(edit.status == 0 && edit.output.hasSuffix("lightweight\n"), "\(edit.output)")
        }
    }

    @Test func `a folder stands for its one model, and of several none is guessed`() throws {
        try withFolder { folder in
            let app = folder.appending(path: "App")
            try writeBundle(["<model><entity name='A'/></model>"], "Shop.xcdatamodeld", in: app)
            let sources = app.appending(path: "Journal")
            try makeFolder(sources)
            try write(
                "import SwiftData\n@Model class Note { var text = \"\" }\n",
                "Note.swift",
                in: sources
            )
            let one = try expectRun("model new-version App", in: folder, 0)
            #expect(one.output.hasPrefix("App/Shop.xcdatamodeld: made 'V2' from 'V1'"))
            let add = ["model", "add", "App#V2", "entity", "B"]
            #expect(try momtool(add, in: folder).status == 0)
            try writeBundle(["<model/>"], "Other.xcdatamodeld", in: app)
            let before = try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted()
            for words in [
                ["model", "new-version", "App"], ["model", "undo-version", "App"],
                ["model", "rename", "App", "A", "C"],
                ["model", "set-current", "App", "V1"],
                ["model", "add", "App", "entity", "C"], ["model", "remove", "App", "entity", "A"],
                ["compile", "App", "-o", "Out"], ["inspect", "App"],
                ["plan", "App", "--from", "V1"],
            ] {
                let run = try expectRun(words, in: folder, 64)
                let said = "the folder holds 2 models; name one: Other.xcdatamodeld, Shop."
                #expect(run.errors.contains(said), "\(words): \(run.errors)")
            }
            #expect(
                try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted() == before
            )
        }
    }
}
