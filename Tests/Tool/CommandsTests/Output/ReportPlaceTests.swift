import Foundation
import TestSupport
import Testing

struct ReportPlaceTests {
    private static let model = Corpus.package.appending(path: "Models/Library.xcdatamodeld").path
    private static let store = Corpus.package.appending(path: "Fixtures/Library-V1.sqlite").path

    @Test func `the extension of a file says the format of a report`() throws {
        try withFolder { folder in
            func report(_ arguments: String...) throws -> String {
                let file = try #require(arguments.last)
                let run = try momtool(arguments, in: folder)
                #expect(run.status == 1 || run.status == 0, "\(run.errors)")
                #expect(run.output == "", "\(arguments): \(run.output)")
                return try fileText(folder.appending(path: file))
            }
            let lint = ["lint", Self.model, "-o"]
            #expect(try report(lint[0], lint[1], lint[2], "a.json").hasPrefix("{"))
            #expect(try report(lint[0], lint[1], lint[2], "a.sarif").contains("sarif-2.1.0.json"))
            #expect(try report(lint[0], lint[1], lint[2], "a.md").hasPrefix("### momtool"))
            #expect(try report(lint[0], lint[1], lint[2], "a.txt").hasSuffix("cures 1\n"))
            let named = try report("lint", Self.model, "--format", "markdown", "-o", "b.txt")
            #expect(named.hasPrefix("### momtool lint: "))
            let cases = Corpus.package.appending(path: "Fixtures/Cases/entity-added")
            #expect(try report("test", cases.path, "-o", "t.xml").contains("<testsuite"))
            #expect(try report("skill", "-o", "s.md").hasPrefix("---\n"))
            #expect(try report("schema", "check", "-o", "s.json").hasPrefix("{"))
            #expect(try report("graph", Self.model, "-o", "a.mmd").hasPrefix("classDiagram"))
            #expect(try report("graph", Self.model, "-o", "a.dot").hasPrefix("digraph"))
            let old = try report("graph", Self.model, "--format", "dot", "-o", "a.page")
            #expect(old.hasPrefix("digraph"))
        }
    }

    @Test(
        arguments: [
            (["lint", model, "--format", "json", "--format", "sarif", "-o", "a"], "one report"),
            (["hash", model, "-o", "a.sarif"], "there is no report as sarif"),
            (["graph", model, "-o", "a.png"], "is none of .mmd"),
            (["verify", store, "-o", "a.docx"], "none of .json, .md, .sarif, .txt"),
            (["check", "-o", "a.docx"], "'a.docx' is none of "),
            (["test", "-o", "a.docx"], "'a.docx' is none of "),
            (["export", store, "--format", "json"], "name a file with -o"),
            (["lock", model, "--format", "sarif"], "--check has more formats"),
        ]
    )
    func `a place that fits no format is asked for`(arguments: [String], words: String) throws {
        try withFolder { folder in
            try expectRun(arguments, in: folder, 64, errors: [words])
            let left = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            #expect(left.isEmpty, "\(left)")
        }
    }

    @Test func `quiet leaves out what is neither asked for nor wrong`() throws {
        try withFolder { folder in
            let silent = [
                ["lint", Self.model + "#V2"], ["verify", Self.store],
                ["compile", Self.model, "-o", "Out"],
                ["create", "New.sqlite", "--model", Self.model],
                ["export", Self.store, "-o", "Rows.json"],
                ["migrate", Self.store, "--model", Self.model + "#V2", "-o", "V2.sqlite"],
                ["test", Corpus.package.path + "/Fixtures/Cases/attribute-renamed"],
            ]
            for arguments in silent {
                let loud = try momtool(arguments, in: folder)
                #expect(loud.status == 0 && loud.output != "", "\(arguments): \(loud.errors)")
            }
            for name in ["New.sqlite", "V2.sqlite"] {
                try FileManager.default.removeItem(at: folder.appending(path: name))
            }
            for arguments in silent {
                let run = try momtool(arguments + ["--quiet"], in: folder)
                #expect((run.status, run.output, run.errors) == (0, "", ""), "\(arguments)")
            }
            let found = try expectRun(["lint", Self.model, "-q"], 1)
            #expect(found.output.contains("[data-loss]") && !found.output.contains("cures"))
            #expect(try momtool("hash", Self.model, "-q").output.contains("checksum"))
        }
    }

    @Test func `what was checked is said where nothing was found`() throws {
        let clean = try momtool("lint", Self.model + "#V2").output
        #expect(clean.contains(/: 1 of 1 version, \d+ rules: nothing found\n$/), "\(clean)")
        let sound = try momtool("verify", Self.store).output
        #expect(sound.contains(/: \d+ rows of \d entities: nothing found\n$/), "\(sound)")
    }
}

struct RepositoryPathTests {
    private func withApps(_ body: (URL) throws -> Void) throws {
        try withFolder { folder in
            try git("init", "-q", "-b", "main", in: folder)
            let apps = folder.appending(path: "apps")
            let text = """
                <model><entity name='A'>
                <relationship name='b' optional='YES' maxCount='1' destinationEntity='A'/>
                </entity></model>
                """
            try writeBundle(["V": text], "dw/M.xcdatamodeld", in: apps)
            try write("lint: {rules: {missing-inverse: warning}}\n", ".momtool.yml", in: apps)
            try body(apps)
        }
    }

    private static let file = "apps/dw/M.xcdatamodeld/V.xcdatamodel/contents"

    @Test(arguments: ["dw", "../apps/dw", "./dw", "/"])
    func `annotations, SARIF and GitLab's report do so for every way to name a path`(
        path: String
    ) throws {
        try withApps { apps in
            let path = path == "/" ? apps.appending(path: "dw").path : path
            let run = try momtool(
                "check \(path) --format github --format sarif=a.sarif --format "
                    + "gitlab=a.json --format json=b.json --comment c.md",
                in: apps
            )
            #expect(run.status == 1, "\(run.errors)")
            #expect(run.output.contains("::warning file=\(Self.file),line=2"), "\(run.output)")
            for name in ["a.sarif", "a.json", "c.md"] {
                let file = apps.appending(path: name)
                let text = try fileText(file)
                #expect(text.contains(Self.file), "\(name): \(text)")
                #expect(!text.contains("../apps"), "\(name)")
            }
            // Output for people and programs here keeps the given names.
            let json = try fileText(apps.appending(path: "b.json"))
            #expect(!json.contains("\"\(Self.file)"), "\(json)")
        }
    }

    @Test func `a failure and a broken case are named so too`() throws {
        try withApps { apps in
            let missing = try momtool("lint No.xcdatamodeld --format github", in: apps)
            #expect(missing.output.contains("file=apps/No.xcdatamodeld"), "\(missing.output)")
            try write("model: No.xcdatamodeld\nfrom: V1\n", "Cases/a/case.yml", in: apps)
            try expectRun("test Cases --format github", in: apps, nil, "file=apps/Cases/a/case.yml")
        }
    }
}

struct CommentNoteTests {
    private static let link = """
        <relationship name="next" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Item"/>
        </entity>
        """

    private func source(_ attributes: String) -> String {
        ShopVersions.source("a", "b").replacing("</entity>", with: attributes + Self.link)
    }

    private func comment(in folder: URL) throws -> String {
        _ = try momtool("check --against base --comment C.md", in: folder)
        return try fileText(folder.appending(path: "C.md"))
    }

    @Test func `notes that the revision has are left out, and changes are told once`() throws {
        try withFolder { folder in
            try ShopVersions.write([source("")], in: folder)
            #expect(try momtool("lock", in: folder).status == 0)
            try ShopVersions.commit(in: folder)
            let more = "<attribute name='c' optional='YES' attributeType='String'/>"
            let other =
                "<relationship name='last' optional='YES' maxCount='1' deletionRule='Nullify' destinationEntity='Item'/>"
            try ShopVersions.write([source(""), source(more + other)], in: folder)
            try expectRun("check --against base", in: folder, nil, "give 'next' an inverse")
            let text = try comment(in: folder)
            #expect(text.contains("Left out: 1 note that was there at `base` already."), "\(text)")
            #expect(!text.contains("give 'next' an inverse"), "\(text)")
            #expect(text.contains("give 'last' an inverse"), "\(text)")
            #expect(!text.contains("changed-since"), "\(text)")
        }
    }

    @Test func `an edit of what shipped opens no store, and is no migration`() throws {
        try withFolder { folder in
            try ShopVersions.write([ShopVersions.source("a", "b")], in: folder)
            #expect(try momtool("lock", in: folder).status == 0)
            try ShopVersions.commit(in: folder)
            try ShopVersions.write([ShopVersions.source("a")], in: folder)
            let text = try comment(in: folder)
            #expect(text.contains("V1: **stores of it do not open**"), "\(text)")
            #expect(text.contains("V1 shipped and was edited in place"), "\(text)")
            let check = try momtool("check", in: folder)
            #expect(check.output.contains("stores of it do not open as long as it is so (134130)"))
            let versions = [ShopVersions.source("a", "b"), ShopVersions.source("a")]
            try ShopVersions.write(versions, in: folder)
            let step = try comment(in: folder)
            #expect(step.contains("V2: **loses data**"), "\(step)")
        }
    }
}
