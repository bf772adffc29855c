import Foundation
import SQLiteAccess
import TestSupport
import Testing

/// The model of a store that carries none is written as a source.
struct RebuildCommandTests {
    @Test func `another version of the model tells what the store does not`() throws {
        try withFolder { folder in
            let path = folder.appending(path: "Bare.sqlite").path
            let fixture = Corpus.package.appending(path: "Fixtures/Library-V1.sqlite").path
            try FileManager.default.copyItem(atPath: fixture, toPath: path)
            try SQLiteConnection(path: path, mode: .readWrite).execute("DROP TABLE Z_MODELCACHE")
            let model = Corpus.package.appending(path: "Models/Library.xcdatamodeld").path
            let result = try momtool(
                ["decompile", "Bare.sqlite", "--like", model + "#V1", "-o", "."],
                in: folder
            )
            #expect(result.status == 0, "\(result.errors)")
            #expect(result.errors.contains("'Book' is proven: it has the hash"))
            #expect(!result.errors.contains("is guessed"))
            func hashes(_ path: String) throws -> [String] {
                try momtool(["hash", path], in: folder).output.split(separator: "\n").dropFirst(2)
                    .map(String.init)
            }
            let real = try hashes(fixture)
            #expect(real.count > 4)
            #expect(try hashes("Bare.xcdatamodel") == real)
        }
    }
}
