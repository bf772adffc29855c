import Foundation

extension Scenario {
    /// A model that lived long was edited often; which edit wrote a store is asked of all of them.
    static let history = Scenario(
        name: "history",
        summary:
            "a store identified among 307 contents of 50 kB in the history of a model, under 3 s"
    ) { _ in
        try withBenchmarkFolder { folder in
            let bundle = folder.appending(path: "Big.xcdatamodeld")
            _ = try writeBundle(at: bundle, versions: 307)
            var stream = Data()
            for version in 1...307 {
                let source = bundle.appending(path: "V\(version).xcdatamodel/contents")
                let bytes = try Data(contentsOf: source)
                let head = """
                    commit refs/heads/main
                    committer A <a@example.org> \(1_700_000_000 + version) +0000
                    data 1
                    .
                    M 100644 inline App/Big.xcdatamodeld/V.xcdatamodel/contents
                    data \(bytes.count)

                    """
                stream += Data(head.utf8) + bytes + Data("\n".utf8)
            }
            let input = folder.appending(path: "stream")
            try stream.write(to: input)
            let git = URL(fileURLWithPath: "/usr/bin/git")
            _ = try MeasuredCommand(executable: git, arguments: ["init", "-q", folder.path]).run()
            var load = MeasuredCommand(
                executable: git,
                arguments: ["-C", folder.path, "fast-import", "--quiet"]
            )
            load.input = input
            _ = try load.run()
            let store = folder.appending(path: "Old.sqlite").path
            let create = ["create", store, "--model", bundle.path, "--version", "V1"]
            _ = try MeasuredCommand(executable: momtool, arguments: create).run()
            let model = folder.appending(path: "App/Big.xcdatamodeld").path
            let identify = MeasuredCommand(
                executable: momtool,
                arguments: ["identify", store, "--model", model, "--git"]
            )
            let runs = try (0..<5).map { _ in try identify.run() }
            let least = runs.min { $0.seconds < $1.seconds }
            return [
                "\((least?.seconds ?? 0).milliseconds), "
                    + "\((least?.processorSeconds ?? 0).milliseconds) of processor time"
            ]
        }
    }
}
