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
                try Data(text.utf8).write(to: folder.appending(path: name))
            }
            let result = try momtool(
                ["model", "merge", "base", "ours", "theirs", "-o", "ours"],
                in: folder
            )
            #expect(result.status == 0 && result.errors.isEmpty && result.output.isEmpty)
            let text = try String(contentsOf: folder.appending(path: "ours"), encoding: .utf8)
            #expect(text == Self.model("a", "b", "c", tools: "2"))
            let refused = try momtool(
                ["model", "merge", "base", "ours", "theirs", "-o", "base"],
                in: folder
            )
            #expect(refused.status == 64)
        }
    }

    @Test func `what is no model is refused and leaves ours alone`() throws {
        try withFolder { folder in
            for (name, text) in [
                ("base", Self.model("a")), ("ours", Self.model("a", "b")), ("theirs", "<model"),
            ] {
                try Data(text.utf8).write(to: folder.appending(path: name))
            }
            let result = try momtool(
                ["model", "merge", "base", "ours", "theirs", "-o", "ours"],
                in: folder
            )
            #expect(result.status == 65)
            #expect(result.errors.contains("theirs: "))
            let text = try String(contentsOf: folder.appending(path: "ours"), encoding: .utf8)
            #expect(text == Self.model("a", "b"))
            let missing = try momtool(
                ["model", "merge", "base", "ours", "none", "-o", "x"],
                in: folder
            )
            #expect(missing.status == 66)
        }
    }

    @Test func `git merges branches by the driver of the guide`() throws {
        let guide = try String(
            contentsOf: pagesFolder.appending(path: "CheckingModels.md"),
            encoding: .utf8
        )
        let section = try #require(
            guide.components(separatedBy: "### As git's merge driver\n").last
        )
        let lines = section.components(separatedBy: "\n").drop { !$0.hasPrefix("```") }
        let setUp = lines.dropFirst().prefix { !$0.hasPrefix("```") }
        try withFolder { folder in
            let model = folder.appending(path: "Shop.xcdatamodeld/Shop 2.xcdatamodel")
            try FileManager.default.createDirectory(at: model, withIntermediateDirectories: true)
            func commit(_ text: String, _ name: String) throws {
                try Data(text.utf8).write(to: model.appending(path: "contents"))
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
                try String(contentsOf: file, encoding: .utf8)
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
            let text = try String(contentsOf: file, encoding: .utf8)
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
                try Data(model(row).utf8).write(to: folder.appending(path: name))
            }
            let run = try momtool(
                ["model", "merge", "base", "ours", "theirs", "-o", "result"],
                in: folder
            )
            #expect(run.status == 1, "\(run)")
            let text = try String(contentsOf: folder.appending(path: "result"), encoding: .utf8)
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
            try writeBundle(["V1": source("a")], current: "V1", at: bundle)
            try Data("**/contents merge=momtool\n".utf8)
                .write(to: folder.appending(path: ".gitattributes"))
            try git("init", "-qb", "main", in: folder)
            func commit() throws {
                try git("add", "-A", in: folder)
                try git("commit", "-qm", "x", in: folder)
            }
            try commit()
            try git("checkout", "-qb", "other", in: folder)
            try writeBundle(["V1": source("a"), "V2": source("a", "c")], current: "V2", at: bundle)
            try commit()
            try git("checkout", "-q", "main", in: folder)
            try writeBundle(["V1": source("a"), "V2": source("a", "b")], current: "V2", at: bundle)
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
            let applied = try momtool(["model", "apply", "M.xcdatamodeld", "ours.yml"], in: folder)
            #expect(applied.status == 0, "\(applied.errors)")
            let text = try String(contentsOf: folder.appending(path: path), encoding: .utf8)
            #expect(text.contains(row("b")) && text.contains(row("c")), "\(text)")
        }
    }
}
