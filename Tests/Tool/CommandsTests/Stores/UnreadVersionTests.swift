import Foundation
import TestSupport
import Testing

struct UnreadVersionTests {
    /// Makes stores of the first and the third of four versions, the third of which cannot be read afterwards.
    private func prepared(_ body: (URL) throws -> Void) throws {
        try withFolder { folder in
            let bundle = folder.appending(path: "M.xcdatamodeld")
            let versions = [
                "V1": textModel("Item", ["a"]), "V2": textModel("Item", ["a", "b"]),
                "V3": textModel("Item", ["a", "b", "c"]),
                "V4": textModel("Item", ["a", "b", "c", "d"]),
            ]
            try writeBundle(versions, current: "V4", at: bundle)
            for name in ["V1", "V3"] {
                let words = ["create", "\(name).sqlite", "--model", "M.xcdatamodeld#\(name)"]
                #expect(try momtool(words, in: folder).status == 0)
            }
            try body(folder)
        }
    }

    private func breakThird(in folder: URL) throws {
        let path = "M.xcdatamodeld/V3.xcdatamodel/contents"
        try write("<model><entity", path, in: folder)
    }

    private static let model = ["--model", "M.xcdatamodeld"]

    /// Words, and the status of an answer that needs the version; 0 for others.
    private static let commands: [(words: [String], status: Int32)] = [
        (["verify", "V1.sqlite"] + model, 0), (["export", "V1.sqlite"] + model, 0),
        (["repair", "V1.sqlite"] + model, 0), (["identify", "V1.sqlite"] + model, 0),
        (["identify", "V1.sqlite"], 0), (["inspect", "M.xcdatamodeld#V1"], 0),
        (["hash", "M.xcdatamodeld#V1"], 0),
        (["diff", "M.xcdatamodeld", "--from", "V1", "--to", "V4"], 0),
        (["diff", "M.xcdatamodeld", "--to", "V2"], 0),
        (["plan", "M.xcdatamodeld", "--from", "V1"], 0),
        (["plan", "M.xcdatamodeld", "--store", "V1.sqlite"], 0),
        (["migrate", "V1.sqlite", "-o", "New.sqlite"] + model, 0),
        (["create", "Other.sqlite"] + model, 0), (["graph", "M.xcdatamodeld"], 0),
        (["verify", "V3.sqlite"] + model, 65), (["export", "V3.sqlite"] + model, 65),
        (["repair", "V3.sqlite"] + model, 65), (["identify", "V3.sqlite"] + model, 65),
        (["identify", "V3.sqlite"], 65), (["inspect", "M.xcdatamodeld"], 65),
        (["hash", "M.xcdatamodeld"], 65), (["diff", "M.xcdatamodeld"], 65),
        (["diff", "V1.sqlite", "V3.sqlite"] + model, 65), (["plan", "M.xcdatamodeld"], 65),
        (["decompile", "M.xcdatamodeld", "-o", "sources"], 65),
        (["create", "Other.sqlite", "--model", "M.xcdatamodeld#V3"], 65),
        (["test", "--matrix", "M.xcdatamodeld"], 1),
    ]

    @Test(arguments: commands)
    func `a version that cannot be read is an error where the answer may depend on it`(
        words: [String],
        status: Int32
    ) throws {
        try prepared { folder in
            try breakThird(in: folder)
            let result = try expectRun(words, in: folder, status)
            let faults = result.errors.split(separator: "\n").filter {
                $0.contains("V3.xcdatamodel/contents:1:") && $0.hasSuffix("[malformed-xml]")
            }
            #expect(faults.count == 1, "\(words): \(result.errors)")
            // Possible versions of a store are reported for the store, and a failed test by its report.
            let isSaid = result.errors.contains("it may be of 'V3', which cannot be")
            let isError = status == 65 && !isSaid
            let word = isError ? ": error: " : ": warning: "
            #expect(faults.first?.contains(word) == true, "\(words): \(result.errors)")
            #expect(isSaid == (status == 65 && words.contains("V3.sqlite")), "\(result.errors)")
        }
    }

    @Test func `a store of the version that cannot be read is read by its own model`()
        throws
    {
        try prepared { folder in
            try breakThird(in: folder)
            for words in [
                ["migrate", "V3.sqlite", "-o", "New.sqlite", "--allow-data-loss"] + Self.model,
                ["verify", "V3.sqlite"],
            ] {
                try expectRun(words, in: folder, 0)
            }
            let doctor = try momtool(["doctor", "V3.sqlite"] + Self.model, in: folder)
            #expect(doctor.status == 1)
            #expect(doctor.output.contains("mend 'V3', which cannot be read"), "\(doctor.output)")
        }
    }

    private static let fates: [(fate: String, words: String, status: Int32)] = [
        ("gone", "whose source is gone", 3), ("changed", "whose source was changed since", 3),
        ("unreadable", "whose source cannot be read now", 65),
    ]

    @Test(arguments: fates)
    func `a store of a locked version that is not there any more is told so`(
        fate: String,
        words: String,
        status: Int32
    ) throws {
        try prepared { folder in
            #expect(try momtool("lock M.xcdatamodeld", in: folder).status == 0)
            let source = folder.appending(path: "M.xcdatamodeld/V3.xcdatamodel/contents")
            switch fate {
            case "gone":
                try FileManager.default.removeItem(at: source.deletingLastPathComponent())
            case "changed": try Data(textModel("Item", ["a", "x"]).utf8).write(to: source)
            default: try breakThird(in: folder)
            }
            let remark = "it is of 'V3' as M.xcdatamodeld.lock has it, \(words)"
            try expectRun(["identify", "V3.sqlite"] + Self.model, in: folder, status, remark)
            let json = try momtool(
                ["identify", "V3.sqlite", "--format", "json"] + Self.model,
                in: folder
            )
            let report = json.output.filter { $0 != " " }
            #expect(report.contains("\"locked\":\"V3\""), "\(json.output)")
            let doctor = try momtool(["doctor", "V3.sqlite"] + Self.model, in: folder)
            #expect(doctor.output.contains(remark), "\(doctor.output)")
            #expect(!doctor.output.contains("momtool lock"), "\(doctor.output)")
        }
    }

    @Test func `a store of a newer version goes back by an option alone, which doctor names`()
        throws
    {
        try prepared { folder in
            #expect(try momtool("lock M.xcdatamodeld", in: folder).status == 0)
            try writeBundle([:], "M.xcdatamodeld", in: folder, current: "V1")
            let doctor = try momtool(["doctor", "V3.sqlite"] + Self.model, in: folder)
            #expect(doctor.status == 1)
            #expect(doctor.output.contains("this goes back"), "\(doctor.output)")
            #expect(doctor.output.contains("an app that has its version"), "\(doctor.output)")
            let commands = doctor.output.split(separator: "\n")
                .filter { $0.contains("momtool migrate") }
            #expect(commands.count == 1, "\(doctor.output)")
            let words = try #require(commands.first).split(separator: " ").dropFirst()
            #expect(words.contains("--allow-backward"))
            try expectRun(words.map(String.init), in: folder, 0)
        }
    }
}
