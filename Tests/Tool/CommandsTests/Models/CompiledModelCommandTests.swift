import Foundation
import TestSupport
import Testing

struct CompiledModelCommandTests {
    private static let library = Corpus.package.appending(path: "Models/Library.xcdatamodeld").path

    private func withCompiledLibrary(_ body: (URL, URL) throws -> Void) throws {
        try withFolder { (folder) throws in
            #expect(try momtool("compile", Self.library, "-o", folder.path).status == 0)
            try body(folder, folder.appending(path: "Library.momd"))
        }
    }

    /// Commands that take a model, with `MODEL`, `STORE` and `OUT` in place of their paths.
    static let commands: [[String]] = [
        ["hash", "MODEL"], ["hash", "MODEL#V2", "--explain", "Book"],
        ["identify", "STORE", "--model", "MODEL"],
        ["migrate", "STORE", "--allow-data-loss", "--model", "MODEL", "-o", "OUT.sqlite"],
        ["lock", "MODEL"],
        ["decompile", "MODEL", "-o", "OUT"], ["decompile", "MODEL#V3", "-o", "OUT"],
        ["create", "OUT.sqlite", "--model", "MODEL"], ["export", "STORE", "--model", "MODEL#V1"],
        ["verify", "STORE", "--model", "MODEL"], ["generate", "MODEL", "-o", "OUT", "--all"],
        ["test", "--matrix", "MODEL"], ["test", "--model", "MODEL", "--stores", "STORE"],
        ["inspect", "MODEL"], ["plan", "MODEL", "--from", "V1", "--to", "V6"],
        ["plan", "MODEL", "--store", "STORE", "--sql"], ["lint", "MODEL"],
        ["diff", "MODEL", "--from", "V1", "--to", "V2"], ["graph", "MODEL"],
        ["graph", "MODEL", "--from", "V1"],
    ]

    /// Commands that print locations or the order of elements, which compiled models lack.
    private static let ordered: Set = ["inspect", "plan", "lint", "diff", "graph"]

    @Test(arguments: commands)
    func `a command that takes a model takes a compiled one, and says the same`(
        arguments: [String]
    ) throws {
        try withCompiledLibrary { (folder, bundle) throws in
            var results: [CommandResult] = []
            let settings = folder.appending(path: ".momtool.yml")
            try Data("losses: {V3: [Book.notes, Book], V6: [Notice]}\n".utf8).write(to: settings)
            let source = folder.appending(path: "Library.xcdatamodeld")
            try FileManager.default.copyItem(atPath: Self.library, toPath: source.path)
            for (index, model) in [bundle.path, source.path].enumerated() {
                let own = folder.appending(path: "\(index)")
                try makeFolder(own)
                let store = own.appending(path: "Library.sqlite")
                try copyFile(
                    Corpus.package.appending(path: "Fixtures/Library-V1.sqlite"),
                    to: store
                )
                let words = arguments.map {
                    $0.replacing("MODEL", with: model).replacing("STORE", with: store.path)
                        .replacing("OUT", with: own.appending(path: "out").path)
                }
                var result = try momtool(words, in: own)
                result.output = result.output.replacing(model, with: "MODEL")
                    .replacing(own.path, with: "OWN")
                    // Seconds differ from run to run, and with them the widths of columns.
                    .replacing(/[0-9]+\.[0-9]+/, with: "0").replacing(/\ +/, with: " ")
                results.append(result)
            }
            #expect(results.map(\.status) == [0, 0], "\(results)")
            if !Self.ordered.contains(arguments[0]) {
                #expect(results[0].output == results[1].output)
            }
        }
    }

    @Test func `what is compiled is not compiled again`() throws {
        try withCompiledLibrary { (folder, bundle) throws in
            let out = folder.appending(path: "out").path
            #expect(try momtool("compile", bundle.path, "-o", out).status == 65)
            #expect(!FileManager.default.fileExists(atPath: out))
        }
    }

    @Test func `a compiled version stands where a version is wanted`() throws {
        try withCompiledLibrary { (folder, bundle) throws in
            let version = bundle.appending(path: "V1.mom").path
            let store = Corpus.package.appending(path: "Fixtures/Library-V1.sqlite").path
            for arguments in [
                ["hash", version], ["inspect", version], ["lint", version], ["graph", version],
                ["identify", store, "--model", version], ["verify", store, "--model", version],
                ["export", store, "--model", version],
                ["diff", version, bundle.appending(path: "V2.mom").path],
                ["decompile", version, "-o", folder.path + "/out"],
                ["generate", version, "-o", folder.path + "/classes", "--all"],
                ["create", folder.path + "/new.sqlite", "--model", version],
            ] {
                try expectRun(arguments, in: folder, 0)
            }
        }
    }

    @Test func `hashes of a compiled bundle are those of its source`() throws {
        try withCompiledLibrary { (_, bundle) throws in
            let compiled = try expectRun(["hash", bundle.path], 0)
            #expect(try compiled.output == momtool("hash", Self.library).output)
        }
    }

    @Test(arguments: ["Library.momd_precompiled", "anything", "Library.app"])
    func `a compiled bundle is known by any name`(name: String) throws {
        try withCompiledLibrary { (folder, bundle) throws in
            let other = folder.appending(path: name)
            try FileManager.default.moveItem(at: bundle, to: other)
            let hashes = try expectRun(["hash", other.path], 0)
            #expect(try hashes.output == momtool("hash", Self.library).output)
        }
    }

    @Test func `a compiled version is known by any name`() throws {
        try withCompiledLibrary { (folder, bundle) throws in
            let file = folder.appending(path: "model.bin")
            try FileManager.default.moveItem(at: bundle.appending(path: "V2.mom"), to: file)
            try expectRun(["inspect", file.path], 0, "model (current)", "entities")
        }
    }

    @Test func `an app that holds one compiled model stands for it`() throws {
        try withCompiledLibrary { (folder, bundle) throws in
            let app = folder.appending(path: "Library.app")
            try makeFolder(app)
            try FileManager.default.moveItem(at: bundle, to: app.appending(path: "Library.momd"))
            #expect(try momtool("hash", app.path).output == momtool("hash", Self.library).output)
        }
    }

    @Test func `a source that was decompiled compiles to the same bytes`() throws {
        try withCompiledLibrary { (folder, bundle) throws in
            let recovered = folder.appending(path: "recovered").path
            #expect(try momtool("decompile", bundle.path, "-o", recovered).status == 0)
            let source = recovered + "/Library.xcdatamodeld"
            #expect(FileManager.default.fileExists(atPath: source + "/.xccurrentversion"))
            let again = folder.appending(path: "again")
            #expect(try momtool("compile", source, "-o", again.path).status == 0)
            for name in (1...6).map({ "V\($0).mom" }) + ["VersionInfo.plist"] {
                let first = try Data(contentsOf: bundle.appending(path: name))
                let second = try Data(contentsOf: again.appending(path: "Library.momd/\(name)"))
                #expect(first == second, "\(name)")
            }
        }
    }

    @Test func `one version of a bundle is decompiled alone`() throws {
        try withCompiledLibrary { (folder, bundle) throws in
            #expect(try momtool("decompile", bundle.path + "#V2", "-o", folder.path).status == 0)
            let contents = folder.appending(path: "V2.xcdatamodel/contents").path
            #expect(FileManager.default.fileExists(atPath: contents))
        }
    }

    @Test func `a model is inspected as JSON with its counts`() throws {
        struct Report: Decodable {
            struct Version: Decodable {
                var name: String
                var current: Bool
                var counts: [String: Int]
            }
            var versions: [Version]
        }
        for path in [Self.library, Self.library + "#V1"] {
            let result = try momtool("inspect", path, "--format", "json")
            let report = try JSONDecoder().decode(Report.self, from: Data(result.output.utf8))
            #expect(report.versions.count == (path == Self.library ? 6 : 1))
            #expect(report.versions.allSatisfy { ($0.counts["entities"] ?? 0) > 0 })
        }
    }

    @Test func `what is no model is refused with its path`() throws {
        try withFolder { (folder) throws in
            let file = folder.appending(path: "App.mom")
            try Data("bplist00 is not enough".utf8).write(to: file)
            for command in ["inspect", "hash"] {
                try expectRun([command, file.path], 65, errors: ["App.mom: error:"])
            }
        }
    }
}
