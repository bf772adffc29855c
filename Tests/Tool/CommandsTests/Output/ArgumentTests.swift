import Foundation
import TestSupport
import Testing

/// What is meant is done, or it is said that it is not.
struct ArgumentTests {
    private static let model = ["--model", "Models/Library.xcdatamodeld"]

    @Test(arguments: [
        ["migrate", "Fixtures/Library-V1.sqlite", "-o", "New.sqlite"] + model,
        ["verify", "Fixtures/Library-V1.sqlite"], ["lint", "Models/Library.xcdatamodeld"],
        ["plan", "Models/Library.xcdatamodeld"],
    ])
    func `a version is not taken where a command has no such option`(words: [String]) throws {
        let result = try momtool(words + ["--version", "V2"])
        #expect(result.status == 64)
        #expect(result.errors.contains("'\(words[0])' has no option --version"))
        #expect(try momtool(words[0], "--version").status == 0)
    }

    @Test func `losses may be named with commas between them`() throws {
        try withFolder { folder in
            let migrate =
                ["migrate", "Fixtures/Library-V1.sqlite"] + Self.model
                + ["-o", folder.path + "/New.sqlite", "--allow-data-loss"]
            let refused = try momtool(migrate + ["Book.notes"])
            #expect(refused.status == 3, "\(refused.errors)")
            #expect(refused.errors.contains("--allow-data-loss Notice"))
            let all = try momtool(migrate + ["Book.notes,Notice"])
            #expect(all.status == 0, "\(all.errors)")
            #expect(FileManager.default.fileExists(atPath: folder.path + "/New.sqlite"))
        }
    }
}
