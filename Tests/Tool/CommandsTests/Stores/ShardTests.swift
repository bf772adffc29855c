import Foundation
import TestSupport
import Testing

/// Several processes with a shard each do every store and case once, and their reports are those of one.
struct ShardTests {
    private static let model = Corpus.package.appending(path: "Models/Library.xcdatamodeld").path
    private static let names = (1...7).map { "Device-\($0).sqlite" }
    /// The shard of each of them, of three, by the hash of its name.
    private static let shards = [1, 1, 1, 2, 0, 1, 1]

    /// Runs three processes at a time, one for each shard.
    private func inShards(_ arguments: (Int) -> [String], in folder: URL) throws -> [CommandResult]
    {
        let processes = try (1...3).map { shard in
            let process = Process()
            let output = folder.appending(path: "said-\(shard)")
            _ = FileManager.default.createFile(atPath: output.path, contents: nil)
            process.executableURL = commandURL
            process.arguments = arguments(shard) + ["--shard", "\(shard)/3"]
            process.currentDirectoryURL = folder
            process.standardOutput = try FileHandle(forWritingTo: output)
            try process.run()
            return (process, output)
        }
        return try processes.map { process, output in
            process.waitUntilExit()
            return CommandResult(
                status: process.terminationStatus,
                output: try String(contentsOf: output, encoding: .utf8),
                errors: ""
            )
        }
    }

    private func withStores(_ body: (URL) throws -> Void) throws {
        try withFolder { folder in
            let store = Corpus.package.appending(path: "Fixtures/Library-V1.sqlite")
            for name in Self.names {
                try FileManager.default.copyItem(at: store, to: folder.appending(path: name))
            }
            try body(folder)
        }
    }

    @Test func `three shards migrate every store once`() throws {
        try withStores { folder in
            let results = try inShards(
                { _ in
                    ["migrate"] + Self.names + ["--model", Self.model, "--to", "V2", "-o", "New"]
                },
                in: folder
            )
            #expect(results.map(\.status) == [0, 0, 0])
            let counts = results.map {
                $0.output.split(separator: "\n").count { $0.hasPrefix("Device-") }
            }
            #expect(counts == [1, 5, 1])
            let made = try FileManager.default.contentsOfDirectory(
                atPath: folder.appending(path: "New").path
            )
            #expect(made.filter { $0.hasSuffix(".sqlite") }.sorted() == Self.names)
        }
    }

    @Test(arguments: ["verify", "identify"])
    func `three shards look at every store once`(command: String) throws {
        try withStores { folder in
            try Data("this is no store".utf8).write(to: folder.appending(path: Self.names[4]))
            let results = try inShards(
                { shard in
                    [command] + Self.names
                        + ["--model", Self.model, "--format", "json=\(shard).json"]
                },
                in: folder
            )
            // The fifth store is the first one's.
            #expect(results.map { $0.status == 65 } == [true, false, false])
            let reports = try (1...3).map {
                try String(contentsOf: folder.appending(path: "\($0).json"), encoding: .utf8)
            }
            for (place, name) in Self.names.enumerated() where place != 4 {
                #expect(
                    reports.indices.filter { reports[$0].contains(name) } == [Self.shards[place]]
                )
            }
        }
    }

    @Test func `the reports of three shards of cases are joined to that of one`() throws {
        try withFolder { folder in
            let cases = Corpus.package.appending(path: "Fixtures/Cases").path
            let some = try FileManager.default.contentsOfDirectory(atPath: cases)
                .filter { $0.hasPrefix("attribute-added") }.sorted()
            #expect(some.count >= 5)
            // Cases name their model by a path from where they lie.
            for name in some {
                try FileManager.default.createDirectory(
                    at: folder.appending(path: "Fixtures/Cases"),
                    withIntermediateDirectories: true
                )
                try FileManager.default.copyItem(
                    atPath: cases + "/" + name,
                    toPath: folder.appending(path: "Fixtures/Cases/\(name)").path
                )
            }
            try FileManager.default.createSymbolicLink(
                at: folder.appending(path: "Models"),
                withDestinationURL: Corpus.package.appending(path: "Models")
            )
            let results = try inShards(
                { ["test", "Fixtures/Cases", "--format", "junit=\($0).xml"] },
                in: folder
            )
            #expect(results.map(\.status) == [0, 0, 0])
            let joined = try momtool(
                ["test", "--merge-junit", "1.xml", "2.xml", "3.xml", "-o", "all.xml"],
                in: folder
            )
            #expect(joined.status == 0, "\(joined.errors)")
            let report = try String(contentsOf: folder.appending(path: "all.xml"), encoding: .utf8)
            #expect(report.contains("tests=\"\(some.count)\""))
            for name in some {
                #expect(report.components(separatedBy: "name=\"\(name)\"").count == 2, "\(name)")
            }
        }
    }

    @Test(
        arguments: [
            ("json", ["verify"], "\"command\" : \"verify\""),
            ("sarif", ["verify"], "\"runs\""),
            ("gitlab", ["verify"], "["),
            ("junit", ["verify"], "<testsuites"),
            ("json", ["identify", "--model", model], "\"versions\""),
        ]
    )
    func `the reports of three shards join into one of their form`(
        format: String,
        command: [String],
        mark: String
    ) throws {
        try withStores { folder in
            // One store is of another kind, so that there is something to report.
            try Data("no store".utf8).write(to: folder.appending(path: Self.names[3]))
            _ = try inShards(
                { command + Self.names + ["--format", "\(format)=part-\($0).txt"] },
                in: folder
            )
            let parts = (1...3).map { "part-\($0).txt" }
            let joined = try momtool(["join-reports"] + parts, in: folder)
            #expect(joined.output.contains(mark))
            #expect(joined.status == 1)
            let whole = try momtool(command + Self.names + ["--format", format], in: folder)
            let named = { (text: String) in
                Self.names.filter { text.contains($0) }
            }
            #expect(named(joined.output) == named(whole.output))
            let other = try momtool(["join-reports", parts[0], "Device-1.sqlite"], in: folder)
            #expect(other.status == 65)
            #expect(other.errors.contains("error:"))
        }
    }

    @Test(arguments: ["xml", "json"])
    func `a shard of cases that got lost, or is there twice, is no success`(form: String) throws {
        try withFolder { folder in
            let source =
                "<model><entity name='A'><attribute name='a' attributeType='String'/></entity></model>"
            try writeBundle(
                ["V1": source],
                current: "V1",
                at: folder.appending(path: "M.xcdatamodeld")
            )
            for name in ["a", "b", "c", "d", "e"] {
                let text =
                    "model: ../M.xcdatamodeld\nfrom: V1\nto: V1\nbefore: {A: {a: x}}\nafter: {A: {a: x}}\n"
                let place = folder.appending(path: "Cases/\(name)")
                try FileManager.default.createDirectory(
                    at: place,
                    withIntermediateDirectories: true
                )
                try Data(text.replacing("../M", with: "../../M").utf8)
                    .write(to: place.appending(path: "case.yml"))
            }
            let format = form == "xml" ? "junit" : "json"
            let results = try inShards(
                { ["test", "Cases", "--format", "\(format)=\($0).\(form)"] },
                in: folder
            )
            #expect(results.map(\.status) == [0, 0, 0])
            func join(_ numbers: [String], _ name: String = "all") throws -> CommandResult {
                let files = numbers.map { "\($0).\(form)" }
                let output = ["-o", "\(name).\(form)"]
                return try momtool(["join-reports"] + files + output, in: folder)
            }
            let whole = try join(["1", "2", "3"])
            #expect(whole.status == 0 && whole.errors.isEmpty, "\(whole.errors)")
            let lost = try join(["1", "3"])
            #expect(lost.status == 1)
            #expect(
                lost.errors.contains("1.\(form): error: no report is of shard 2/3"),
                "\(lost.errors)"
            )
            #expect(lost.errors.contains("[missing-shard]"))
            // What was joined joins again.
            let rest = try join(["all", "2"], "whole")
            #expect(rest.status == 0 && rest.errors.isEmpty, "\(rest.errors)")
            let double = try join(["1", "1", "2", "3"])
            #expect(double.status == 1)
            #expect(double.errors.contains("2 reports are of shard 1/3"), "\(double.errors)")
            guard form == "xml" else { return }
            let merge = ["test", "--merge-junit", "1.xml", "2.xml", "-o", "merged.xml"]
            let merged = try momtool(merge, in: folder)
            #expect(merged.status == 1 && merged.errors.contains("no report is of shard 3/3"))
        }
    }
}
