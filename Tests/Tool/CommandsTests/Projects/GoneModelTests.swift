import Foundation
import TestSupport
import Testing

/// A model that a change deletes is told against the revision, with a lock or without, and whatever equals it elsewhere.
struct GoneModelTests {
    private func writeModel(_ path: String, _ entity: String = "Item", in folder: URL) throws {
        func source(_ names: String...) -> String {
            let lines = names.map {
                "<attribute name='\($0)' optional='YES' attributeType='String'/>"
            }
            return "<model><entity name='\(entity)'>\(lines.joined())</entity></model>"
        }
        try writeBundle(
            ["V1": source("name"), "V2": source("name", "note")],
            current: "V2",
            at: folder.appending(path: path)
        )
    }

    private func commit(in folder: URL) throws {
        try git("init", "-q", "-b", "main", "--template=", in: folder)
        try git("add", "-A", in: folder)
        try git("commit", "-q", "-m", "one", in: folder)
    }

    private func remove(_ path: String, in folder: URL) throws {
        try FileManager.default.removeItem(at: folder.appending(path: path))
    }

    private func check(_ words: String..., in folder: URL) throws -> CommandResult {
        try momtool(["check", "--against", "main", "--comment", "c.md"] + words, in: folder)
    }

    private func comment(in folder: URL) throws -> String {
        try String(contentsOf: folder.appending(path: "c.md"), encoding: .utf8)
    }

    @Test func `a model that is deleted with its lock is gone, though an equal one was elsewhere`()
        throws
    {
        try withFolder { folder in
            for app in ["App", "Ext"] {
                try writeModel("\(app)/M.xcdatamodeld", in: folder)
                let lock = try momtool(["lock", "\(app)/M.xcdatamodeld"], in: folder)
                #expect(lock.status == 0, "\(lock.errors)")
            }
            try commit(in: folder)
            try remove("Ext", in: folder)
            for words in [".", "App"] {
                let run = try check(words, in: folder)
                // What a part does not hold is none of its matter.
                #expect(run.status == (words == "." ? 1 : 0), "\(run.output)\(run.errors)")
            }
            let gone = try check(in: folder)
            let said = "Ext/M.xcdatamodeld.lock: error: since main: 'Ext/M.xcdatamodeld' is gone"
            #expect(gone.output.contains(said), "\(gone.output)")
            #expect(gone.output.contains("[locked-version-removed]"))
            // One that is new since is where it went to, and wants its lock though the equal one has one.
            try writeModel("New/M.xcdatamodeld", in: folder)
            let moved = try check(in: folder)
            #expect(moved.status == 1, "\(moved.output)")
            #expect(moved.output.contains("'New/M.xcdatamodeld' has 'V1', 'V2'"), "\(moved.output)")
            #expect(try momtool(["lock", "New/M.xcdatamodeld"], in: folder).status == 0)
            let locked = try check(in: folder)
            #expect(locked.status == 0, "\(locked.output)")
        }
    }

    @Test func `a lock that is left of a deleted model is not told to be of an equal one`() throws {
        try withFolder { folder in
            for app in ["App", "Ext"] {
                try writeModel("\(app)/M.xcdatamodeld", in: folder)
                #expect(try momtool(["lock", "\(app)/M.xcdatamodeld"], in: folder).status == 0)
            }
            try commit(in: folder)
            try remove("Ext/M.xcdatamodeld", in: folder)
            let run = try check(in: folder)
            #expect(run.status == 1)
            #expect(run.output.contains("the model of this lock is missing"), "\(run.output)")
        }
    }
}
