import Foundation
import TestSupport
import Testing

struct ContinuousIntegrationTests {
    private static let action = Corpus.package.appending(path: ".github/actions/check")

    /// A folder with a locked model of one version, and cases if it is to have some.
    private func withRepository(_ body: (URL) throws -> Void) throws {
        try withFolder { folder in
            try write("String", in: folder)
            #expect(try momtool("lock App/M.xcdatamodeld", in: folder).status == 0)
            try body(folder)
        }
    }

    private func write(_ type: String, in folder: URL) throws {
        let model = folder.appending(path: "App/M.xcdatamodeld/M.xcdatamodel")
        try makeFolder(model)
        let text =
            "<model><entity name='A'><attribute name='a' optional='YES' attributeType='\(type)'/></entity></model>"
        try Data(text.utf8).write(to: model.appending(path: "contents"))
    }

    private func check(_ folder: URL, _ environment: [String: String] = [:]) throws -> CommandResult
    {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        return try result(
            of: Self.action.appending(path: "check.sh"),
            [],
            in: folder,
            environment: [
                "PATH": "\(commandFolder):\(path)",
                "GITHUB_STEP_SUMMARY": folder.appending(path: "summary.md").path,
            ].merging(environment) { $1 }
        )
    }

    @Test func `the action finds the models, and passes what is as it shipped`() throws {
        try withRepository { folder in
            let result = try check(folder, ["FAIL_ON": "error"])
            #expect(result.status == 0, "\(result.output)\(result.errors)")
            let sarif = try Data(contentsOf: folder.appending(path: "momtool.sarif"))
            let log = try JSONSerialization.jsonObject(with: sarif) as? [String: Any]
            #expect(log?["version"] as? String == "2.1.0")
            let summary = try fileText(folder.appending(path: "summary.md"))
            #expect(!summary.isEmpty)
            #expect(
                !FileManager.default.fileExists(
                    atPath: folder.appending(path: "momtool-summary.md").path
                )
            )
        }
    }

    @Test func `the action fails at the line of a shipped version that was edited`() throws {
        try withRepository { folder in
            try write("Date", in: folder)
            let result = try check(folder, ["PATHS": "App/M.xcdatamodeld\n"])
            #expect(result.status == 1)
            #expect(
                result.output.contains("::error file=App/M.xcdatamodeld/M.xcdatamodel/contents")
            )
        }
    }

    @Test func `the action runs the cases, and says so when there is no model`() throws {
        try withRepository { folder in
            let missing = try check(folder, ["PATHS": "Cases", "FAIL_ON": "error"])
            #expect(missing.status == 1 || missing.status == 66)
            let cases = folder.appending(path: "Cases/a")
            try makeFolder(cases)
            try Data("model: Nothing.xcdatamodeld\nfrom: V1\n".utf8)
                .write(to: cases.appending(path: "case.yml"))
            let broken = try check(folder)
            #expect(broken.status == 1, "\(broken.output)\(broken.errors)")
            #expect(broken.output.contains("Cases/a/case.yml"))
        }
        try withFolder { folder in
            let none = try check(folder)
            #expect(none.status == 66)
            #expect(none.output.contains("::error::"))
        }
    }

    @Test func `a base that the checkout lacks is a warning, and stands in comment and summary`()
        throws
    {
        try withRepository { folder in
            let result = try check(folder, ["GITHUB_BASE_REF": "50%", "FAIL_ON": "error"])
            #expect(result.status == 0, "\(result.output)\(result.errors)")
            let warning = result.output.split(separator: "\n").first { $0.hasPrefix("::warning") }
            #expect(warning?.contains("'50%25'") == true)
            #expect(warning?.contains("fetch-depth: 0") == true)
            for name in ["momtool-comment.md", "summary.md"] {
                let text = try fileText(folder.appending(path: name))
                #expect(text.hasPrefix("<!-- momtool -->\n"), "\(name)")
                #expect(text.contains("'50%'"), "\(name): \(text)")
                #expect(text.contains("fetch-depth: 0"), "\(name)")
            }
            #expect(try !check(folder).output.contains("fetch-depth"))
        }
    }

    @Test func `GitLab's job goes on where its clone lacks the base, and says so in the note`()
        throws
    {
        let template = Corpus.package.appending(path: ".ci/gitlab.yml")
        let text = try fileText(template)
        #expect(text.contains("    GIT_DEPTH: \"0\"\n"))
        let script = try #require(gitLabScript(of: "momtool:check", in: text))
        try withRepository { origin in
            try commit("one", in: origin)
            let base = try git("rev-parse", "main", in: origin).output.trimmingCharacters(
                in: .whitespacesAndNewlines
            )
            try write("Date", in: origin)
            try git("commit", "-qam", "two", in: origin)
            try withFolder { folder in
                for (clone, words) in [("whole", []), ("shallow", ["--depth", "1"])] {
                    let cloned = try result(
                        of: URL(filePath: "/usr/bin/env"),
                        ["git", "clone", "-q"] + words + ["file://\(origin.path)", clone],
                        in: folder
                    )
                    #expect(cloned.status == 0, "\(cloned.errors)")
                    let place = folder.appending(path: clone)
                    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
                    let run = try result(
                        of: URL(filePath: "/bin/sh"),
                        ["-c", script],
                        in: place,
                        environment: [
                            "PATH": "\(commandFolder):\(path)",
                            "CI_MERGE_REQUEST_DIFF_BASE_SHA": base,
                        ]
                    )
                    #expect(run.status == 1, "\(run.output)\(run.errors)")
                    let note = try fileText(place.appending(path: "momtool-note.md"))
                    #expect(note.hasPrefix("<!-- momtool -->\n"), "\(note)")
                    let isMissing = note.contains("GIT_DEPTH")
                    #expect(isMissing == (clone == "shallow"), "\(note)")
                    #expect(!isMissing || note.contains("'\(base)'"), "\(note)")
                    #expect(run.output.contains("since \(base)") == !isMissing, "\(run.output)")
                }
            }
        }
    }

    @Test func `the action installs the release that it is of`() throws {
        let text = try fileText(Self.action.appending(path: "action.yml"))
        let version = try momtool("--version").output.split(separator: "\n").first ?? ""
        let match = try #require(
            text.firstMatch(of: /\n  version:\n    description: .*\n    default: "(.*)"\n/)
        )
        #expect(match.output.1 == version)
        // One version of what uploads, here by its hash and on the page.
        let page = try fileText(pagesFolder.appending(path: "CheckingModels.md"))
        let uploads = (text + page).matches(of: /upload-sarif@(?:[0-9a-f]{40} # )?(v\d+)/)
        #expect(uploads.count >= 2 && Set(uploads.map(\.output.1)).count == 1, "\(uploads)")
        #expect(!text.contains(/uses: [^@\n]+@v\d/))
    }

    @Test func `the steps of the action are its scripts`() throws {
        let text = try fileText(Self.action.appending(path: "action.yml"))
        // Each script reads what its step sets.
        let steps = text.components(separatedBy: "    - name: ")
        for script in ["install.sh", "check.sh", "scanning.sh", "comment.sh"] {
            let step = try #require(steps.first { $0.contains("$GITHUB_ACTION_PATH/\(script)") })
            let path = Self.action.appending(path: script).path
            #expect(FileManager.default.isExecutableFile(atPath: path))
            let source = try String(contentsOfFile: path, encoding: .utf8)
            let names = step.matches(of: /^ {8}([A-Z_]+): \$/.anchorsMatchLineEndings())
                .map { String($0.1) }
            #expect(!names.isEmpty)
            for name in names {
                #expect(source.contains("$" + name) || source.contains("${\(name)"), "\(name)")
            }
        }
    }
}

/// The script of a job of GitLab's template, as its shell runs it; `nil` where it has none.
func gitLabScript(of job: String, in template: String) -> String? {
    guard let name = template.range(of: "\n\(job):\n"),
        let start = template[name.upperBound...].range(of: "    - |\n")
    else { return nil }
    let lines = template[start.upperBound...].components(separatedBy: "\n")
        .prefix { $0.hasPrefix("      ") }
    return "set -e\n" + lines.joined(separator: "\n")
}
