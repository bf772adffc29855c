import Foundation
import TestSupport
import Testing

struct CheckCommandTests {
    private func text(_ path: String, in folder: URL) throws -> String {
        try fileText(folder.appending(path: path))
    }

    @Test func `a rename in another spelling is told once, and cured by a fix`() throws {
        try withFolder { folder in
            let edit = ModelEdit(
                "other spelling",
                "name='label'",
                "name='caption' renamingIdentifier='label'"
            )
            try edit.write(in: folder)
            let red = try expectRun("check", in: folder, 1)
            let errors = red.output.split(separator: "\n").filter { $0.contains(": error: ") }
            #expect(errors.count == 1, "\(red.output)")
            #expect(errors.first?.hasSuffix("[literal-renaming-identifier]") == true)
            #expect(try momtool("lock Stops.xcdatamodeld", in: folder).status == 3)
            #expect(try momtool("lint . --fix", in: folder).status == 0)
            #expect(try momtool("check", in: folder).status == 0)
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
            try expectRun("check . --format junit", in: folder, 0)
            let text = try momtool("check", in: folder)
            #expect(text.output.contains("1 model, 2 versions, 1 lock, 1 migration, 1 case: "))
            let file = "Cases/first/case.yml"
            let old = try self.text(file, in: folder)
            try write(old.replacing("from: Stops", with: "from: Nothing"), file, in: folder)
            try expectRun("check", in: folder, 1, "Cases/first/case.yml")
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
            let result = try expectRun("check --format json", in: folder, 1)
            for rule in ["locked-version-removed", "invalid-configuration", "data-loss"] {
                #expect(result.output.contains("\"\(rule)\""), "\(rule): \(result.output)")
            }
        }
    }

    @Test func `a folder without anything to check is no success`() throws {
        try withFolder { (folder) throws in
            #expect(try momtool("check", in: folder).status == 66)
            #expect(try momtool("init", in: folder).status == 66)
        }
    }

    @Test func `a revision adds what differs, and its lock counts`() throws {
        try withFolder { folder in
            try ModelEdit.harmless[1].write(in: folder)
            try commit("one", in: folder)
            let contents = "Stops.xcdatamodeld/Stops.xcdatamodel/contents"
            let old = try text(contents, in: folder)
            try write(old.replacing("Integer 32", with: "Integer 64"), contents, in: folder)
            try FileManager.default.removeItem(
                at: folder.appending(path: "Stops.xcdatamodeld.lock")
            )
            #expect(try !momtool("check", in: folder).output.contains("shipped and was edited"))
            let against = try momtool("check --against HEAD", in: folder)
            #expect(against.status == 1, "\(against.output)\(against.errors)")
            #expect(against.output.contains("'Stops' shipped and was edited"))
            #expect(try momtool("check --against nowhere", in: folder).status == 66)
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
            let first = try expectRun("init", in: folder, 0)
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
            #expect(workflow.contains("\non: {push: {branches: [main]}, pull_request: {}}\n"))
            // While nobody has published momtool, file and output tell what to replace.
            let note = "Replace owner/momtool: this copy of momtool names no publisher"
            #expect(workflow.contains("# \(note)") == workflow.contains("uses: owner/momtool/"))
            #expect(
                first.output.contains("replace owner/momtool there")
                    == workflow.contains("uses: owner/momtool/"),
                "\(first.output)"
            )
            let check = try momtool("check", in: folder)
            #expect(check.status == 0, "\(check.output)\(check.errors)")
            #expect(check.output.contains("1 model, 2 versions, 1 lock, 1 migration, 1 case: "))
            let before = try paths.map { try text($0, in: folder) }
            try expectRun("init", in: folder, 0, not: ["wrote"])
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
            try expectRun("init", in: folder, 0, "[data-loss]\n  ", not: ["u000A"])
            #expect(try !text("Stops.xcdatamodeld.lock", in: folder).contains("version Stops%202"))
            let settings = try text(".momtool.yml", in: folder)
            #expect(settings.contains("#   Stops 2: [Stop.opened]"), "\(settings)")
            #expect(try momtool("check", in: folder).status == 1)
            try write(
                settings.replacing("# losses:", with: "losses:")
                    .replacing("#   Stops 2", with: "  Stops 2"),
                ".momtool.yml",
                in: folder
            )
            try expectRun("check", in: folder, 0)
        }
    }
}
