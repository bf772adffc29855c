import Foundation
import TestSupport
import Testing

/// Tries the comment of a pull request: what it says, and that it is written once and then updated.
struct CommentTests {
    /// A server that stands in for the comments of GitHub and the notes of GitLab, kept in a file.
    private static let server = #"""
        import http.server, json, re, sys
        comments = [{"id": n, "body": "LGTM"} for n in range(1, int(sys.argv[1]) + 1)]
        class Server(http.server.BaseHTTPRequestHandler):
            def answer(self, value, status=200):
                with open("comments.json", "w") as file: json.dump(comments, file)
                data = json.dumps(value).encode()
                self.send_response(status)
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)
            def allowed(self):
                tokens = ("Bearer secret", None) if "repos" in self.path else (None, "secret")
                return (self.headers["Authorization"], self.headers["PRIVATE-TOKEN"]) == tokens
            def do_GET(self):
                if not self.allowed(): return self.answer({"message": "Forbidden"}, 403)
                page = int(re.search(r"[?&]page=(\d+)", self.path).group(1))
                self.answer(comments[(page - 1) * 100 : page * 100])
            def do_POST(self):
                if not self.allowed(): return self.answer({"message": "Forbidden"}, 403)
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                comments.append({"id": len(comments) + 1, "body": body["body"]})
                self.answer(comments[-1], 201)
            def do_PATCH(self):
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                comments[int(self.path.split("/")[-1]) - 1]["body"] = body["body"]
                self.answer({})
            do_PUT = do_PATCH
            def log_message(self, *words): pass
        server = http.server.HTTPServer(("127.0.0.1", 0), Server)
        print(server.server_port, flush=True)
        server.serve_forever()
        """#

    private static let hasPrograms = ["python3", "curl", "jq"].allSatisfy { name in
        let found = try? result(of: URL(filePath: "/bin/sh"), ["-c", "command -v \(name)"])
        return found?.status == 0
    }

    /// Runs a test with a server that has some comments of others; gives its address.
    private func withServer(
        _ count: Int,
        in folder: URL,
        _ body: (String) throws -> Void
    ) throws {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["python3", "-c", Self.server, "\(count)"]
        process.currentDirectoryURL = folder
        process.standardOutput = output
        try process.run()
        defer {
            // A test process may block other signals, which its children inherit.
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
        }
        let said = output.fileHandleForReading.availableData
        let port = String(decoding: said, as: UTF8.self).filter(\.isNumber)
        try #require(!port.isEmpty)
        try body("http://127.0.0.1:\(port)")
    }

    private func comments(in folder: URL) throws -> [String] {
        let data = try Data(contentsOf: folder.appending(path: "comments.json"))
        let list = try #require(JSONSerialization.jsonObject(with: data) as? [[String: Any]])
        return list.compactMap { $0["body"] as? String }
    }

    @Test(.enabled(if: hasPrograms), arguments: [0, 3, 250])
    func `GitHub's comment is written once, then found on any page and updated`(others: Int) throws
    {
        try withFolder { folder in
            try Data("{\"pull_request\": {\"number\": 7}}".utf8)
                .write(to: folder.appending(path: "event.json"))
            let script = Corpus.package.appending(path: ".github/actions/check/comment.sh")
            try withServer(others, in: folder) { address in
                func post(_ text: String, token: String = "secret") throws -> CommandResult {
                    try Data("<!-- momtool -->\n\(text)\n".utf8)
                        .write(to: folder.appending(path: "comment.md"))
                    return try result(
                        of: script,
                        ["comment.md"],
                        in: folder,
                        environment: [
                            "GITHUB_EVENT_PATH": "event.json", "GITHUB_API_URL": address,
                            "GITHUB_REPOSITORY": "owner/app", "GITHUB_TOKEN": token,
                        ]
                    )
                }
                for text in ["one \"quoted\" \\ ü", "two", "three"] {
                    let posted = try post(text)
                    #expect(posted.status == 0, "\(posted.output)\(posted.errors)")
                    let all = try comments(in: folder)
                    #expect(all.count == others + 1)
                    #expect(all.last == "<!-- momtool -->\n\(text)\n")
                }
                // What has nothing to say updates the comment.
                #expect(try post("<!-- momtool: nothing -->\nnothing").status == 0)
                #expect(try comments(in: folder).count == others + 1)
                #expect(try comments(in: folder).last?.hasSuffix("\nnothing\n") == true)
                #expect(try post("three").status == 0)
                let refused = try post("four", token: "of a fork")
                #expect(refused.status == 0)
                #expect(refused.output.contains("pull-requests: write"))
                #expect(try comments(in: folder).last?.contains("three") == true)
            }
        }
    }

    @Test(.enabled(if: hasPrograms))
    func `nothing makes no comment, and a report is named by its artifact`() throws {
        try withFolder { folder in
            try Data("{\"pull_request\": {\"number\": 7}}".utf8)
                .write(to: folder.appending(path: "event.json"))
            try Data().write(to: folder.appending(path: "momtool-report.html"))
            try withServer(1, in: folder) { address in
                func post(_ text: String) throws -> CommandResult {
                    try Data("<!-- momtool -->\n\(text)\n".utf8)
                        .write(to: folder.appending(path: "comment.md"))
                    return try result(
                        of: Corpus.package.appending(path: ".github/actions/check/comment.sh"),
                        ["comment.md"],
                        in: folder,
                        environment: [
                            "GITHUB_EVENT_PATH": "event.json", "GITHUB_API_URL": address,
                            "GITHUB_REPOSITORY": "owner/app", "GITHUB_TOKEN": "secret",
                            "GITHUB_RUN_ID": "12", "REPORT": "models",
                        ]
                    )
                }
                let silent = try post("<!-- momtool: nothing -->\nnothing")
                #expect(silent.status == 0 && silent.output.contains("no comment"))
                #expect(try comments(in: folder) == ["LGTM"])
                #expect(try post("one").status == 0)
                let text = try comments(in: folder).last ?? ""
                #expect(text.hasPrefix("<!-- momtool -->\none\n"))
                #expect(
                    text.contains(
                        "`models` of [the run](https://github.com/owner/app/actions/runs/12)"
                    )
                )
            }
        }
    }

    @Test(.enabled(if: hasPrograms), arguments: [0, 100])
    func `GitLab's note is written once and updated`(others: Int) throws {
        try withFolder { folder in
            let template = Corpus.package.appending(path: ".ci/gitlab.yml")
            let text = try String(contentsOf: template, encoding: .utf8)
            let start = try #require(text.range(of: "    - |\n"))
            let lines = text[start.upperBound...].components(separatedBy: "\n")
                .prefix { $0.hasPrefix("      ") }
            let script = "set -e\n" + lines.joined(separator: "\n")
            try withServer(others, in: folder) { address in
                for text in ["<!-- momtool: nothing -->\nnothing", "one", "two"] {
                    try Data("<!-- momtool -->\n\(text)\n".utf8)
                        .write(to: folder.appending(path: "momtool-note.md"))
                    let posted = try result(
                        of: URL(filePath: "/bin/sh"),
                        ["-c", script],
                        in: folder,
                        environment: [
                            "CI_API_V4_URL": address, "CI_PROJECT_ID": "5",
                            "CI_MERGE_REQUEST_IID": "9", "MOMTOOL_TOKEN": "secret",
                        ]
                    )
                    #expect(posted.status == 0, "\(posted.output)\(posted.errors)")
                    let all = try comments(in: folder)
                    guard !text.contains("nothing") else {
                        #expect(all.count == others)
                        continue
                    }
                    #expect(all.count == others + 1)
                    #expect(all.last == "<!-- momtool -->\n\(text)\n")
                }
            }
        }
    }

    @Test func `the comment of a large change gives advice once, the losses, and who draws it`()
        throws
    {
        func model(_ prefix: String) -> String {
            let entities = (0..<50).map { number in
                let attributes = (0..<12).map {
                    "<attribute name='attribute\(number)x\($0)' optional='YES' attributeType='String'/>"
                }
                return "<entity name='\(prefix)\(number)'>\(attributes.joined())</entity>"
            }
            return "<model>\(entities.joined())</model>"
        }
        try withFolder { folder in
            let shop = folder.appending(path: "App/My Shop.xcdatamodeld")
            try writeBundle(["V1": model("Old")], current: "V1", at: shop)
            try git("init", "-q", "-b", "main", in: folder)
            try git("add", "-A", in: folder)
            try git("commit", "-qm", "one", in: folder)
            let check = ["check", "--against", "main", "--comment", "c.md"]
            _ = try momtool(check, in: folder)
            func comment() throws -> String {
                try String(contentsOf: folder.appending(path: "c.md"), encoding: .utf8)
            }
            #expect(try comment().hasPrefix("<!-- momtool -->\n<!-- momtool: nothing -->\n"))
            #expect(try comment().contains("nothing found in 1 model, 1 version"))
            try writeBundle(["V1": model("Old"), "V2": model("New")], current: "V2", at: shop)
            let run = try momtool(check, in: folder)
            let text = try comment()
            #expect(!text.contains("momtool: nothing"))
            let cure = "if it was renamed, set the renaming identifier of the new entity"
            #expect(text.components(separatedBy: cure).count == 2)
            #expect(!text.contains("mermaid"))
            #expect(
                text.contains(
                    "`momtool diff 'App/My Shop.xcdatamodeld' --against main -o changes.html`"
                )
            )
            let drawn = try momtool(
                ["diff", "App/My Shop.xcdatamodeld", "--against", "main", "-o", "changes.html"],
                in: folder
            )
            #expect(drawn.status == 0, "\(drawn.errors)")
            let entry = try #require(text.components(separatedBy: "```yaml\n").last)
            #expect(entry.hasPrefix("losses:\n  V2: [Old0, Old1,"))
            #expect(run.output.contains(entry.components(separatedBy: "\n```")[0]))
        }
    }

    @Test func `the comment has verdicts, losses, refusals with their cures, and a picture`() throws
    {
        func model(
            _ more: String,
            _ stop: String = "<attribute name='label' optional='YES' attributeType='String'/>"
        )
            -> String
        {
            """
            <model><entity name='Stop'>\(stop)<attribute name='code' optional='YES' attributeType='String'/>
            </entity><entity name='Team@here'>\(more)</entity></model>
            """
        }
        try withFolder { folder in
            let shop = folder.appending(path: "App/Shop.xcdatamodeld")
            try writeBundle(["V1": model("")], current: "V1", at: shop)
            try git("init", "-q", "-b", "main", in: folder)
            try git("add", "-A", in: folder)
            try git("commit", "-qm", "one", in: folder)
            try writeBundle(
                [
                    "V1": model(""),
                    "V2": model("<attribute name='rank' attributeType='Integer 16'/>", ""),
                ],
                current: "V2",
                at: shop
            )
            let run = try momtool(
                ["check", "--against", "main", "--comment", "c.md", "--format", "github"],
                in: folder
            )
            #expect(run.status == 1, "\(run.errors)")
            let text = try String(contentsOf: folder.appending(path: "c.md"), encoding: .utf8)
            #expect(text.hasPrefix("<!-- momtool -->\n"))
            #expect(text.contains("`App/Shop.xcdatamodeld`: main:V1 → V2: **"), "\(text)")
            #expect(text.contains("`Stop.label`") && text.contains("loses data"))
            #expect(text.contains("```mermaid\nclassDiagram"))
            #expect(text.contains("        -label String"))
            #expect(text.contains("1 unchanged"))
            #expect(!text.contains("@here"))
            for line in run.output.split(separator: "\n") where line.hasPrefix("::") {
                #expect(!line.hasPrefix("::notice"))
                #expect(line.contains("file=App/"), "\(line)")
            }
        }
    }
}
