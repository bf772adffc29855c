import Foundation
import TestSupport
import Testing

struct RouteCommandTests {
    @Test(
        .enabled(if: Corpus.isPresent),
        arguments: [
            (4, true),
            (5, false),
        ]
    )
    func `the doctor sees the mapping model that Core Data would take`(
        version: Int,
        isUsed: Bool
    ) throws {
        try withFolder { folder in
            let model = Corpus.path("objcio+core-data/Migrations/Migrations/Moody.xcdatamodeld")
            let store = folder.appending(path: "Old.sqlite").path
            let (old, new) = ("Moody \(version)", "Moody \(version + 1)")
            try expectRun(["create", store, "--model", model, "--version", old], 0)
            let result = try momtool("doctor", store, "--model", model, "--version", new)
            #expect(result.output.contains("'\(old)' → '\(new)'") != isUsed, "\(result)")
            #expect(result.output.contains("\(old)-\(new).xcmappingmodel"))
        }
    }

    @Test(.enabled(if: Corpus.isPresent))
    func `a mapping model beside the model is named where nobody did`() throws {
        let folder = "objcio+core-data/Migrations/Migrations/"
        let model = Corpus.path(folder + "Moody.xcdatamodeld")
        let mapping = Corpus.path(folder + "Moody 5-Moody 6.xcmappingmodel")
        let step = ["plan", model, "--from", "Moody 5", "--to", "Moody 6"]
        let note = ".xcmappingmodel: note: "
        #expect(try momtool(step).errors.contains("Moody 5-Moody 6\(note)"))
        let named = try momtool(step + ["--mapping-models", mapping])
        #expect(!named.errors.contains(note), "\(named.errors)")
        let other = try momtool("plan", model, "--from", "Moody", "--to", "Moody 2")
        #expect(!other.errors.contains(note))
    }
}
