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
        let result = try momtool("hash", "Models/Library.xcdatamodeld", "--format", "json")
        #expect(result.status == 0)
        #expect(result.errors == "")
        let report = try JSONDecoder().decode(Report.self, from: Data(result.output.utf8))
        #expect(report.model == "Models/Library.xcdatamodeld")
        #expect(report.versions.map(\.name) == ["V1", "V2", "V3", "V4", "V5", "V6"])
        #expect(report.versions.filter(\.current).map(\.name) == ["V6"])
        #expect(report.versions.allSatisfy { $0.entities.values.allSatisfy { $0.count == 64 } })
        #expect(Set(report.versions.map(\.checksum)).count == 6)
        #expect(report.versions.allSatisfy { $0.digest.count == 88 })
    }

    @Test func `one version is chosen in the path`() throws {
        let path = try momtool("hash", "Models/Library.xcdatamodeld#V2")
        #expect(path.output.hasPrefix("V2\n"))
        #expect(!path.output.contains("V3"))
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
        let result = try momtool(arguments)
        #expect(result.status == status)
        #expect(result.errors.contains(message), "\(result.errors)")
        #expect(result.output == "")
    }

    @Test func `a broken model is reported at its line, and nothing is printed`() throws {
        try withFolder { folder in
            let model = folder.appending(path: "Broken.xcdatamodel")
            try FileManager.default.createDirectory(at: model, withIntermediateDirectories: true)
            let text = "<model>\n <entity name=\"A\" parentEntity=\"B\"/>\n</model>"
            try Data(text.utf8).write(to: model.appending(path: "contents"))
            let result = try momtool(["hash", "Broken.xcdatamodel"], in: folder)
            #expect(result.status == 65)
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
            try FileManager.default.createDirectory(at: source, withIntermediateDirectories: true)
            let contents = source.appending(path: "contents")
            try Data("<model><entity name=\"Old\"/></model>".utf8).write(to: contents)
            try git("init", "-q", in: folder)
            try git("add", ".", in: folder)
            try git("commit", "-qm", "first", in: folder)
            try Data("<model><entity name=\"New\"/></model>".utf8).write(to: contents)
            let result = try momtool(["hash", "HEAD:M.xcdatamodel"], in: folder)
            #expect(result.status == 0, "\(result.errors)")
            #expect(result.output.contains("Old"))
            #expect(!result.output.contains("New"))
            #expect(try momtool(["hash", "--", "-x:M.xcdatamodel"], in: folder).status == 66)
        }
    }
}
