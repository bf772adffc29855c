import Foundation
import TestSupport
import Testing

/// What a team meets that works on a model in branches, with releases and stages.
struct TeamTests {
    @Test func `a removed custom stage is reported`() throws {
        try withFolder { folder in
            try writeBundle(
                [textModel("A", ["a"]), textModel("A", ["a", "b"])],
                "M.xcdatamodeld",
                in: folder
            )
            try write("UPDATE A SET b = a;\n", "did.sql", in: folder)
            try write("stages: [Stages.yml]\n", ".momtool.yml", in: folder)
            let model = "model: M.xcdatamodeld\nstages:\n"
            let custom = "  - custom: {from: V1, to: V2}\n    didMigrate: did.sql\n"
            try write(model + custom, "Stages.yml", in: folder)
            try makeRepository(folder)
            try commit("one", in: folder)
            try expectRun("check --against HEAD", in: folder, 0, not: ["[changed-since]"])
            try write(model + "  - lightweight: [V1, V2]\n", "Stages.yml", in: folder)
            try expectRun("check --against HEAD", in: folder, 1, "Stages.yml: warning: ", "'V2'")
            try write("{}\n", ".momtool.yml", in: folder)
            try FileManager.default.removeItem(at: folder.appending(path: "Stages.yml"))
            try expectRun("check --against HEAD", in: folder, 1, "[changed-since]")
        }
    }

    @Test func `a branch removes nothing that the other one gained since; a release counts itself`()
        throws
    {
        try withFolder { folder in
            try writeBundle([textModel("A", ["a"])], "M.xcdatamodeld", in: folder)
            try expectRun("lock .", in: folder, 0)
            try makeRepository(folder)
            try commit("one", in: folder)
            try git("checkout", "-q", "-b", "change", in: folder)
            try write("x", "Other.txt", in: folder)
            try commit("other", in: folder)
            try git("checkout", "-q", "main", in: folder)
            try writeBundle(
                [textModel("A", ["a"]), textModel("A", ["a", "b"])],
                "M.xcdatamodeld",
                in: folder
            )
            try expectRun("lock .", in: folder, 0)
            try commit("two", in: folder)
            try git("tag", "v2.0", in: folder)
            try git("checkout", "-q", "change", in: folder)
            try expectRun("check --against main", in: folder, 0, not: ["[locked-version-removed]"])
            try writeBundle([textModel("A", ["b"])], "M.xcdatamodeld", in: folder)
            try expectRun("check --against main", in: folder, 1, "since main~1: ")
            try expectRun("check --against v2.0", in: folder, 1, "[locked-version-removed]")
        }
    }

    @Test(arguments: ["check .", "lint .", "lock --check ."])
    func `inside a bundle the whole of it is judged`(_ command: String) throws {
        try withFolder { folder in
            let bundle = folder.appending(path: "M.xcdatamodeld")
            try writeBundle([textModel("A", ["a"])], "M.xcdatamodeld", in: folder)
            try expectRun("lock .", in: folder, 0)
            try expectRun(command, in: bundle, 0)
            try writeBundle([textModel("A", ["b"])], "M.xcdatamodeld", in: folder)
            try expectRun(command, in: bundle, 1, "[locked-version-edited]")
        }
    }

    /// Writes a model of versions with ever more attributes, and commits it.
    private func commitVersions(_ count: Int, in folder: URL) throws {
        let names = ["a", "b", "c", "d"]
        let versions = (1...count).map { textModel("A", Array(names.prefix($0))) }
        try writeBundle(versions, "M.xcdatamodeld", in: folder)
        try commit("\(count)", in: folder)
    }

    @Test
    func `a first lock has what releases had, and one of a version that has not shipped is undone`()
        throws
    {
        try withFolder { folder in
            try makeRepository(folder)
            try commitVersions(1, in: folder)
            try tag("v1", in: folder)
            try commitVersions(2, in: folder)
            let lock = folder.appending(path: "M.xcdatamodeld.lock")
            func locked() throws -> [String] {
                try fileText(lock).split(separator: "\n").filter { $0.hasPrefix("version ") }
                    .map { String($0.dropFirst(8)) }
            }
            try expectRun("init", in: folder, 0, "'V2' is")
            #expect(try locked() == ["V1"])
            try FileManager.default.removeItem(at: lock)
            try expectRun("lock", in: folder, 0, "left out: V2")
            #expect(try locked() == ["V1"])
            try expectRun("lock", in: folder, 0, "1 new")
            #expect(try locked() == ["V1", "V2"])
            let edited = [textModel("A", ["a"]), textModel("A", ["a", "z"])]
            try writeBundle(edited, "M.xcdatamodeld", in: folder)
            try expectRun("check", in: folder, 1, "momtool lock M.xcdatamodeld --unshipped V2")
            try expectRun("lock M.xcdatamodeld --unshipped V2", in: folder, 0, "0 new")
            #expect(try locked() == ["V1"])
            try expectRun("lint M.xcdatamodeld", in: folder, 0)
            try expectRun("init", in: folder, 0, "nothing to")
            try expectRun("lock M.xcdatamodeld --unshipped V1", in: folder, 3, errors: ["v1"])
        }
    }

    @Test func `nothing is a new name for what an edit added to a shipped version`() throws {
        try withFolder { folder in
            try writeBundle([textModel("A", ["a"])], "M.xcdatamodeld", in: folder)
            try makeRepository(folder)
            try expectRun("lock", in: folder, 0)
            for (edit, isRename) in [(["a", "z"], false), (["z"], false), (["a"], true)] {
                let new = isRename ? ["b"] : ["a", "b"]
                let versions = [textModel("A", edit), textModel("A", new)]
                try writeBundle(versions, "M.xcdatamodeld", in: folder)
                let check = try momtool(["check"], in: folder)
                let rules = ["[undeclared-rename]", "[data-loss]", "[migration-test-failed]"]
                let found = rules.contains(where: check.output.contains)
                #expect(found == isRename, "\(check.output)")
                #expect(check.output.contains("[locked-version-edited]") != isRename)
                _ = try momtool(["lint", "M.xcdatamodeld", "--fix"], in: folder)
                let text = try fileText(
                    folder.appending(path: "M.xcdatamodeld/V2.xcdatamodel/contents")
                )
                #expect(text.contains("elementID") == isRename)
            }
        }
    }

    @Test func `an edit of a shipped version is undone, as no allowed loss opens its stores`()
        throws
    {
        try withFolder { folder in
            let first = textModel("A", ["a"])
            try writeBundle(
                [first, textModel("A", ["a", "b", "c"])],
                "M.xcdatamodeld",
                in: folder
            )
            try makeRepository(folder)
            try commit("one", in: folder)
            try tag("v1", in: folder)
            try writeBundle([first, textModel("A", ["a", "b"])], "M.xcdatamodeld", in: folder)
            let advice = "undo the edit, and make it in a new version"
            try expectRun("check --against HEAD", in: folder, 1, advice, not: ["losses:"])
        }
    }

    @Test func `releases after the commit that is checked out are not missed`() throws {
        try withFolder { folder in
            try makeRepository(folder)
            try commitVersions(1, in: folder)
            try tag("v1", in: folder)
            try commitVersions(2, in: folder)
            try tag("v2", in: folder)
            try git("checkout", "-q", "v1", in: folder)
            try expectRun("check", in: folder, 0, "1 version,", not: ["missing"])
        }
    }

    @Test func `an allowed loss is not asked for again`() throws {
        try withFolder { folder in
            let versions = [textModel("A", ["a", "b"]), textModel("A", ["a"])]
            try writeBundle([versions[0]], "M.xcdatamodeld", in: folder)
            try commit("one", in: folder)
            try writeBundle(versions, "M.xcdatamodeld", in: folder)
            let rows = #"{"A": [{"@id": "p1", "b": "x"}]}"#
            try write(rows, "Rows.json", in: folder)
            try expectRun(
                "create S.sqlite --model M.xcdatamodeld#V1 --rows Rows.json",
                in: folder,
                0
            )
            let option = "--allow-data-loss"
            let commands = [
                "plan M.xcdatamodeld --store S.sqlite", "doctor S.sqlite --model M.xcdatamodeld",
            ]
            for command in commands { try expectRun(command, in: folder, 1, option) }
            try write("losses: {V2: [A.b]}\n", ".momtool.yml", in: folder)
            for command in commands {
                try expectRun(command, in: folder, nil, "A.b", ".momtool.yml", not: [option])
            }
            let diff = "diff M.xcdatamodeld --against HEAD"
            try expectRun(diff, in: folder, 0, "allowed losses", "A.b")
        }
    }

    @Test func `losses are entries below the losses that a file has, and renames are none`() throws
    {
        try withFolder { folder in
            func model(_ names: String...) -> String { textModel("A", names) }
            try writeBundle([model("blurb", "pages", "userName")], "M.xcdatamodeld", in: folder)
            try expectRun("lock", in: folder, 0)
            let second = model("username")
            try writeBundle(
                [model("blurb", "pages", "userName"), second],
                "M.xcdatamodeld",
                in: folder
            )
            try write("losses: {V2: [A.z], V1: [B]}\n", ".momtool.yml", in: folder)
            let run = try expectRun("lint M.xcdatamodeld", in: folder, 1, "[undeclared-rename]")
            let lines = run.output.split(separator: "\n").map(String.init)
            #expect(!lines.contains("losses:"))
            let entry = lines.first { $0.hasPrefix("  V2: [A.z, A.") } ?? ""
            #expect(entry.contains("A.blurb") && entry.contains("A.pages"), "\(run.output)")
            #expect(!entry.contains("A.userName"))
        }
    }

    @Test func `a refused step in a log is tested with each version`() throws {
        try withFolder { folder in
            let kept = textModel("A", ["a"])
            let dated = kept.replacing("String", with: "Date")
            let log = "NSCocoaErrorDomain Code=134140"
            try writeBundle([kept, dated], "M.xcdatamodeld", in: folder)
            let doctor = ["doctor", log, "--model", "M.xcdatamodeld"]
            try expectRun(doctor, in: folder, 1, "'V1' to 'V2'", "A.a")
            try expectRun("create S.sqlite --model M.xcdatamodeld#V1", in: folder, 0)
            try writeBundle([kept, textModel("A", ["a", "b"])], "M.xcdatamodeld", in: folder)
            try expectRun(doctor, in: folder, 1, "gives 134140")
            try write(log, "crash.log", in: folder)
            let both = "doctor S.sqlite crash.log --model M.xcdatamodeld"
            try expectRun(both, in: folder, 1, "this store:")
        }
    }

    @Test func `a merged version has no broken options in its comment`() throws {
        try withFolder { folder in
            let path = "M.xcdatamodeld/V2.xcdatamodel/contents"
            try write("", "base", in: folder)
            try write(textModel("A", ["a"]), "ours", in: folder)
            try write(textModel("A", ["b"]), "theirs", in: folder)
            let merge = "model merge base ours theirs -o merged --path \(path)"
            try expectRun(merge, in: folder, 1)
            let merged = try fileText(folder.appending(path: "merged"))
            #expect(merged.contains("<<<<<<< ours") && !merged.contains("- -"), "\(merged)")
        }
    }

    @Test func `an edit of a version that shipped hides what follows from it`() throws {
        try withFolder { folder in
            let old = textModel("A", ["a", "b"])
            try writeBundle([old, textModel("A", ["a", "b", "c"])], "M.xcdatamodeld", in: folder)
            try expectRun("lock", in: folder, 0)
            try writeBundle([old, textModel("A", ["a", "c"])], "M.xcdatamodeld", in: folder)
            let edited = "'A.b' was removed [locked-version-edited]"
            try expectRun(
                "lint M.xcdatamodeld",
                in: folder,
                1,
                edited,
                not: ["[data-loss]", "losses"]
            )
        }
    }
}
