import Foundation
import TestSupport
import Testing

struct GoneModelTests {
    private func writeModel(_ path: String, _ entity: String = "Item", in folder: URL) throws {
        func source(_ names: String...) -> String {
            let lines = names.map {
                "<attribute name='\($0)' optional='YES' attributeType='String'/>"
            }
            return "<model><entity name='\(entity)'>\(lines.joined())</entity></model>"
        }
        try writeBundle([source("name"), source("name", "note")], path, in: folder)
    }

    private func remove(_ path: String, in folder: URL) throws {
        try FileManager.default.removeItem(at: folder.appending(path: path))
    }

    private func check(_ words: String..., in folder: URL) throws -> CommandResult {
        try momtool(["check", "--against", "main", "--comment", "c.md"] + words, in: folder)
    }

    private func comment(in folder: URL) throws -> String {
        try fileText(folder.appending(path: "c.md"))
    }

    @Test(arguments: [true, false])
    func `a model without a lock that is deleted is a warning and in the comment`(
        isAlone: Bool
    ) throws {
        try withFolder { folder in
            try writeModel("App/Shop.xcdatamodeld", in: folder)
            if !isAlone { try writeModel("App/Other.xcdatamodeld", "Other", in: folder) }
            try commit("one", in: folder)
            try remove("App/Shop.xcdatamodeld", in: folder)
            let run = try check(in: folder)
            #expect(run.status == 1, "\(run.output)\(run.errors)")
            let said = "App/Shop.xcdatamodeld: warning: since main: 'App/Shop.xcdatamodeld' is gone"
            #expect(run.output.contains(said + " with 'V1', 'V2': their stores"), "\(run.output)")
            #expect(run.output.contains("[changed-since]"))
            let text = try comment(in: folder)
            #expect(text.contains("#### `App/Shop.xcdatamodeld`: **gone**, with V1, V2"), "\(text)")
            #expect(!text.contains("momtool: nothing"))
            try write("lock: {unshipped: [V1, V2]}\n", ".momtool.yml", in: folder)
            let named = try check(in: folder)
            #expect(named.status == (isAlone ? 66 : 0), "\(named.output)\(named.errors)")
        }
    }

    @Test(arguments: ["App/New.xcdatamodeld", "Kit/Shop.xcdatamodeld"])
    func `a model without a lock that is moved is not gone, edited or not`(new: String) throws {
        try withFolder { folder in
            try writeModel("App/Shop.xcdatamodeld", in: folder)
            try commit("one", in: folder)
            try writeModel(new, in: folder)
            try remove("App/Shop.xcdatamodeld", in: folder)
            let moved = try check(in: folder)
            #expect(moved.status == 0 && !moved.output.contains("gone"), "\(moved.output)")
            // Git follows a committed move: what was edited is reported where the model is now.
            try git("add", "-A", in: folder)
            try git("checkout", "-q", "-b", "move", in: folder)
            try git("commit", "-q", "-m", "two", in: folder)
            let file = folder.appending(path: new + "/V2.xcdatamodel/contents")
            let text = try fileText(file)
            try Data(text.replacing("name='note'", with: "name='more'").utf8).write(to: file)
            let edited = try check(in: folder)
            #expect(edited.status == 1, "\(edited.output)")
            #expect(!edited.output.contains("gone with"), "\(edited.output)")
        }
    }

    @Test func `a model of Swift sources without a lock that is deleted is a warning`() throws {
        try withFolder { folder in
            let text =
                "import SwiftData\n@Model class Item {\n    var count: Int?\n    init() {}\n}\n"
            try write(text, "Sources/Item.swift", in: folder)
            try writeModel("Shop.xcdatamodeld", "Other", in: folder)
            try commit("one", in: folder)
            #expect(try check(in: folder).status == 0)
            try write("struct Nothing {}\n", "Sources/Item.swift", in: folder)
            let run = try check(in: folder)
            #expect(run.status == 1, "\(run.output)\(run.errors)")
            #expect(run.output.contains("the models in Swift of '.' are gone"), "\(run.output)")
        }
    }

    @Test func `sources that a configuration names are looked at for a model that is gone`()
        throws
    {
        try withFolder { folder in
            try writeModel("App/Shop.xcdatamodeld", "Other", in: folder)
            try write("struct Nothing {}\n", "App/Sources/Nothing.swift", in: folder)
            try write("import SwiftData\n@Model class Item {}\n", "Kit/Item.swift", in: folder)
            try write("swift: {sources: [Kit]}\n", ".momtool.yml", in: folder)
            try commit("one", in: folder)
            try write("struct Nothing {}\n", "Kit/Item.swift", in: folder)
            let run = try check("App", in: folder)
            #expect(run.status == 1, "\(run.output)\(run.errors)")
            #expect(run.output.contains("the models in Swift of 'App' are gone"), "\(run.output)")
        }
    }

    @Test func `a model that is deleted with its lock is gone, though an equal one was elsewhere`()
        throws
    {
        try withFolder { folder in
            for app in ["App", "Ext"] {
                try writeModel("\(app)/M.xcdatamodeld", in: folder)
                try expectRun("lock \(app)/M.xcdatamodeld", in: folder, 0)
            }
            try commit("one", in: folder)
            try remove("Ext", in: folder)
            for words in [".", "App"] {
                let run = try check(words, in: folder)
                #expect(run.status == (words == "." ? 1 : 0), "\(run.output)\(run.errors)")
            }
            let gone = try check(in: folder)
            let said = "Ext/M.xcdatamodeld.lock: error: since main: 'Ext/M.xcdatamodeld' is gone"
            #expect(gone.output.contains(said), "\(gone.output)")
            #expect(gone.output.contains("[locked-version-removed]"))
            #expect(try comment(in: folder).contains("`Ext/M.xcdatamodeld`: **gone**"))
            // A new one is where it went to, and needs its lock though the equal one has one.
            try writeModel("New/M.xcdatamodeld", in: folder)
            let moved = try check(in: folder)
            #expect(moved.status == 1, "\(moved.output)")
            #expect(moved.output.contains("'New/M.xcdatamodeld' has 'V1', 'V2'"), "\(moved.output)")
            #expect(try momtool("lock New/M.xcdatamodeld", in: folder).status == 0)
            let locked = try check(in: folder)
            #expect(locked.status == 0, "\(locked.output)")
        }
    }

    @Test func `a lock that is left of a deleted model is not told to be of an equal one`() throws {
        try withFolder { folder in
            for app in ["App", "Ext"] {
                try writeModel("\(app)/M.xcdatamodeld", in: folder)
                #expect(try momtool("lock \(app)/M.xcdatamodeld", in: folder).status == 0)
            }
            try commit("one", in: folder)
            try remove("Ext/M.xcdatamodeld", in: folder)
            let run = try check(in: folder)
            #expect(run.status == 1)
            #expect(run.output.contains("the model of this lock is missing"), "\(run.output)")
        }
    }

    @Test func `the comment names a model that is new`() throws {
        try withFolder { folder in
            try writeModel("App/Shop.xcdatamodeld", in: folder)
            try commit("one", in: folder)
            try writeModel("App/Other.xcdatamodeld", "Other", in: folder)
            #expect(try check(in: folder).status == 0)
            let text = try comment(in: folder)
            #expect(text.contains("#### `App/Other.xcdatamodeld`: **new**, with V1, V2"), "\(text)")
            #expect(!text.contains("momtool: nothing"))
        }
    }

    @Test(arguments: [["--against", "main"], []])
    func `where no model is left the comment says so, and an older one is updated`(
        words: [String]
    ) throws {
        try withFolder { folder in
            try write("x", "README", in: folder)
            try commit("one", in: folder)
            try expectRun(["check", "--comment", "c.md"] + words, in: folder, 66)
            let text = try comment(in: folder)
            #expect(text.hasPrefix("<!-- momtool -->\n<!-- momtool: nothing -->\n"), "\(text)")
            #expect(text.contains("none is left"))
        }
    }

    @Test func `check takes a path once, and no store`() throws {
        try withFolder { folder in
            try writeModel("App/Shop.xcdatamodeld", in: folder)
            try expectRun("check App ./App", in: folder, nil, "1 model, 2 versions")
            let create = ["create", "S.sqlite", "--model", "App/Shop.xcdatamodeld"]
            #expect(try momtool(create, in: folder).status == 0)
            try expectRun("check S.sqlite", in: folder, 64, errors: ["momtool verify S.sqlite"])
        }
    }
}
