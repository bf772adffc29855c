import Foundation
import FuzzTargets
import TestSupport
import Testing

/// Models in the format of Xcode 3 through the commands.
struct OldModelTests {
    @Test func `an old model goes through every command, and is converted`() throws {
        try withFolder { folder in
            let version = folder.appending(path: "M.xcdatamodeld/M.xcdatamodel")
            try makeFolder(version)
            try LegacySample.library.elements.write(to: version.appending(path: "elements"))
            try write("layout", "layout", in: version)
            try commit("Old", in: folder)
            let hash = try expectRun("hash M.xcdatamodeld", in: folder, 0)
            #expect(hash.errors.components(separatedBy: "legacy-model-format").count == 2)
            for words in [
                "lint M.xcdatamodeld", "graph M.xcdatamodeld", "compile M.xcdatamodeld -o out",
                "check .", "lock M.xcdatamodeld", "lock M.xcdatamodeld --check",
                "create M.sqlite --model M.xcdatamodeld", "verify M.sqlite --model M.xcdatamodeld",
                "hash M.xcdatamodeld/M.xcdatamodel", "hash M.xcdatamodeld/M.xcdatamodel/elements",
                "identify M.sqlite --model M.xcdatamodeld", "hash HEAD:M.xcdatamodeld",
                "hash HEAD:M.xcdatamodeld/M.xcdatamodel/elements",
                "identify M.sqlite --model M.xcdatamodeld --git",
                "decompile M.xcdatamodeld -o New",
            ] {
                try expectRun(words, in: folder, 0)
            }
            let files = FileManager.default
            let model = folder.appending(path: "M.xcdatamodeld")
            try files.removeItem(at: model)
            try files.moveItem(at: folder.appending(path: "New/M.xcdatamodeld"), to: model)
            #expect(try files.contentsOfDirectory(atPath: version.path) == ["contents"])
            let again = try momtool("hash M.xcdatamodeld", in: folder)
            #expect(again.output == hash.output && again.errors == "")
            let level = "--against HEAD --level hash --exit-code"
            try expectRun("diff M.xcdatamodeld \(level)", in: folder, 0)
            try expectRun("lock M.xcdatamodeld --check", in: folder, 0)
        }
    }

    @Test func `an old model that is not understood whole is not written anew`() throws {
        try withFolder { folder in
            let url = folder.appending(path: "M.xcdatamodel")
            try makeFolder(url)
            let sample = LegacySample(LegacySample.library.entities, configurations: ["Cloud"])
            try sample.elements.write(to: url.appending(path: "elements"))
            for words in ["decompile M.xcdatamodel -o new", "compile M.xcdatamodel -o out"] {
                try expectRun(words, in: folder, 65, errors: ["configurations ('Cloud')"])
            }
            try expectRun("hash M.xcdatamodel", in: folder, nil, "Book")
            #expect(try FileManager.default.contentsOfDirectory(atPath: url.path) == ["elements"])
        }
    }
}
