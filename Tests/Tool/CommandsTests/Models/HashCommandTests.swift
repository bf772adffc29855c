import Foundation
import TestSupport
import Testing

struct HashCommandTests {
    struct Report: Decodable {
        struct Version: Decodable {
            var name: String
            var current: Bool
            var checksum: String
            var digest: String
            var entities: [String: String]
        }

        var model: String
        var versions: [Version]
    }

    @Test func `hashes of all versions come as JSON`() throws {
        let result = try expectRun(["hash", "Models/Library.xcdatamodeld", "--format", "json"], 0)
        #expect(result.errors == "")
        let report = try JSONDecoder().decode(Report.self, from: Data(result.output.utf8))
        #expect(report.model == "Models/Library.xcdatamodeld")
        #expect(report.versions.map(\.name) == ["V1", "V2", "V3", "V4", "V5", "V6"])
        #expect(report.versions.filter(\.current).map(\.name) == ["V6"])
        #expect(report.versions.allSatisfy { $0.entities.values.allSatisfy { $0.count == 64 } })
        #expect(Set(report.versions.map(\.checksum)).count == 6)
        #expect(report.versions.allSatisfy { $0.digest.count == 88 })
    }

    @Test func `an explanation shows each component with its bytes`() throws {
        let result = try momtool("hash", "Models/Library.xcdatamodeld#V1", "--explain", "Notice")
        #expect(result.status == 0)
        #expect(result.output.contains(#"name: 4e6f74696365 "Notice""#))
        #expect(result.output.contains("isAbstract: 00"))
        #expect(result.output.contains("leave the hash alone"))
    }

    @Test(arguments: [
        (["hash", "Models/Nothing.xcdatamodeld"], 66, "no such file or folder"),
        (["hash", "Models/Library.xcdatamodeld#V9"], 64, "there are: V1, V2"),
        (
            ["hash", "Models/Library.xcdatamodeld#V1", "--explain", "Nobody"], 64,
            "there are: Author"
        ),
        (["hash", "Package.swift"], 65, "the sources contain no @Model class"),
        (["hash", "README.md"], 65, "neither a model nor a store"),
        (["hash", "Sources/Tool/MomtoolProgram"], 66, "the folder holds no model"),
        (["hash"], 64, "missing expected argument"),
    ])
    func `what cannot be hashed is said, with its status`(
        arguments: [String],
        status: Int32,
        message: String
    ) throws {
        let result = try expectRun(arguments, status, errors: [message])
        #expect(result.output == "")
    }

    @Test func `a broken model is reported at its line, and nothing is printed`() throws {
        try withFolder { folder in
            let model = folder.appending(path: "Broken.xcdatamodel")
            try makeFolder(model)
            let text = "<model>\n <entity name=\"A\" parentEntity=\"B\"/>\n</model>"
            try write(text, "contents", in: model)
            let result = try expectRun("hash Broken.xcdatamodel", in: folder, 65)
            #expect(result.output == "")
            #expect(
                result.errors
                    == "Broken.xcdatamodel/contents:2:19: error: the parent entity 'B' does not exist "
                    + "[unknown-parent-entity]\n"
            )
        }
    }

    @Test func `a model is read from a git revision`() throws {
        try withFolder { folder in
            let source = folder.appending(path: "M.xcdatamodel")
            try makeFolder(source)
            let contents = source.appending(path: "contents")
            try Data("<model><entity name=\"Old\"/></model>".utf8).write(to: contents)
            try commit("first", in: folder)
            try Data("<model><entity name=\"New\"/></model>".utf8).write(to: contents)
            try expectRun("hash HEAD:M.xcdatamodel", in: folder, 0, "Old", not: ["New"])
            #expect(try momtool("hash -- -x:M.xcdatamodel", in: folder).status == 66)
        }
    }
}

struct DiffLevelTests {
    @Test(arguments: ["Library", "Everything"])
    func `a source and its own compiled model are equal`(name: String) throws {
        try withFolder { folder in
            let source = "Models/\(name).xcdatamodeld"
            #expect(try momtool("compile", source, "-o", folder.path).status == 0)
            let compiled = folder.appending(path: "\(name).momd").path
            for pair in [[source, compiled], [compiled, source]] {
                try expectRun(["diff"] + pair + ["--exit-code"], 0, "no difference")
            }
            try expectRun(["diff", source, compiled, "--level", "source", "--exit-code"], 2)
        }
    }

    @Test(
        arguments: [
            // What only Xcode reads, the name of a class, and a type.
            (#"codeGenerationType="class""#, #"codeGenerationType="category""#, [0, 0, 2]),
            (#"representedClassName="Author""#, #"representedClassName="Writer""#, [0, 2, 2]),
            (#"attributeType="String""#, #"attributeType="Integer 64""#, [2, 2, 2]),
        ] as [(String, String, [Int32])]
    )
    func `a change counts at the levels that it is for`(old: String, new: String, ends: [Int32])
        throws
    {
        try withFolder { folder in
            let source = Corpus.package.appending(path: "Models/Library.xcdatamodeld")
            let edited = folder.appending(path: "Library.xcdatamodeld")
            try copyFile(source, to: edited)
            let contents = edited.appending(path: "V6.xcdatamodel/contents")
            let before = try fileText(contents)
            let after = before.replacing(old, with: new, maxReplacements: 1)
            try #require(before != after)
            try Data(after.utf8).write(to: contents)
            for (level, status) in zip(["hash", "store", "source"], ends) {
                let words = ["diff", source.path, edited.path, "--level", level, "--exit-code"]
                try expectRun(words, status)
            }
        }
    }

    @Test(.enabled(if: Corpus.isPresent))
    func `the compiled models of public projects are equal to their sources`() throws {
        let folder = "Karim-ezzedine+CartKit/Sources/CartKitStorageCoreData/Resources/"
        let (source, compiled) = (
            Corpus.path(folder + "CartStorage.xcdatamodeld"),
            Corpus.path(folder + "CartStorage.momd")
        )
        try expectRun(["diff", source, compiled, "--exit-code"], 0)
    }
}
