import Foundation
import TestSupport
import Testing

struct BatchTests {
    private func prepared(_ body: (URL) throws -> Void) throws {
        try withFolder { folder in
            let names = ["V1": "", "V2": "V2", "V10": "V10"]
            try writeBundle(
                names.mapValues { name in
                    let extra =
                        name.isEmpty
                        ? "" : "<attribute name='\(name)' attributeType='Date' optional='YES'/>"
                    return
                        "<model><entity name='A'><attribute name='a' optional='YES' attributeType='String'/>\(extra)</entity></model>"
                },
                "M.xcdatamodeld",
                in: folder,
                current: "V10"
            )
            #expect(
                try momtool("create good.sqlite --model M.xcdatamodeld#V1", in: folder)
                    .status == 0
            )
            try write("this is no store", to: folder.appending(path: "bad.sqlite"))
            try body(folder)
        }
    }

    private func write(_ text: String, to file: URL) throws {
        try makeFolder(file.deletingLastPathComponent())
        try Data(text.utf8).write(to: file)
    }

    @Test(arguments: ["migrate", "repair"])
    func `a second name that a killed run left goes with the next one`(command: String) throws {
        try prepared { folder in
            let model = command == "migrate" ? "M.xcdatamodeld" : "M.xcdatamodeld#V1"
            let arguments = [command, "good.sqlite", "--model", model, "-o", "New.sqlite"]
            let first = try momtool(arguments, in: folder)
            #expect(first.status == 0, "\(first.errors)")
            let place = folder.appending(path: "New.sqlite").path
            let second = folder.appending(path: ".New.sqlite.momtool-\(UUID().uuidString)").path
            #expect(link(place, second) == 0)
            let again = try momtool(arguments + ["--skip-done"], in: folder)
            #expect(again.status == 0, "\(again.errors)")
            #expect(!FileManager.default.fileExists(atPath: second))
        }
    }

    @Test(arguments: 4...16)
    func `too few files that may be open are said, and nothing is written`(limit: Int) throws {
        try prepared { folder in
            for words in [
                "check", "hash M.xcdatamodeld",
                "migrate good.sqlite --model M.xcdatamodeld -o New.sqlite",
            ] {
                let run = try shell("ulimit -n \(limit); exec $m \(words)", in: folder)
                #expect(run.status == 74 && !run.wasKilled, "\(words): \(run)")
                #expect(run.errors.contains("ulimit -n"), "\(words): \(run)")
            }
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            #expect(names.count == 3, "\(names)")
        }
    }

    @Test(arguments: ["identify", "inspect", "verify"])
    func `one bad store stops no other`(command: String) throws {
        try prepared { folder in
            let model = command == "inspect" ? [] : ["--model", "M.xcdatamodeld"]
            let arguments =
                [command, "bad.sqlite", "missing.sqlite", "good.sqlite"] + model
                + ["--format", "json=out.json"]
            try expectRun(arguments, in: folder, 65, errors: ["bad.sqlite", "missing.sqlite"])
            let file = folder.appending(path: "out.json")
            #expect(try fileText(file).contains(command == "verify" ? "bad.sqlite" : "good.sqlite"))
        }
    }

    @Test func `one bad case stops no other, and the report is written`() throws {
        try prepared { folder in
            try write("nonsense: [", to: folder.appending(path: "Cases/bad/case.yml"))
            try write(
                "model: ../../M.xcdatamodeld\nfrom: V1\nto: V2\n",
                to: folder.appending(path: "Cases/good/case.yml")
            )
            try write(
                #"{"A": [{"@id": "p1", "a": "x"}]}"#,
                to: folder.appending(path: "Cases/good/before.json")
            )
            try write(
                #"{"A": [{"@id": "p1", "a": "x"}]}"#,
                to: folder.appending(path: "Cases/good/after.json")
            )
            try expectRun("test Cases --format junit=out.xml", in: folder, 1)
            let report = try fileText(folder.appending(path: "out.xml"))
            #expect(report.contains("tests=\"2\""))
            #expect(report.contains("failures=\"1\""))
        }
    }

    @Test func `a version that cannot be read stands aside`() throws {
        try prepared { folder in
            try write(
                "<model><entity",
                to: folder.appending(path: "M.xcdatamodeld/V2.xcdatamodel/contents")
            )
            try makeFolder(folder.appending(path: "M.xcdatamodeld/V3.xcdatamodel"))
            try write("old", to: folder.appending(path: "M.xcdatamodeld/V3.xcdatamodel/elements"))
            let identity = try momtool("identify good.sqlite --model M.xcdatamodeld", in: folder)
            #expect(identity.status == 0)
            #expect(identity.errors.contains("V2.xcdatamodel/contents:1:15: warning: "))
            let migration = try momtool(
                "migrate good.sqlite --allow-data-loss --model M.xcdatamodeld -o new.sqlite",
                in: folder
            )
            #expect(migration.status == 0)
            #expect(try momtool("lint M.xcdatamodeld", in: folder).status == 1)
            #expect(try momtool("compile M.xcdatamodeld -o .", in: folder).status != 0)
            let asked = try momtool("hash M.xcdatamodeld#V2", in: folder)
            #expect(asked.status == 65)
            #expect(asked.errors.contains("V2.xcdatamodel/contents"))
            let lock = try momtool("lock M.xcdatamodeld", in: folder)
            #expect(lock.output.contains("left out: V2 (cannot be read), V3 (cannot be read)"))
        }
    }

    /// A variable of a script that is not set.
    @Test(arguments: [["--allow-data-loss", ""], ["--allow-data-loss="], [""]])
    func `an empty word allows nothing, and is no store`(_ words: [String]) throws {
        try prepared { folder in
            let store = folder.appending(path: "good.sqlite")
            let before = try Data(contentsOf: store)
            let migrate = ["migrate", "good.sqlite", "--model", "M.xcdatamodeld", "--in-place"]
            #expect(try momtool(migrate + words, in: folder).status == 64)
            #expect(try Data(contentsOf: store) == before)
        }
    }

    @Test func `a lock covers every version but those that are named`() throws {
        try prepared { folder in
            try write(
                "<plist version=\"1.0\"><dict/></plist>",
                to: folder.appending(path: "M.xcdatamodeld/.xccurrentversion")
            )
            let lock = try momtool("lock M.xcdatamodeld --unshipped V10", in: folder)
            #expect(lock.status == 0)
            #expect(lock.output.contains("2 versions locked"))
            #expect(lock.output.contains("left out: V10"))
            #expect(try momtool("lock M.xcdatamodeld", in: folder).status == 3)
            try write("losses: {V10: [A.V2]}", to: folder.appending(path: ".momtool.yml"))
            let all = try momtool("lock M.xcdatamodeld", in: folder)
            #expect(all.output.contains("3 versions locked, 1 new"))
            #expect(!all.output.contains("left out"))
        }
    }

    @Test func `each of several stores has its line and its part of the report`() throws {
        try prepared { folder in
            let stores = ["bad.sqlite", "missing.sqlite", "good.sqlite"]
            let run = try momtool(
                ["migrate"] + stores
                    + ["--model", "M.xcdatamodeld", "-o", "New", "--format", "json=out.json"],
                in: folder
            )
            // The worst of all: a missing store counts for more than a damaged one.
            #expect(run.status == 66)
            #expect(run.errors.contains("bad.sqlite: error: this is a text file, not an SQLite"))
            #expect(run.errors.contains("missing.sqlite: error: no such file"))
            #expect(run.output.contains("good.sqlite: V1 → V10"))
            let data = try Data(contentsOf: folder.appending(path: "out.json"))
            let report = try JSONSerialization.jsonObject(with: data) as? [String: Any]
            let parts = report?["stores"] as? [[String: Any]] ?? []
            #expect(parts.compactMap { $0["store"] as? String } == stores)
            #expect(
                parts.compactMap { $0["status"] as? String } == ["failed", "failed", "migrated"]
            )
        }
    }

    @Test func `models and stores are inspected together, whatever one of them is`() throws {
        try prepared { folder in
            try write("<model><entity", to: folder.appending(path: "Bad.xcdatamodel/contents"))
            let places = ["M.xcdatamodeld", "bad.sqlite", "Bad.xcdatamodel", "good.sqlite"]
            let text = try momtool(["inspect"] + places, in: folder)
            #expect(text.status == 65)
            #expect(text.errors.contains("bad.sqlite: error:"))
            #expect(text.errors.contains("Bad.xcdatamodel/contents:1:"))
            #expect(text.output.contains("good.sqlite\n"))
            #expect(text.output.contains("M.xcdatamodeld"))
            try expectRun(["inspect"] + places + ["--format", "json=out.json"], in: folder, 65)
            let data = try Data(contentsOf: folder.appending(path: "out.json"))
            let parts = try JSONSerialization.jsonObject(with: data) as? [[String: Any]] ?? []
            #expect(parts.first?["model"] as? String == "M.xcdatamodeld")
            #expect(parts.map { $0["error"] == nil } == [true, false, false, true])
            #expect(String(decoding: data, as: UTF8.self).contains("good.sqlite"))
        }
    }

    @Test func `what is there twice is read with a warning by every command but lint`() throws {
        try prepared { folder in
            let index =
                "<fetchIndex name='byA'><fetchIndexElement property='a' type='Binary' order='ascending'/></fetchIndex>"
            let configuration = "<configuration name='C'><memberEntity name='A'/></configuration>"
            for (version, extra) in [
                ("V1", ""), ("V2", "<attribute name='b' optional='YES' attributeType='Date'/>"),
            ] {
                let attribute = "<attribute name='a' optional='YES' attributeType='String'/>"
                try write(
                    "<model><entity name='A'>\(attribute)\(extra)\(index)\(index)</entity>"
                        + "\(configuration)\(configuration)</model>",
                    to: folder.appending(path: "D.xcdatamodeld/\(version).xcdatamodel/contents")
                )
            }
            for line in [
                "hash D.xcdatamodeld", "compile D.xcdatamodeld -o Out",
                "decompile Out/D.momd -o Back", "create d.sqlite --model D.xcdatamodeld#V1",
                "identify d.sqlite --model D.xcdatamodeld",
                "verify d.sqlite --model D.xcdatamodeld",
                "export d.sqlite --model D.xcdatamodeld#V1 -o d.json",
                "migrate d.sqlite --model D.xcdatamodeld#V2 -o e.sqlite",
                "lock D.xcdatamodeld", "diff D.xcdatamodeld --from V1 --to V2", "inspect d.sqlite",
            ] {
                let run = try momtool(line.split(separator: " ").map(String.init), in: folder)
                #expect(run.status == 0, "\(line): \(run.errors)")
                #expect(run.errors.contains("exists already [duplicate-name]"), "\(line)")
            }
            #expect(try momtool("lint D.xcdatamodeld", in: folder).status == 1)
        }
    }

    @Test func `the order of versions may be said`() throws {
        try prepared { folder in
            func names() throws -> [String] {
                let output = try momtool("hash M.xcdatamodeld", in: folder).output
                return ["V1", "V2", "V10"].compactMap { name in
                    output.range(of: "\(name)\n").map { ($0.lowerBound, name) }
                        ?? output.range(of: "\(name) ").map { ($0.lowerBound, name) }
                }.sorted { $0.0 < $1.0 }.map(\.1)
            }
            #expect(try names() == ["V1", "V2", "V10"])
            try write("order: [V10, V1]\n", to: folder.appending(path: ".momtool.yml"))
            #expect(try names() == ["V10", "V1", "V2"])
        }
    }

    @Test(arguments: ["compile", "decompile"])
    func `one bad model stops no other`(command: String) throws {
        try prepared { folder in
            try write("<model", to: folder.appending(path: "Bad.xcdatamodel/contents"))
            let models = ["Bad.xcdatamodel", "M.xcdatamodeld"]
            for models in [models, models.reversed()] {
                let run = try expectRun([command] + models + ["-o", "Out"], in: folder, 65)
                #expect(run.errors.split(separator: "\n").count == 1, "\(run.errors)")
                #expect(run.output.contains("Out/M."), "\(run.output)")
                let form = command == "compile" ? "momd" : "xcdatamodeld"
                let made = folder.appending(path: "Out/M.\(form)")
                #expect(FileManager.default.fileExists(atPath: made.path))
                try FileManager.default.removeItem(at: folder.appending(path: "Out"))
            }
            let told = try momtool(
                [command] + models + ["-o", "Out", "--format", "json"],
                in: folder
            )
            #expect(told.output.contains("malformed-xml"), "\(told.output)")
            #expect(told.output.contains("Out/M."), "\(told.output)")
        }
    }

    @Test func `a list of what was looked at keeps what could not be read`() throws {
        try prepared { folder in
            let run = try momtool("inspect missing.sqlite good.sqlite --format json", in: folder)
            #expect(run.status == 66)
            let list = try JSONSerialization.jsonObject(with: Data(run.output.utf8))
            let reports = try #require(list as? [[String: Any]])
            #expect(reports.count == 2)
            #expect(reports[0]["path"] as? String == "missing.sqlite")
            #expect(reports[0]["error"] as? String == "no such file or folder")
            #expect(reports[1]["store"] as? String == "good.sqlite")
            try write("<model", to: folder.appending(path: "Bad.xcdatamodel/contents"))
            let bad = try momtool("inspect Bad.xcdatamodel", in: folder)
            #expect(bad.errors.split(separator: "\n").count == 1, "\(bad.errors)")
        }
    }

    @Test func `as many faults of a file are told as anybody reads`() throws {
        try prepared { folder in
            let names = Array(repeating: "V1", count: 5000).joined(separator: ", ")
            try write("order: [\(names)]\n", to: folder.appending(path: ".momtool.yml"))
            let run = try momtool("hash M.xcdatamodeld", in: folder)
            let lines = (run.output + run.errors).split(separator: "\n")
            #expect(lines.count < 120)
            #expect(run.errors.contains("there is more wrong than these 100"))
        }
    }
}
