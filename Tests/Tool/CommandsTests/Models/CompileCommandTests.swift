import Foundation
import TestSupport
import Testing

/// What transcripts do not say: which files are written anew, and bytes of compiled models.
struct CompileCommandTests {
    private static let library = Corpus.package.appending(path: "Models/Library.xcdatamodeld").path

    private func date(of url: URL) throws -> Date? {
        try FileManager.default.attributesOfItem(atPath: url.path)[.modificationDate] as? Date
    }

    private func dates(in folder: URL) throws -> [String: Date] {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        let dates = try names.map { ($0, try date(of: folder.appending(path: $0))) }
        return Dictionary(uniqueKeysWithValues: dates).compactMapValues { $0 }
    }

    @Test func `only changed files are replaced, and leftovers go`() throws {
        try withFolder { folder in
            let bundle = folder.appending(path: "Library.momd")
            let compile = ["compile", Self.library, "-o", folder.path]
            try expectRun(compile, 0, "written")
            let first = try dates(in: bundle)
            #expect(first.count == 7)
            try expectRun(compile, 0, not: ["written"])
            #expect(try dates(in: bundle) == first)
            let changed = bundle.appending(path: "V2.mom")
            let right = try Data(contentsOf: changed)
            for name in ["V2.mom", "V0.mom", "V6.omo", "notes.txt"] {
                try write("wrong", name, in: bundle)
            }
            try expectRun(compile, 0, "written")
            #expect(try Data(contentsOf: changed) == right)
            var second = try dates(in: bundle)
            #expect(second.removeValue(forKey: "notes.txt") != nil)
            second["V2.mom"] = first["V2.mom"]
            #expect(second == first)
        }
    }

    /// Makefiles ask again, and again, for what is older than its sources.
    @Test func `a result that is up to date is as new as one that was written`() throws {
        try withFolder { folder in
            let out = folder.appending(path: "Library.momd")
            let compile = ["compile", Self.library, "-o", folder.path]
            try expectRun(compile, 0)
            let old = Date(timeIntervalSince1970: 1_000_000)
            try FileManager.default.setAttributes([.modificationDate: old], ofItemAtPath: out.path)
            try expectRun(compile, 0, not: ["written"])
            #expect(try date(of: out) == old)
            let depfile = folder.appending(path: "Library.d").path
            try expectRun(compile + ["--depfile", depfile], 0, not: ["written"])
            #expect(try date(of: out) != old)
        }
    }

    @Test func `a version is a property list, in which an Xcode version is recorded`() throws {
        try withFolder { folder in
            try write("<model><entity name='A'/></model>", "A.xcdatamodel/contents", in: folder)
            try expectRun("compile A.xcdatamodel -o A.mom --xcode-version 16.4", in: folder, 0)
            let bytes = try Data(contentsOf: folder.appending(path: "A.mom"))
            #expect(bytes.starts(with: Data("bplist00".utf8)))
            #expect(bytes.range(of: Data("CDMCompilerXcodeVersion".utf8)) != nil)
        }
    }
}
