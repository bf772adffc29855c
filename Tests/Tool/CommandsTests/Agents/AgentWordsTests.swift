import Foundation
import TestSupport
import Testing

struct AgentWordsTests {
    private static let model = EditedShop.model
    @Test func `the server says what commands and options are called`() throws {
        try withAgent { client, _ in
            let words = try client.begin()["instructions"] as? String ?? ""
            for wanted in [
                "momtool model new-version is new_version", "momtool test is run_cases",
                "--allow-data-loss is allow_losses",
            ] {
                #expect(words.contains(wanted), "\(words)")
            }
        }
    }

    @Test func `a wrong path or list is answered with one that is meant`() throws {
        try withAgent { client, _ in
            try client.begin()
            let path = try client.call("inspect", ["path": "Shpo.xcdatamodeld"])
            #expect(
                path.isError && path.words.contains("did you mean '\(Self.model)'"),
                "\(path.text)"
            )
            let list = try client.call("check", ["paths": "Shop"])
            #expect(list.isError && list.words.contains("such as [\"Shop\"]"), "\(list.text)")
        }
    }

    @Test func `a version is locked after a look, and a new one taken back`() throws {
        try withAgent { client, folder in
            let lock = folder.appending(path: "\(Self.model).lock").path
            try client.begin()
            let tried = try client.call("lock", ["models": [Self.model], "dry_run": true])
            #expect(!tried.isError && tried.words.contains("+version"), "\(tried.text)")
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
            #expect(
                !undone.isError && undone.words.contains("took back 'Shop 9'"),
                "\(undone.text)"
            )
            let outside = try client.call("lock", ["models": [".."]])
            #expect(outside.isError)
        }
    }
}
