import Foundation
import TestSupport
import Testing

/// What an agent is told: the next step, in the words of the server.
struct AgentWordsTests {
    private static let model = EditedShop.model
    private static var edits: [[String: Any]] {
        [["add": "attribute Book.shelfmark", "with": ["attributeType": "String"]]]
    }

    @Test func `a message ends with what its commands and options are in the server`() throws {
        try withAgent { client, folder in
            #expect(try momtool(["lock", Self.model], in: folder).status == 0)
            try client.begin()
            let calls: [(tool: String, arguments: [String: Any], words: [String])] = [
                (
                    "edit_model", ["model": Self.model, "edits": Self.edits],
                    [
                        "momtool model new-version is the tool 'new_version'",
                        "--new-version is the argument 'new_version'",
                    ]
                ),
                (
                    "edit_model", ["model": Self.model, "edits": "nonsense"],
                    ["momtool help model apply is the description of 'edits'"]
                ),
                ("explain", ["rule": "no-such-rule"], ["momtool rules is the resource"]),
            ]
            for call in calls {
                let result = try client.call(call.tool, call.arguments)
                #expect(result.isError && !result.text.contains("Usage:"), "\(result.text)")
                for words in call.words {
                    #expect(result.text.contains(words), "\(call.tool): \(words): \(result.text)")
                }
            }
        }
    }

    @Test func `a wrong path or list is answered with one that is meant`() throws {
        try withAgent { client, _ in
            try client.begin()
            let path = try client.call("inspect", ["path": "Shpo.xcdatamodeld"])
            #expect(
                path.isError && path.text.contains("did you mean '\(Self.model)'"),
                "\(path.text)"
            )
            let list = try client.call("check", ["paths": "Shop"])
            #expect(list.isError && list.text.contains("such as [\"Shop\"]"), "\(list.text)")
        }
    }

    @Test func `a version is locked after a look, and a new one taken back`() throws {
        try withAgent { client, folder in
            let lock = folder.appending(path: "\(Self.model).lock").path
            try client.begin()
            let tried = try client.call("lock", ["models": [Self.model], "dry_run": true])
            #expect(!tried.isError && tried.text.contains("+version"), "\(tried.text)")
            #expect(tried.report["isDry"] as? Bool == true)
            #expect(!FileManager.default.fileExists(atPath: lock))
            #expect(try !client.call("lock", ["models": [Self.model]]).isError)
            #expect(FileManager.default.fileExists(atPath: lock))
            let model = ["model": Self.model]
            let locked = try client.call("undo_version", model)
            #expect(locked.isError, "\(locked.text)")
            let made = try client.call("new_version", ["model": Self.model, "name": "Shop 9"])
            #expect(!made.isError, "\(made.text)")
            let undone = try client.call("undo_version", model)
            #expect(!undone.isError && undone.text.contains("took back 'Shop 9'"), "\(undone.text)")
            let outside = try client.call("lock", ["models": [".."]])
            #expect(outside.isError)
        }
    }

    /// Writes the files of an app.
    private static func write(_ files: [String: String], in folder: URL) throws {
        let place = folder.appending(path: "App")
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        for (name, text) in files {
            try Data(text.utf8).write(to: place.appending(path: name))
        }
    }

    @Test func `options of commands that are no tools are not said to be arguments`() throws {
        try withAgent { client, folder in
            let older = """
                import SwiftData
                enum SchemaV0: VersionedSchema {
                    static let versionIdentifier = Schema.Version(0, 1, 0)
                    static var models: [any PersistentModel.Type] { [Entry.self, Notebook.self] }
                }
                """
            try Self.write(SwiftApp.sources.merging(["Old.swift": older]) { $1 }, in: folder)
            try client.begin()
            let shared = try client.call("check", ["paths": ["App"]])
            #expect(shared.text.contains("momtool generate"), "\(shared.text)")
            #expect(!shared.text.contains("--from is the argument"), "\(shared.text)")
        }
    }
}
