import Foundation
import TestSupport
import Testing
import YAMLReading

/// The hooks of pre-commit: what starts them, and what they run.
struct HookTests {
    /// The hook's entry by its ID.
    private func hooks() throws -> [String: YAMLNode.Mapping] {
        let text = try fileText(Corpus.package.appending(path: ".pre-commit-hooks.yaml"))
        let list = try #require(parseYAML(text)?.sequence).compactMap(\.mapping)
        return Dictionary(uniqueKeysWithValues: list.map { ($0["id"]?.string ?? "", $0) })
    }

    @Test(arguments: [
        (".momtool.yml", "check"), ("Cases/a/case.yml", "check"), ("Cases/a/before.json", "check"),
        ("App/Shop.swift", "check lock"), ("App/Stages.yaml", "check"),
        ("App/M.xcdatamodeld/M.xcdatamodel/contents", "check lint lock"),
        ("App/M.xcdatamodeld/.xccurrentversion", "check lint lock"),
        ("App/M.xcdatamodeld.lock", "check lock"), ("Sources/Shop.lock", "check lock"),
        ("A.xcmappingmodel/xcmapping.xml", "check"), ("README.md", ""), ("App/Icon.png", ""),
    ])
    func `a hook starts for what its answer depends on`(path: String, started: String) throws {
        let names = try hooks().filter { _, hook in
            let pattern = try Regex(#require(hook["files"]?.string))
            return path.contains(pattern)
        }.keys
        #expect(names.sorted() == started.split(separator: " ").map { "momtool-\($0)" })
    }

    @Test func `a hook runs once, that of cases for the whole repository`() throws {
        for (name, hook) in try hooks() {
            #expect(hook["require_serial"]?.string == "true", "\(name)")
        }
        let check = try #require(hooks()["momtool-check"])
        #expect(check["entry"]?.string == "momtool check")
        #expect(check["pass_filenames"]?.string == "false")
    }

    @Test(arguments: [
        (
            "lint",
            "App/M.xcdatamodeld/A.xcdatamodel/contents App/M.xcdatamodeld/B.xcdatamodel/contents",
            "lint ./App/M.xcdatamodeld"
        ),
        ("lint", "-y.xcdatamodeld/-y.xcdatamodel/contents", "lint ./-y.xcdatamodeld"),
        ("lint", "--y.xcdatamodeld/contents", "lint ./--y.xcdatamodeld"),
        ("lint", "Gone.xcdatamodeld/contents README.md", ""),
        (
            "lock --check", "App/M.xcdatamodeld.lock App/M.xcdatamodeld/A.xcdatamodel/contents",
            "lock ./App/M.xcdatamodeld --check"
        ),
        ("lock --check", "-y.xcdatamodeld/-y.xcdatamodel/contents", ""),
        ("lock --check", "Sources/Shop/V1.swift Sources/Shop.lock", "lock ./Sources/Shop --check"),
        ("lock --check", "One.swift One.lock", "lock ./One.swift --check"),
        ("lock --check", "Other.swift", ""),
    ])
    func `a hook runs momtool on the models of the files`(
        command: String,
        files: String,
        run: String
    ) throws {
        try withFolder { folder in
            for path in [
                "App/M.xcdatamodeld", "-y.xcdatamodeld", "--y.xcdatamodeld", "Sources/Shop", "bin",
            ] {
                try makeFolder(folder.appending(path: path))
            }
            for path in [
                "App/M.xcdatamodeld.lock", "Sources/Shop.lock", "One.swift", "One.lock",
                "Other.swift",
            ] {
                try Data().write(to: folder.appending(path: path))
            }
            let program = folder.appending(path: "bin/momtool")
            try Data("#!/bin/sh\necho \"$@\"\n".utf8).write(to: program)
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o755],
                ofItemAtPath: program.path
            )
            let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
            let hook = try result(
                of: Corpus.package.appending(path: ".ci/pre-commit"),
                (command + " -- " + files).split(separator: " ").map(String.init),
                in: folder,
                environment: ["PATH": "\(folder.path)/bin:\(path)"]
            )
            #expect(hook.status == 0 && hook.errors.isEmpty, "\(hook.errors)")
            #expect(hook.output == (run.isEmpty ? "" : run + "\n"))
        }
    }

    @Test func `the hook of locks refuses an edited version alone`() throws {
        try withFolder { folder in
            func locked(_ type: String) throws -> Int32 {
                let text =
                    "<model><entity name='A'><attribute name='a' attributeType='\(type)'/></entity></model>"
                try writeBundle(["M": text], "-y.xcdatamodeld", in: folder)
                let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
                return try result(
                    of: Corpus.package.appending(path: ".ci/pre-commit"),
                    ["lock", "--check", "--", "-y.xcdatamodeld/M.xcdatamodel/contents"],
                    in: folder,
                    environment: ["PATH": "\(commandFolder):\(path)"]
                ).status
            }
            let unlocked = try locked("String")
            let made = try momtool("lock ./-y.xcdatamodeld", in: folder).status
            let same = try locked("String")
            let edited = try locked("Date")
            #expect([unlocked, made, same, edited] == [0, 0, 0, 1])
        }
    }
}

/// GitLab's template, by GitLab's own rules of what is in a pipeline and which variable counts.
struct GitLabTemplateTests {
    private struct Job {
        var conditions: [String]
        var needs: [String]
        var variables: [String]
    }

    private let text: String
    private let jobs: [String: Job]

    init() throws {
        text = try fileText(Corpus.package.appending(path: ".ci/gitlab.yml"))
        let root = try #require(parseYAML(text)?.mapping)
        let common = try #require(root[".momtool"]?.mapping)
        var jobs: [String: Job] = [:]
        for (key, value) in root {
            let own = try #require(value.mapping)
            let rules = (own["rules"] ?? common["rules"])?.sequence ?? []
            jobs[key.string ?? ""] = Job(
                conditions: rules.compactMap { $0.mapping?["if"]?.string },
                needs: own["needs"]?.sequence?.compactMap { $0.mapping?["job"]?.string } ?? [],
                variables: own["variables"]?.mapping?.compactMap(\.key.string) ?? []
            )
        }
        self.jobs = jobs
    }

    private func holds(_ condition: String, _ variables: [String: String]) -> Bool {
        condition.components(separatedBy: " && ").allSatisfy { term in
            let parts = term.components(separatedBy: " == ")
            let value = variables[String(parts[0].dropFirst())]
            guard parts.count == 2 else { return value?.isEmpty == false }
            return parts[1] == "null" ? value == nil : "\"\(value ?? "")\"" == parts[1]
        }
    }

    @Test(arguments: [
        ("CI_PIPELINE_SOURCE=merge_request_event CI_MERGE_REQUEST_IID=7", "check"),
        (
            "CI_PIPELINE_SOURCE=merge_request_event CI_MERGE_REQUEST_IID=7 MOMTOOL_TOKEN=a",
            "check note"
        ),
        (
            "CI_PIPELINE_SOURCE=merge_request_event CI_MERGE_REQUEST_IID=7 MOMTOOL_CASES=Cases",
            "check test"
        ),
        ("CI_PIPELINE_SOURCE=push CI_COMMIT_BRANCH=main", "check"),
        ("CI_PIPELINE_SOURCE=push CI_COMMIT_BRANCH=main MOMTOOL_CASES=", "check"),
        ("CI_PIPELINE_SOURCE=push CI_COMMIT_BRANCH=main MOMTOOL_CASES=Cases", "check test"),
        ("CI_PIPELINE_SOURCE=push CI_COMMIT_BRANCH=topic CI_OPEN_MERGE_REQUESTS=a!7", ""),
        ("CI_PIPELINE_SOURCE=push CI_COMMIT_TAG=1.0 MOMTOOL_TOKEN=a", "check"),
    ])
    func `each kind of pipeline has its jobs, and what they need`(set: String, run: String) {
        let variables = set.split(separator: " ").reduce(into: [String: String]()) {
            let parts = $1.split(separator: "=", omittingEmptySubsequences: false)
            $0[String(parts[0])] = String(parts[1])
        }
        let held = jobs.filter { name, job in
            !name.hasPrefix(".") && job.conditions.contains { holds($0, variables) }
        }
        #expect(held.keys.sorted() == run.split(separator: " ").map { "momtool:\($0)" })
        for (name, job) in held {
            #expect(job.needs.allSatisfy { held[$0] != nil }, "\(name)")
        }
    }

    /// A variable of a job counts more than one of the file that includes it.
    @Test func `what the template tells people to set counts`() {
        let told = text.matches(of: /(?m)^#   (MOMTOOL_\w+):/).map { String($0.output.1) }
        #expect(told.count >= 2)
        for (name, job) in jobs { #expect(Set(job.variables).isDisjoint(with: told), "\(name)") }
    }

    @Test(arguments: [("", 0), ("App", 0), ("Other App", 66)])
    func `the job checks the paths that are set`(paths: String, status: Int32) throws {
        let script = try #require(gitLabScript(of: "momtool:check", in: text))
        try withFolder { folder in
            try writeBundle(["M": "<model/>"], "App/M.xcdatamodeld", in: folder)
            let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
            let environment = ["PATH": "\(commandFolder):\(path)"]
            let checked = try result(
                of: URL(filePath: "/bin/sh"),
                ["-c", script],
                in: folder,
                environment: paths.isEmpty
                    ? environment : environment.merging(["MOMTOOL_PATHS": paths]) { $1 }
            )
            #expect(checked.status == status, "\(checked.output)\(checked.errors)")
        }
    }
}
