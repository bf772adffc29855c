import Foundation
import TestSupport
import Testing

struct BatchTests {
    private func prepared(_ body: (URL) throws -> Void) throws {
        try withFolder { folder in
            let versions = [textModel("A", ["a"]), textModel("A", ["a", "b"])]
            try writeBundle(versions, "M.xcdatamodeld", in: folder)
            try expectRun("create good.sqlite --model M.xcdatamodeld#V1", in: folder, 0)
            try body(folder)
        }
    }

    @Test(arguments: ["migrate", "repair"])
    func `a second name that a killed run left goes with the next one`(command: String) throws {
        try prepared { folder in
            let line = "\(command) good.sqlite --model M.xcdatamodeld -o New.sqlite"
            try expectRun(line, in: folder, 0)
            let place = folder.appending(path: "New.sqlite").path
            let second = folder.appending(path: ".New.sqlite.momtool-\(UUID().uuidString)").path
            #expect(link(place, second) == 0)
            try expectRun(line + " --skip-done", in: folder, 0)
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
            #expect(names.count == 2, "\(names)")
        }
    }

    @Test func `a case that cannot be read is a failure in JUnit, and the others are run`() throws {
        try prepared { folder in
            try write("nonsense: [", "Cases/bad/case.yml", in: folder)
            let good =
                "model: ../../M.xcdatamodeld\nfrom: V1\nto: V2\n"
                + "before: {A: [{a: x}]}\nafter: {A: [{a: x}]}\n"
            try write(good, "Cases/good/case.yml", in: folder)
            let sums = "tests=\"2\" failures=\"1\""
            try expectRun("test Cases --format junit", in: folder, 1, sums)
        }
    }

    @Test func `as many faults of a file are told as anybody reads`() throws {
        try prepared { folder in
            let names = Array(repeating: "V1", count: 5000).joined(separator: ", ")
            try write("order: [\(names)]\n", ".momtool.yml", in: folder)
            let run = try momtool("hash M.xcdatamodeld", in: folder)
            #expect((run.output + run.errors).split(separator: "\n").count < 120)
            #expect(run.errors.contains(" 100 "))
        }
    }
}
