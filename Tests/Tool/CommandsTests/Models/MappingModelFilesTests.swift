import Foundation
import Testing
import TestSupport

/// `generate --mapping-model`: what is written migrates as inference does, and nothing of a person's is overwritten.
struct MappingModelFilesTests {
    private let model = Corpus.package.appending(path: "Models/Library.xcdatamodeld").path

    private func generate(_ old: String, _ new: String, in folder: URL) throws -> CommandResult {
        try momtool(["generate", model, "--mapping-model", old, new, "-o", "Out"], in: folder)
    }

    @Test func `a step by the mapping model gives the rows that inference gives`() throws {
        try withFolder { folder in
            let made = try generate("V1", "V2", in: folder)
            #expect(made.status == 0, "\(made.errors)")
            #expect(
                made.output == "wrote Out/V1 to V2.xcmappingmodel\nwrote Out/V1-to-V2\n"
            )
            let store = Corpus.package.appending(path: "Fixtures/Library-V1.sqlite").path
            let migrate = ["migrate", store, "--model", model, "--to", "V2", "--allow-data-loss"]
            let own = ["--mapping-models", "Out/V1 to V2.xcmappingmodel"]
            #expect(try momtool(migrate + ["-o", "A.sqlite"], in: folder).status == 0)
            #expect(try momtool(migrate + own + ["-o", "B.sqlite"], in: folder).status == 0)
            let rows = try ["A", "B"].map {
                try momtool(["export", "\($0).sqlite", "--model", model], in: folder).output
            }
            #expect(rows[0] == rows[1])
            #expect(rows[0].contains("\"Book\""))
        }
    }

    @Test func `the case beside a mapping model runs it`() throws {
        try withFolder { folder in
            #expect(try generate("V1", "V2", in: folder).status == 0)
            let file = folder.appending(path: "Out/V1-to-V2/case.yml")
            let text = try String(contentsOf: file, encoding: .utf8)
            #expect(text.contains("mappingModels: [../V1 to V2.xcmappingmodel]"), "\(text)")
            let run = try momtool(["test", "Out"], in: folder)
            #expect(run.status == 0, "\(run.output)\(run.errors)")
            #expect(try generate("V1", "V2", in: folder).status == 3)
        }
    }

    @Test func `open questions are said, and a second run overwrites nothing`() throws {
        try withFolder { folder in
            let made = try generate("V1", "V6", in: folder)
            #expect(made.status == 0, "\(made.errors)")
            #expect(made.output.contains("wrote Out/PatronV1ToV6Policy.swift\n"))
            #expect(made.output.contains("open: Book: a uniqueness constraint is new"))
            let stub = folder.appending(path: "Out/PatronV1ToV6Policy.swift")
            try Data("mine".utf8).write(to: stub)
            let again = try generate("V1", "V6", in: folder)
            #expect(again.status == 3)
            #expect(again.errors.contains("[existing-mapping-model]"))
            #expect(try Data(contentsOf: stub) == Data("mine".utf8))
        }
    }

    @Test(arguments: [["V1"], ["V1", "V2", "V3"]])
    func `two versions are asked for`(versions: [String]) throws {
        try withFolder { folder in
            let words = ["generate", model, "--mapping-model"] + versions + ["-o", "Out"]
            let result = try momtool(words, in: folder)
            #expect(result.status == 64)
        }
    }
}
