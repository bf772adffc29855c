import Foundation
import TestSupport
import Testing

struct AgentLoopTests {
    @Test func `a store keeps its rows through a rename that an agent made`() throws {
        try withAgent { client, folder in
            let model = EditedShop.model
            #expect(try momtool(["lock", model], in: folder).status == 0)
            try client.begin()
            let rows = [
                "Stop": [["@id": "s", "label": "Central"]],
                "Book": [["@id": "b", "title": "Timetable", "stop": "Stop/s"]],
            ]
            let made = try client.call(
                "create_store",
                ["store": "S.sqlite", "model": model, "rows": rows]
            )
            #expect(!made.isError, "\(made.text)")
            let edits = [["rename": "attribute Book.title", "to": "caption"]]
            let locked = try client.call("edit_model", ["model": model, "edits": edits])
            #expect(locked.isError)
            #expect(locked.words.contains("status 3"))
            let fresh = try client.call("new_version", ["model": model, "name": "Shop 3"])
            #expect(fresh.words.contains("'Shop 3'"))
            let patch = try client.call("preview_edit", ["model": model, "edits": edits])
            let lines = patch.report["patch"] as? String ?? ""
            #expect(lines.contains("+        <attribute name=\"caption\""), "\(lines)")
            let edited = try client.call("edit_model", ["model": model, "edits": edits])
            #expect(edited.words.contains("Shop 3: lightweight"), "\(edited.words)")
            let plan = try client.call("plan", ["model": model, "store": "S.sqlite"])
            #expect((plan.report["losses"] as? [Any])?.isEmpty == true)
            let written = try client.call(
                "write_case",
                ["folder": "Cases", "name": "rename", "model": model, "from": "Shop 2"]
            )
            #expect(!written.isError, "\(written.text)")
            #expect(try !client.call("run_cases", ["folders": ["Cases"]]).isError)
            let copied = try client.call(
                "migrate_copy",
                ["store": "S.sqlite", "model": model, "output": "N.sqlite"]
            )
            #expect(!copied.isError, "\(copied.text)")
            let again = try client.call(
                "migrate_copy",
                ["store": "S.sqlite", "model": model, "output": "N.sqlite"]
            )
            #expect(again.isError)
            let after = try client.call("export", ["store": "N.sqlite"]).report
            let books = after["Book"] as? [[String: Any]] ?? []
            #expect(books.map { $0["caption"] as? String } == ["Timetable"], "\(after)")
            #expect(try momtool(["lock", model, "--check"], in: folder).status == 0)
        }
    }

    @Test(.enabled(if: Python.has("mcp"), "Python's mcp is not there"))
    func `tasks are done by Python's client`() throws {
        let done = try Python.run(script: "try-agent.py", [commandURL.path])
        #expect(done.status == 0, "\(done.output)\(done.errors)")
        #expect(done.output.contains("4 tasks done"))
    }
}
