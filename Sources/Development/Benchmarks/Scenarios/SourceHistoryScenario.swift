import Foundation

extension Scenario {
    /// Sources of an app that grew for years; which commit wrote a store is asked of all of them.
    static let sourceHistory = Scenario(
        name: "source-history",
        summary: "a SwiftData store identified among 1,000 commits of an app of 300 Swift files"
    ) { _ in
        try withBenchmarkFolder { folder in
            let git = URL(fileURLWithPath: "/usr/bin/git")
            let input = folder.appending(path: "stream")
            try Data(SourceCommits(files: 300, entities: 40).stream(of: 1_000).utf8).write(
                to: input
            )
            _ = try MeasuredCommand(executable: git, arguments: ["init", "-q", folder.path]).run()
            var load = MeasuredCommand(
                executable: git,
                arguments: ["-C", folder.path, "fast-import", "--quiet"]
            )
            load.input = input
            _ = try load.run()
            let first = folder.appending(path: "First")
            try FileManager.default.createDirectory(at: first, withIntermediateDirectories: true)
            for (name, text) in SourceCommits(files: 0, entities: 40).models(at: 0) {
                try Data(text.utf8).write(to: first.appending(path: name))
            }
            let store = folder.appending(path: "Old.sqlite").path
            let create = ["create", store, "--model", first.path]
            _ = try MeasuredCommand(executable: momtool, arguments: create).run()
            let identify = MeasuredCommand(
                executable: momtool,
                arguments: [
                    "identify", store, "--model", folder.appending(path: "App").path, "--git",
                ]
            )
            let runs = try (0..<3).map { _ in try identify.run() }
            let least = runs.min { $0.seconds < $1.seconds }
            return [
                "\((least?.seconds ?? 0).milliseconds), "
                    + "\((least?.processorSeconds ?? 0).milliseconds) of processor time, "
                    + "\((least?.peakMemory ?? 0) >> 20) MB"
            ]
        }
    }
}

/// An app whose commits edit views mostly, methods of its classes often, and what is stored now and then.
private struct SourceCommits {
    let files: Int
    let entities: Int

    /// The commits as git reads them.
    func stream(of count: Int) -> String {
        var stream = ""
        for commit in 0..<count {
            stream += """
                commit refs/heads/main
                committer A <a@example.org> \(1_700_000_000 + 3_600 * commit) +0000
                data 1
                .

                """
            for (path, text) in edits(at: commit) {
                stream += "M 100644 inline App/\(path)\ndata \(text.utf8.count)\n\(text)\n"
            }
            stream += "\n"
        }
        return stream
    }

    /// The files of models as they are after a commit.
    func models(at commit: Int) -> [(path: String, text: String)] {
        (0..<entities).map { ("Entity\($0).swift", entity($0, at: commit)) }
    }

    private func edits(at commit: Int) -> [(path: String, text: String)] {
        guard commit > 0 else {
            return (0..<files).map { ("Views/View\($0).swift", view($0, at: 0)) }
                + models(at: 0).map { ("Models/\($0.path)", $0.text) }
        }
        var edits = [("Views/View\(commit % files).swift", view(commit % files, at: commit))]
        if commit.isMultiple(of: 3) {
            let number = commit / 3 % entities
            edits.append(("Models/Entity\(number).swift", entity(number, at: commit)))
        }
        return edits
    }

    private func entity(_ number: Int, at commit: Int) -> String {
        // Most edits are of methods; what is stored grows every 300 commits.
        let added = (0..<(commit / 300)).map { "    var extra\($0): String?\n" }.joined()
        return """
            import SwiftData

            enum State\(number): String, Codable { case open, closed }

            @Model final class Entity\(number) {
                var name: String = ""
                var count: Int = 0
                var date: Date?
                var state: State\(number) = State\(number).open
                @Relationship(deleteRule: .cascade, inverse: \\Part\(number).owner)
                var parts: [Part\(number)] = []
            \(added)
                init() {}

                func total() -> Int { count + \(commit) }
            }

            @Model final class Part\(number) {
                var title: String = ""
                var owner: Entity\(number)?
                init() {}
            }

            """
    }

    private func view(_ number: Int, at commit: Int) -> String {
        let lines = (0..<40).map {
            "            Text(\"Line \($0) of \(commit)\").padding(\($0))\n"
        }
        return """
            import SwiftUI

            struct View\(number): View {
                let entity: Entity\(number % max(1, entities))

                var body: some View {
                    VStack {
            \(lines.joined())
                    }
                }
            }

            """
    }
}
