import Foundation
import TestSupport
import Testing

struct SwiftSourcesTests {
    @Test func `a link to a folder above ends no search`() throws {
        try withFolder { folder in
            try write("@Model class Trip { var x = 1 }", "Sources/Deep/Trip.swift", in: folder)
            try FileManager.default.createSymbolicLink(
                at: folder.appending(path: "Sources/Deep/Loop"),
                withDestinationURL: folder.appending(path: "Sources")
            )
            let run = try expectRun("hash Sources", in: folder, 0, "Trip")
            #expect(run.errors == "")
        }
    }

    @Test(.enabled(if: Corpus.isPresent))
    func `a real store is of its sources, has no finding, and its rows come back`() throws {
        let root = "Karim-ezzedine+CartKit/"
        let sources = Corpus.path(root + "Sources/CartKitStorageSwiftData/Models")
        let store = Corpus.path(
            root + "Tests/CartKitStorageSwiftDataTests/LegacySwiftData/CartKitSwiftData_v1.sqlite"
        )
        try expectRun(["identify", store, "--model", sources], 0, "unversioned")
        try expectRun(["verify", store, "--model", sources], nil, not: ["error"])
        try withFolder { folder in
            func errors(_ words: String...) throws -> String {
                try momtool(words, in: folder).errors
            }
            try expectRun(["verify", store], nil, "nothing found")
            let exported = try momtool("export", store)
            try write(exported.output, "rows.json", in: folder)
            #expect(exported.errors == "")
            #expect(try errors("inspect", store) == "")
            #expect(try errors("decompile", store, "-o", "Model") == "")
            #expect(
                try errors("create", "S.sqlite", "--model", store, "--rows", "rows.json") == ""
            )
            #expect(try momtool("export S.sqlite", in: folder).output == exported.output)
            try expectRun("verify S.sqlite", in: folder, nil, "nothing found")
        }
    }
}
