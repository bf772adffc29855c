import Foundation
import TestSupport
import Testing

struct CommentTests {
    /// A server in place of the comments of GitHub and the notes of GitLab, kept in a file.
    private static let server = #"""
        import http.server, json, re, sys
        other = {"user": {"login": "ann", "type": "User"}, "author": {"id": 2}}
        own = {"user": {"login": "github-actions[bot]", "type": "Bot"}, "author": {"id": 1}}
        comments = [{"id": n, "body": sys.argv[2], **other} for n in range(1, int(sys.argv[1]) + 1)]
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
                # The token of a job may not ask whose it is.
                if self.path == "/user":
                    status = 200 if self.headers["PRIVATE-TOKEN"] else 403
                    return self.answer({"id": 1} if status == 200 else {}, status)
                if not self.allowed(): return self.answer({"message": "Forbidden"}, 403)
                if "code-scanning" in self.path: return self.answer({"message": "no analysis"}, 404)
                page = int(re.search(r"[?&]page=(\d+)", self.path).group(1))
                self.answer(comments[(page - 1) * 100 : page * 100])
            def do_POST(self):
                if not self.allowed(): return self.answer({"message": "Forbidden"}, 403)
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                comments.append({"id": len(comments) + 1, "body": body["body"], **own})
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

    private func withServer(
        _ count: Int,
        saying text: String = "LGTM",
        in folder: URL,
        _ body: (String) throws -> Void
    ) throws {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["python3", "-c", Self.server, "\(count)", text]
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

    /// Writes a comment as the job of a pull request does.
    private func post(
        _ text: String,
        to address: String,
        in folder: URL,
        _ more: [String: String] = [:]
    ) throws -> CommandResult {
        try write("{\"pull_request\": {\"number\": 7}}", "event.json", in: folder)
        try write("<!-- momtool -->\n\(text)\n", "comment.md", in: folder)
        return try result(
            of: Self.action.appending(path: "comment.sh"),
            ["comment.md"],
            in: folder,
            environment: [
                "GITHUB_EVENT_PATH": "event.json", "GITHUB_API_URL": address,
                "GITHUB_REPOSITORY": "owner/app", "GITHUB_TOKEN": "secret",
                "GITHUB_WORKFLOW": "models", "GITHUB_JOB": "check",
            ].merging(more) { $1 }
        )
    }

    private static let action = Corpus.package.appending(path: ".github/actions/check")

    /// What stands below the mark of a comment.
    private func shown(_ comment: String?) -> String? {
        comment?.wholeMatch(of: /<!-- momtool \d+ -->\n([\s\S]*)\n/).map { String($0.output.1) }
    }

    @Test(.enabled(if: hasPrograms), arguments: [0, 3, 250])
    func `GitHub's comment is written once, then found on any page and updated`(others: Int) throws
    {
        try withFolder { folder in
            try withServer(others, in: folder) { address in
                for said in ["one \"quoted\" \\ ü", "two", "three"] {
                    let posted = try post(said, to: address, in: folder)
                    #expect(posted.status == 0, "\(posted.output)\(posted.errors)")
                    let all = try comments(in: folder)
                    #expect(all.count == others + 1)
                    #expect(shown(all.last) == said)
                }
                // What has nothing to say updates the comment.
                let quiet = "<!-- momtool: nothing -->\nnothing"
                #expect(try post(quiet, to: address, in: folder).status == 0)
                #expect(try comments(in: folder).count == others + 1)
                #expect(shown(try comments(in: folder).last) == quiet)
                #expect(try post("three", to: address, in: folder).status == 0)
                let refused = try post(
                    "four",
                    to: address,
                    in: folder,
                    ["GITHUB_TOKEN": "of a fork"]
                )
                #expect(refused.status == 0)
                #expect(refused.output.contains("pull-requests: write"))
                let last = try comments(in: folder).last
                #expect(shown(last) == "three")
            }
        }
    }

    @Test(.enabled(if: hasPrograms))
    func `each job, and each choice of paths, has a comment of its own`() throws {
        try withFolder { folder in
            let jobs: [[String: String]] = [[:], ["GITHUB_JOB": "other"], ["PATHS": "App"]]
            try withServer(0, in: folder) { address in
                for said in ["one", "two"] {
                    for more in jobs {
                        let whose = "\(said) \(more)"
                        let posted = try post(whose, to: address, in: folder, more)
                        #expect(posted.status == 0, "\(posted.output)\(posted.errors)")
                        let all = try comments(in: folder)
                        #expect(all.filter { shown($0) == whose }.count == 1, "\(all)")
                    }
                    #expect(try comments(in: folder).count == 3)
                }
            }
        }
    }

    @Test(.enabled(if: hasPrograms))
    func `a comment of somebody else that begins with the mark is left alone`() throws {
        try withFolder { folder in
            var mark = ""
            try withServer(0, in: folder) { address in
                _ = try post("one", to: address, in: folder)
                let first = try comments(in: folder).first
                mark = String(try #require(first?.split(separator: "\n").first))
            }
            try withServer(1, saying: "\(mark)\nmine", in: folder) { address in
                for said in ["one", "two"] {
                    let posted = try post(said, to: address, in: folder)
                    #expect(posted.status == 0, "\(posted.output)\(posted.errors)")
                    #expect(try comments(in: folder) == ["\(mark)\nmine", "\(mark)\n\(said)\n"])
                }
            }
        }
    }

    @Test(.enabled(if: hasPrograms), arguments: [("secret", true), ("of a fork", false)])
    func `an upload that code scanning would refuse is a warning`(
        token: String,
        isPossible: Bool
    ) throws {
        try withFolder { folder in
            try withServer(0, in: folder) { address in
                let asked = try result(
                    of: Self.action.appending(path: "scanning.sh"),
                    [],
                    in: folder,
                    environment: [
                        "GITHUB_API_URL": address, "GITHUB_REPOSITORY": "owner/app",
                        "GITHUB_TOKEN": token, "GITHUB_OUTPUT": "output",
                    ]
                )
                #expect(asked.status == 0, "\(asked.errors)")
                let warns = asked.output.contains("::warning title=momtool::")
                #expect(warns == !isPossible, "\(asked.output)")
                #expect(warns == asked.output.contains("security-events: write"))
                let output = folder.appending(path: "output")
                #expect(try fileText(output) == "possible=\(isPossible)\n")
            }
        }
    }

    @Test(.enabled(if: hasPrograms))
    func `nothing makes no comment`() throws {
        try withFolder { folder in
            try write("{\"pull_request\": {\"number\": 7}}", "event.json", in: folder)
            try withServer(1, in: folder) { address in
                let quiet = "<!-- momtool: nothing -->\nnothing"
                let silent = try post(quiet, to: address, in: folder)
                #expect(silent.status == 0 && silent.output.contains("no comment"))
                #expect(try comments(in: folder) == ["LGTM"])
                #expect(try post("one", to: address, in: folder).status == 0)
                let text = try comments(in: folder).last
                #expect(shown(text) == "one", "\(text ?? "")")
            }
        }
    }

    @Test(.enabled(if: hasPrograms), arguments: [0, 100])
    func `GitLab's note is written once and updated`(others: Int) throws {
        try withFolder { folder in
            let template = Corpus.package.appending(path: ".ci/gitlab.yml")
            let text = try fileText(template)
            let script = try #require(gitLabScript(of: "momtool:note", in: text))
            try withServer(others, in: folder) { address in
                for said in ["<!-- momtool: nothing -->\nnothing", "one", "two"] {
                    try write("<!-- momtool -->\n\(said)\n", "momtool-note.md", in: folder)
                    let posted = try result(
                        of: URL(filePath: "/bin/sh"),
                        ["-c", script],
                        in: folder,
                        environment: [
                            "CI_API_V4_URL": address, "CI_PROJECT_ID": "5",
                            "CI_MERGE_REQUEST_IID": "9", "MOMTOOL_TOKEN": "secret",
                            "MOMTOOL_PATHS": ".",
                        ]
                    )
                    #expect(posted.status == 0, "\(posted.output)\(posted.errors)")
                    let all = try comments(in: folder)
                    guard !said.contains("nothing") else {
                        #expect(all.count == others)
                        continue
                    }
                    #expect(all.count == others + 1)
                    #expect(shown(all.last) == said)
                }
            }
        }
    }

    @Test func `the comment of a large change gives advice once, the losses, and what lists it`()
        throws
    {
        func model(_ prefix: String) -> String {
            let entities = (0..<50).map { number in
                let attributes = (0..<12).map {
                    "<attribute name='a\(prefix)\(number)x\($0)' optional='YES' attributeType='String'/>"
                }
                return "<entity name='\(prefix)\(number)'>\(attributes.joined())</entity>"
            }
            return "<model>\(entities.joined())</model>"
        }
        try withFolder { folder in
            let shop = folder.appending(path: "App/My Shop.xcdatamodeld")
            try writeBundle([model("Old")], at: shop)
            try commit("one", in: folder)
            let check = ["check", "--against", "main", "--comment", "c.md"]
            _ = try momtool(check, in: folder)
            func comment() throws -> String { try fileText(folder.appending(path: "c.md")) }
            #expect(try comment().hasPrefix("<!-- momtool -->\n<!-- momtool: nothing -->\n"))
            #expect(try comment().contains("nothing found in 1 model, 1 version"))
            try writeBundle([model("Old"), model("New")], at: shop)
            let run = try momtool(check, in: folder)
            let text = try comment()
            #expect(!text.contains("momtool: nothing"))
            #expect(!text.contains("mermaid"))
            #expect(text.contains("`momtool diff 'App/My Shop.xcdatamodeld' --against main`"))
            try expectRun(["diff", "App/My Shop.xcdatamodeld", "--against", "main"], in: folder, 0)
            let entry = try #require(text.components(separatedBy: "```yaml\n").last)
            #expect(entry.hasPrefix("losses:\n  V2: [Old0, Old1,"))
            #expect(run.output.contains(entry.components(separatedBy: "\n```")[0]))
        }
    }

    @Test(arguments: [
        "https://evil.example/x", "www.evil.example", "#1", "owner/repo#5", "GH-1", "!7",
        "deadbeef12", ":tada:", "is:tada", "[a](b)", "<b>", "`x`", "a|b", "\u{301}",
        "a" + String(repeating: "\u{301}", count: 200),
    ])
    func `a name is code in a comment, however long`(name: String) throws {
        try withFolder { folder in
            func model(_ rows: Int) -> String {
                let text = name.replacing("<", with: "&lt;")
                let parts = (0..<rows).map { number in
                    "<entity name='\(text)\(number)'><attribute name='\(text)' attributeType='String'/>"
                        + "<relationship name='\(text)e' destinationEntity='\(text)\(number)'/></entity>"
                }
                return "<model>\(parts.joined())</model>"
            }
            let isFile = name.utf8.count < 100 && !["/", "<"].contains(where: name.contains)
            let new = isFile ? name : "V2"
            let rows = name.utf8.count > 100 ? 80 : 12
            try writeBundle(
                ["V1": model(rows), new: model(rows * 3 / 4)],
                current: new,
                at: folder.appending(path: "M.xcdatamodeld")
            )
            _ = try momtool(["check", "--comment", "c.md"], in: folder)
            let text = try String(contentsOf: folder.appending(path: "c.md"), encoding: .utf8)
            #expect(text.utf8.count <= 65_536 && text.hasPrefix("<!-- momtool -->"))
            let prose = text.replacing(/(?s)(```|~~~~~~~~)(yaml|mermaid)\n.*?\n\1/, with: "")
                .replacing(
                    /(`+)[^`](?:[^`]|(?!\1)`)*?\1(?!`)/.matchingSemantics(.unicodeScalar),
                    with: ""
                )
            #expect(!prose.unicodeScalars.contains("\u{301}"), "\(prose)")
            guard !name.unicodeScalars.contains("\u{301}") else { return }
            // A colon in a name alone is nobody's mark.
            let mark = name == "is:tada" ? ":tada:" : name
            #expect(!prose.contains(mark) && !prose.contains("`"), "\(prose)")
        }
    }

    @Test func `the comment has verdicts, losses, refusals with their cures, and a diagram`() throws
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
            try writeBundle([model("")], at: shop)
            try commit("one", in: folder)
            try writeBundle(
                [model(""), model("<attribute name='rank' attributeType='Integer 16'/>", "")],
                at: shop
            )
            let run = try momtool("check --against main --comment c.md --format github", in: folder)
            #expect(run.status == 1, "\(run.errors)")
            let text = try fileText(folder.appending(path: "c.md"))
            #expect(text.hasPrefix("<!-- momtool -->\n"))
            #expect(text.contains("`App/Shop.xcdatamodeld`: main:V1 → V2: **"), "\(text)")
            #expect(text.contains("`Stop.label`") && text.contains("loses data"))
            #expect(text.contains("```mermaid\nclassDiagram"))
            #expect(text.contains("        -label String"))
            #expect(text.contains("1 unchanged"))
            // What is code mentions nobody.
            #expect(!text.replacing(/```[^`]*```|`[^`\n]*`/, with: "").contains("@here"))
            for line in run.output.split(separator: "\n") where line.hasPrefix("::") {
                #expect(!line.hasPrefix("::notice"))
                #expect(line.contains("file=App/"), "\(line)")
            }
        }
    }
}
