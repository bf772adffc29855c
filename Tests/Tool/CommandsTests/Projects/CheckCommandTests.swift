import Foundation
import TestSupport
import Testing

struct CheckCommandTests {
    private func text(_ path: String, in folder: URL) throws -> String {
        try String(contentsOf: folder.appending(path: path), encoding: .utf8)
    }

    @Test(arguments: ModelEdit.losing)
    func `a loss is red until it is named, and told once`(_ edit: ModelEdit) throws {
        try withFolder { folder in
            try edit.write(in: folder)
            let red = try momtool(["check"], in: folder)
            #expect(red.status == 1, "\(red.output)\(red.errors)")
            let errors = red.output.split(separator: "\n").filter { $0.contains(": error: ") }
            #expect(errors.count == 1, "\(red.output)")
            let loss = try #require(edit.loss)
            try write("losses:\n  Stops 2: [\(loss)]\n", ".momtool.yml", in: folder)
            let green = try momtool(["check"], in: folder)
            #expect(green.status == 0, "\(green.output)\(green.errors)")
            #expect(
                green.output.hasPrefix("")
                    && green.output.contains("1 model, 2 versions, 1 lock, 1 migration, 0 cases: ")
            )
        }
    }

    @Test func `a rename in another spelling is told once, and cured by a fix`() throws {
        try withFolder { folder in
            let edit = ModelEdit(
                "other spelling",
                "name=\"label\"",
                "name=\"caption\" renamingIdentifier=\"label\""
            )
            try edit.write(in: folder)
            let red = try momtool(["check"], in: folder)
            #expect(red.status == 1)
            let errors = red.output.split(separator: "\n").filter { $0.contains(": error: ") }
            #expect(errors.count == 1, "\(red.output)")
            #expect(errors.first?.hasSuffix("[literal-renaming-identifier]") == true)
            #expect(try momtool(["lock", "Stops.xcdatamodeld"], in: folder).status == 3)
            #expect(try momtool(["lint", ".", "--fix"], in: folder).status == 0)
            #expect(try momtool(["check"], in: folder).status == 0)
        }
    }

    @Test(arguments: ModelEdit.harmless)
    func `a harmless change is green with notes alone`(_ edit: ModelEdit) throws {
        try withFolder { folder in
            try edit.write(in: folder)
            let result = try momtool(["check"], in: folder)
            #expect(result.status == 0, "\(result.output)\(result.errors)")
            #expect(!result.output.contains("error: ") && !result.output.contains("warning: "))
        }
    }

    @Test func `models, locks and cases below a folder are found and counted`() throws {
        try withFolder { folder in
            try ModelEdit.harmless[0].write(in: folder)
            let written = try momtool(
                ["test", "Cases", "--new", "first", "--model", "Stops.xcdatamodeld"],
                in: folder
            )
            #expect(written.status == 0, "\(written.errors)")
            let result = try momtool(["check", ".", "--format", "junit"], in: folder)
            #expect(result.status == 0, "\(result.output)\(result.errors)")
            let text = try momtool(["check"], in: folder)
            #expect(
                text.output.contains("1 model, 2 versions, 1 lock, 1 migration, 1 case: "),
                "\(text.output)"
            )
            let file = "Cases/first/case.yml"
            let old = try self.text(file, in: folder)
            try write(old.replacing("from: Stops", with: "from: Nothing"), file, in: folder)
            let broken = try momtool(["check"], in: folder)
            #expect(broken.status == 1)
            #expect(broken.output.contains("Cases/first/case.yml"), "\(broken.output)")
        }
    }

    @Test func `a lock whose model is gone, and a model that cannot be read, stop nothing else`()
        throws
    {
        try withFolder { folder in
            try ModelEdit.losing[0].write(in: folder)
            try write("version A\n", "Gone.xcdatamodeld.lock", in: folder)
            try write("lint: [\n", "Other/.momtool.yml", in: folder)
            try write("<model/>", "Other/M.xcdatamodel/contents", in: folder)
            let result = try momtool(["check", "--format", "json"], in: folder)
            #expect(result.status == 1)
            for rule in ["locked-version-removed", "invalid-configuration", "data-loss"] {
                #expect(result.output.contains("\"\(rule)\""), "\(rule): \(result.output)")
            }
        }
    }

    @Test func `a folder without anything to check is no success`() throws {
        try withFolder { (folder) throws in
            #expect(try momtool(["check"], in: folder).status == 66)
            #expect(try momtool(["init"], in: folder).status == 66)
        }
    }

    @Test func `a revision adds what differs, and its lock counts`() throws {
        try withFolder { folder in
            try ModelEdit.harmless[1].write(in: folder)
            try git("init", "-q", in: folder)
            try git("add", "-A", in: folder)
            try git("commit", "-qm", "one", in: folder)
            let contents = "Stops.xcdatamodeld/Stops.xcdatamodel/contents"
            let old = try text(contents, in: folder)
            try write(old.replacing("Integer 32", with: "Integer 64"), contents, in: folder)
            try FileManager.default.removeItem(
                at: folder.appending(path: "Stops.xcdatamodeld.lock")
            )
            let alone = try momtool(["check"], in: folder)
            #expect(!alone.output.contains("shipped and was edited"))
            let against = try momtool(["check", "--against", "HEAD"], in: folder)
            #expect(against.status == 1, "\(against.output)\(against.errors)")
            #expect(against.output.contains("'Stops' shipped and was edited"))
            #expect(try momtool(["check", "--against", "nowhere"], in: folder).status == 66)
        }
    }

    @Test func `init writes a lock, settings, a case and a workflow, and then check is green`()
        throws
    {
        try withFolder { folder in
            try ModelEdit.harmless[0].write(in: folder)
            try FileManager.default.removeItem(
                at: folder.appending(path: "Stops.xcdatamodeld.lock")
            )
            let first = try momtool(["init"], in: folder)
            #expect(first.status == 0, "\(first.errors)")
            let paths = [
                "Stops.xcdatamodeld.lock", ".momtool.yml",
                "MigrationCases/Stops-to-Stops 2/case.yml",
                ".github/workflows/momtool.yml",
            ]
            for path in paths {
                #expect(first.output.contains("wrote \(path)\n"), "\(first.output)")
                #expect(FileManager.default.fileExists(atPath: folder.appending(path: path).path))
            }
            let workflow = try text(".github/workflows/momtool.yml", in: folder)
            #expect(
                workflow.contains("\non: {push: {branches: [main]}, pull_request: {}}\n"),
                "\(workflow)"
            )
            // While nobody has published momtool, file and output tell what to replace.
            let note = "Replace owner/momtool: this copy of momtool names no publisher"
            #expect(workflow.contains("# \(note)") == workflow.contains("uses: owner/momtool/"))
            #expect(
                first.output.contains("replace owner/momtool there")
                    == workflow.contains("uses: owner/momtool/"),
                "\(first.output)"
            )
            let check = try momtool(["check"], in: folder)
            #expect(check.status == 0, "\(check.output)\(check.errors)")
            #expect(check.output.contains("1 model, 2 versions, 1 lock, 1 migration, 1 case: "))
            let before = try paths.map { try text($0, in: folder) }
            let again = try momtool(["init"], in: folder)
            #expect(again.status == 0)
            #expect(!again.output.contains("wrote"), "\(again.output)")
            let after = try paths.map { try text($0, in: folder) }
            #expect(after == before)
        }
    }

    @Test func `init leaves a version with a loss out of the lock, and says how to name it`() throws
    {
        try withFolder { folder in
            try ModelEdit.losing[0].write(in: folder)
            try FileManager.default.removeItem(
                at: folder.appending(path: "Stops.xcdatamodeld.lock")
            )
            let first = try momtool(["init"], in: folder)
            #expect(first.status == 0)
            #expect(first.output.contains("[data-loss]\n  "), "\(first.output)")
            #expect(!first.output.contains("u000A"), "\(first.output)")
            let lock = try text("Stops.xcdatamodeld.lock", in: folder)
            #expect(!lock.contains("version Stops%202"))
            let settings = try text(".momtool.yml", in: folder)
            #expect(settings.contains("#   Stops 2: [Stop.opened]"), "\(settings)")
            #expect(try momtool(["check"], in: folder).status == 1)
            try write(
                settings.replacing("# losses:", with: "losses:")
                    .replacing("#   Stops 2", with: "  Stops 2"),
                ".momtool.yml",
                in: folder
            )
            let named = try momtool(["check"], in: folder)
            #expect(named.status == 0, "\(named.output)\(named.errors)")
        }
    }
}
