import Foundation
import TestSupport
import Testing

struct MergeCommandTests {
    private static func model(_ names: String..., tools: String = "1") -> String {
        let rows = names.map { name in
            let parts = name.split(separator: "=")
            let value = parts.count > 1 ? " defaultValueString=\"\(parts[1])\"" : ""
            return "        <attribute name=\"\(parts[0])\" attributeType=\"String\"\(value)/>\n"
        }
        return """
            <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
            <model lastSavedToolsVersion="\(tools)">
                <entity name="A" syncable="YES">
            \(rows.joined())    </entity>
            </model>

            """
    }

    @Test func `both additions stay, and the file of ours may take the result`() throws {
        try withFolder { folder in
            for (name, text) in [
                ("base", Self.model("a")), ("ours", Self.model("a", "b", tools: "2")),
                ("theirs", Self.model("a", "c")),
            ] {
                try write(text, name, in: folder)
            }
            let result = try momtool("model merge base ours theirs -o ours", in: folder)
            #expect(result.status == 0 && result.errors.isEmpty && result.output.isEmpty)
            let text = try fileText(folder.appending(path: "ours"))
            #expect(text == Self.model("a", "b", "c", tools: "2"))
            #expect(try momtool("model merge base ours theirs -o base", in: folder).status == 64)
        }
    }

    @Test func `what is no model is refused and leaves ours alone`() throws {
        try withFolder { folder in
            for (name, text) in [
                ("base", Self.model("a")), ("ours", Self.model("a", "b")), ("theirs", "<model"),
            ] {
                try write(text, name, in: folder)
            }
            let result = try momtool("model merge base ours theirs -o ours", in: folder)
            #expect(result.status == 65)
            #expect(result.errors.contains("theirs: "))
            #expect(try fileText(folder.appending(path: "ours")) == Self.model("a", "b"))
            #expect(try momtool("model merge base ours none -o x", in: folder).status == 66)
        }
    }

    @Test func `git merges branches by the driver of the guide`() throws {
        let guide = try fileText(pagesFolder.appending(path: "CheckingModels.md"))
        let section = try #require(
            guide.components(separatedBy: "### As git's merge driver\n").last
        )
        let lines = section.components(separatedBy: "\n").drop { !$0.hasPrefix("```") }
        let setUp = lines.dropFirst().prefix { !$0.hasPrefix("```") }
        try withFolder { folder in
            let model = folder.appending(path: "Shop.xcdatamodeld/Shop 2.xcdatamodel")
            try makeFolder(model)
            func commit(_ text: String, _ name: String) throws {
                try write(text, "contents", in: model)
                try git("add", "-A", in: folder)
                try git("commit", "-qm", name, in: folder)
            }
            try git("init", "-q", "-b", "main", in: folder)
            let script =
                ["set -e"]
                + setUp.map {
                    $0.replacing(
                        "'momtool model merge",
                        with: "'\(commandFolder)/momtool model merge"
                    )
                }
            let shell = URL(filePath: "/bin/sh")
            let made = try result(of: shell, ["-c", script.joined(separator: "\n")], in: folder)
            #expect(made.status == 0, "\(made.errors)")
            try commit(Self.model("a", "z"), "base")
            try git("checkout", "-qb", "side", in: folder)
            try commit(Self.model("a", "m", "z", tools: "3"), "side")
            try git("checkout", "-q", "main", in: folder)
            try commit(Self.model("a", "b", "z", tools: "2"), "main")
            let merged = try git("merge", "-q", "side", in: folder)
            #expect(merged.status == 0, "\(merged.output)\(merged.errors)")
            let file = model.appending(path: "contents")
            #expect(
                try fileText(file)
                    == Self.model("a", "b", "m", "z", tools: "3")
            )
            try git("checkout", "-qb", "other", in: folder)
            try commit(Self.model("a=1", "b", "m", "z"), "other")
            try git("checkout", "-q", "main", in: folder)
            try commit(Self.model("a=2", "b", "m", "z"), "again")
            let refused = try git("merge", "-q", "other", in: folder)
            #expect(refused.status != 0)
            #expect(
                (refused.output + refused.errors).contains(
                    "Shop 2.xcdatamodel/contents:4:9: error: A.a"
                )
            )
            let text = try fileText(file)
            #expect(text.contains("<!-- <<<<<<< ours") && text.contains("defaultValueString=\"1\""))
            try expectConflict(in: folder)
        }
    }

    /// Xcode opens a model with a conflict in comments; no command accepts it.
    private func expectConflict(in folder: URL) throws {
        for command in ["hash", "lint", "check"] {
            let read = try momtool([command, "Shop.xcdatamodeld"], in: folder)
            #expect(read.status == 1 || read.status == 65, "\(command): \(read.errors)")
            let line = "contents:4:9: error: unresolved merge conflict at line 4"
            let said = (read.output + read.errors).split(separator: "\n")
                .filter { $0.contains(line) }
            #expect(said.count == 1, "\(command): \(read.output)\(read.errors)")
        }
    }

    @Test func `of two types ours comes without what belongs to theirs`() throws {
        try withFolder { folder in
            func model(_ row: String) -> String {
                "<model>\n    <entity name=\"A\">\n\(row)    </entity>\n</model>\n"
            }
            let ours = "        <attribute name=\"a\" optional=\"YES\" attributeType=\"String\"/>\n"
            let theirs =
                "        <attribute name=\"a\" optional=\"YES\" attributeType=\"Integer 16\" usesScalarValueType=\"YES\"/>\n"
            for (name, row) in [("base", ""), ("ours", ours), ("theirs", theirs)] {
                try write(model(row), name, in: folder)
            }
            try expectRun("model merge base ours theirs -o result", in: folder, 1)
            let text = try fileText(folder.appending(path: "result"))
            #expect(text.contains("-->\n" + ours), "\(text)")
        }
    }

    @Test func `a version that both added says how ours goes on top of theirs, and that works`()
        throws
    {
        try withFolder { folder in
            func row(_ name: String) -> String {
                "<attribute name=\"\(name)\" optional=\"YES\" attributeType=\"String\"/>"
            }
            func source(_ names: String...) -> String {
                "<model><entity name=\"A\">\(names.map(row).joined())</entity></model>"
            }
            let bundle = folder.appending(path: "M.xcdatamodeld")
            let driver =
                "merge.momtool.driver=\(commandFolder)/momtool model merge %O %A %B -o %A --path %P"
            try writeBundle([source("a")], at: bundle)
            try write("**/contents merge=momtool\n", ".gitattributes", in: folder)
            try git("init", "-qb", "main", in: folder)
            func commit() throws {
                try git("add", "-A", in: folder)
                try git("commit", "-qm", "x", in: folder)
            }
            try commit()
            try git("checkout", "-qb", "other", in: folder)
            try writeBundle([source("a"), source("a", "c")], at: bundle)
            try commit()
            try git("checkout", "-q", "main", in: folder)
            try writeBundle([source("a"), source("a", "b")], at: bundle)
            try commit()
            let merged = try git("-c", driver, "merge", "other", in: folder)
            let path = "M.xcdatamodeld/V2.xcdatamodel/contents"
            let advice =
                "momtool diff HEAD:M.xcdatamodeld --format edits=ours.yml, then git checkout --theirs -- \(path), "
                + "then momtool model apply M.xcdatamodeld ours.yml"
            #expect((merged.output + merged.errors).contains(advice), "\(merged)")
            let edits = ["diff", "HEAD:M.xcdatamodeld", "--format", "edits=ours.yml"]
            #expect(try momtool(edits, in: folder).status == 0)
            try git("checkout", "--theirs", "--", path, in: folder)
            try expectRun("model apply M.xcdatamodeld ours.yml", in: folder, 0)
            let text = try fileText(folder.appending(path: path))
            #expect(text.contains(row("b")) && text.contains(row("c")), "\(text)")
        }
    }
}
