import Foundation
import SQLiteAccess
import TestSupport
import Testing

struct MigrateCommandTests {
    private static let model = Corpus.package.appending(path: "Models/Library.xcdatamodeld").path
    private static let whole = Corpus.package.appending(path: "Fixtures/Library-V1.sqlite")

    private func migrate(_ store: Data, to name: String, in folder: URL) throws -> CommandResult {
        try store.write(to: folder.appending(path: "Library.sqlite"))
        let words = ["migrate", "Library.sqlite", "--allow-data-loss", "--model", Self.model, "-o"]
        return try momtool(words + [name], in: folder)
    }

    @Test func `a truncated store is refused wherever it is cut`() throws {
        let whole = try Data(contentsOf: Self.whole)
        try withFolder { folder in
            let lengths = Array(stride(from: 0, to: whole.count - 1, by: 4099))
            for length in Sweep.part(of: lengths, every: 5) {
                let run = try migrate(whole.prefix(length), to: "New.sqlite", in: folder)
                #expect(run.status == 65, "cut at \(length): \(run.status) \(run.errors)")
                let new = folder.appending(path: "New.sqlite").path
                #expect(!FileManager.default.fileExists(atPath: new))
            }
        }
    }

    @Test func `a damaged page never comes out as a result`() throws {
        let whole = try Data(contentsOf: Self.whole)
        try withFolder { folder in
            for page in Sweep.part(of: 1..<(whole.count / 4096), every: 3) {
                var damaged = whole
                for offset in 0..<4096 { damaged[page * 4096 + offset] = UInt8(offset & 0xFF) }
                let run = try migrate(damaged, to: "\(page).sqlite", in: folder)
                #expect([0, 3, 4, 65].contains(run.status), "\(run.status) \(run.errors)")
                let output = folder.appending(path: "\(page).sqlite").path
                guard run.status == 0 else {
                    #expect(!FileManager.default.fileExists(atPath: output))
                    continue
                }
                let check = try SQLiteConnection(path: output, mode: .readWrite)
                #expect(try check.value("PRAGMA integrity_check")?.text == "ok")
            }
        }
    }
}
