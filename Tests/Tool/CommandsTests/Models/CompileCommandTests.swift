import Foundation
import TestSupport
import Testing

struct CompileCommandTests {
    private static let library = Corpus.package.appending(path: "Models/Library.xcdatamodeld").path

    private func names(in folder: URL) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    }

    private func dates(in folder: URL) throws -> [String: Date] {
        var dates: [String: Date] = [:]
        for name in try names(in: folder) {
            let path = folder.appending(path: name).path
            dates[name] =
                try FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date
        }
        return dates
    }

    @Test func `a bundle becomes one file for each version and one that describes them`() throws {
        try withFolder { (folder) throws in
            let result = try expectRun(["compile", Self.library, "-o", folder.path], 0)
            #expect(result.errors == "")
            #expect(result.output == "\(folder.path)/Library.momd: written, 6 versions\n")
            let files = (1...6).map { "V\($0).mom" } + ["VersionInfo.plist"]
            #expect(try names(in: folder.appending(path: "Library.momd")) == files)
            #expect(try names(in: folder) == ["Library.momd"])
        }
    }

    @Test func `only changed files are replaced, and leftovers go`() throws {
        try withFolder { (folder) throws in
            let bundle = folder.appending(path: "Library.momd")
            _ = try momtool("compile", Self.library, "-o", folder.path)
            let first = try dates(in: bundle)
            #expect(first.count == 7)
            try expectRun(["compile", Self.library, "-o", folder.path], 0, "up to date")
            #expect(try dates(in: bundle) == first)
            let right = try Data(contentsOf: bundle.appending(path: "V2.mom"))
            for name in ["V2.mom", "V0.mom", "V6.omo", "notes.txt"] {
                try write("wrong", name, in: bundle)
            }
            try expectRun(["compile", Self.library, "-o", folder.path], nil, "written")
            #expect(try Data(contentsOf: bundle.appending(path: "V2.mom")) == right)
            let second = try dates(in: bundle)
            #expect(second.keys.sorted() == (first.keys + ["notes.txt"]).sorted())
            #expect(
                second.filter { $0.key != "V2.mom" && $0.key != "notes.txt" }.allSatisfy {
                    first[$0.key] == $0.value
                }
            )
        }
    }

    @Test func `a version becomes a file, named in full or by its folder`() throws {
        try withFolder { (folder) throws in
            let version = Self.library + "/V1.xcdatamodel"
            let exact = folder.appending(path: "deep/Own.mom").path
            #expect(try momtool("compile", version, "-o", exact).status == 0)
            #expect(try momtool("compile", version, "-o", folder.path + "/").status == 0)
            let bytes = try Data(contentsOf: URL(fileURLWithPath: exact))
            #expect(try Data(contentsOf: folder.appending(path: "V1.mom")) == bytes)
            #expect(bytes.starts(with: Data("bplist00".utf8)))
            #expect(try momtool("compile", version, "-o", folder.path + "/A.momd").status == 64)
        }
    }

    @Test func `output that cannot be written ends with 73 and leaves nothing`() throws {
        try withFolder { (folder) throws in
            let file = folder.appending(path: "file")
            try Data("mine".utf8).write(to: file)
            let result = try momtool("compile", Self.library, "-o", file.path)
            #expect(result.status == 73)
            #expect(result.errors.contains("[unwritable-output]"))
            #expect(try Data(contentsOf: file) == Data("mine".utf8))
            let bundle = folder.appending(path: "Library.momd")
            try makeFolder(bundle.appending(path: "V3.mom"))
            #expect(try momtool("compile", Self.library, "-o", folder.path).status == 73)
            #expect(try names(in: bundle) == ["V3.mom"])
            #expect(try names(in: folder) == ["Library.momd", "file"])
        }
    }

    @Test func `bad input writes nothing`() throws {
        try withFolder { (folder) throws in
            let model = folder.appending(path: "A.xcdatamodel")
            try write("<model><entity name='A' parentEntity='B'/></model>", "contents", in: model)
            let out = folder.appending(path: "out")
            try expectRun(["compile", model.path, "-o", out.path], 65, errors: ["contents:1:"])
            #expect(!FileManager.default.fileExists(atPath: out.path))
            #expect(try momtool("compile", "/nonexistent.xcdatamodel", "-o", out.path).status == 66)
        }
    }

    @Test func `a makefile says what the result depends on`() throws {
        try withFolder { (folder) throws in
            let depfile = folder.appending(path: "Library.d")
            _ = try momtool("compile \(Self.library) -o \(folder.path) --depfile \(depfile.path)")
            let rule = try fileText(depfile)
            #expect(rule.hasPrefix("\(folder.path)/Library.momd: \\\n"))
            #expect(rule.contains("\(Self.library)/V3.xcdatamodel/contents"))
            #expect(rule.contains("\(Self.library)/.xccurrentversion"))
            // A removed version must not be a target that nobody can make.
            #expect(rule.contains("\n\(Self.library)/V3.xcdatamodel/contents:\n"))
        }
    }

    /// Makefiles ask again, and again, for what is older than its sources.
    @Test func `a result that is up to date is as new as one that was written`() throws {
        try withFolder { folder in
            let out = folder.appending(path: "Library.momd")
            let compile = ["compile", Self.library, "-o", folder.path]
            func time() throws -> Date? {
                try FileManager.default.attributesOfItem(atPath: out.path)[.modificationDate]
                    as? Date
            }
            #expect(try momtool(compile).status == 0)
            let old = Date(timeIntervalSince1970: 1_000_000)
            try FileManager.default.setAttributes([.modificationDate: old], ofItemAtPath: out.path)
            #expect(try momtool(compile).output.contains("up to date"))
            #expect(try time() == old)
            let depfile = folder.appending(path: "Library.d").path
            #expect(try momtool(compile + ["--depfile", depfile]).output.contains("up to date"))
            #expect(try time() != old)
        }
    }

    @Test func `a module completes class names, and an Xcode version is recorded`() throws {
        try withFolder { (folder) throws in
            let model = folder.appending(path: "A.xcdatamodel")
            try makeFolder(model)
            let text = "<model><entity name='A' representedClassName='.A'/></model>"
            try write(text, "contents", in: model)
            let out = folder.appending(path: "A.mom").path
            try expectRun("compile \(model.path) -o \(out) --module Shop --xcode-version 16.4", 0)
            let report = try momtool("inspect", out, "--format", "json").output
            #expect(report.contains("\"className\" : \"Shop.A\""))
            let bytes = try Data(contentsOf: URL(fileURLWithPath: out))
            #expect(bytes.range(of: Data("CDMCompilerXcodeVersion".utf8)) != nil)
        }
    }
}
