import Foundation
import MigrationTesting
import TestSupport
import Testing

struct CaseModelTests {
    private static let sources =
        "import SwiftData\n" + itemSchema(1, "") + itemSchema(2, "var size: Int = 1")

    /// Writes a file whose state does not show its content.
    private func write(_ text: String, at second: Double, to file: URL) throws {
        // In place, so that it stays the same file.
        if let handle = try? FileHandle(forWritingTo: file) {
            try handle.truncate(atOffset: 0)
            try handle.write(contentsOf: Data(text.utf8))
            try handle.close()
        } else {
            try Data(text.utf8).write(to: file)
        }
        let date = Date(timeIntervalSince1970: second)
        try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: file.path)
    }

    @Test func `Swift sources are read once for the cases of a run, and again after an edit`()
        throws
    {
        try withFolder { folder in
            let model = folder.appending(path: "Models.swift")
            try write(Self.sources, at: 1_000_000_000, to: model)
            let test = folder.appending(path: "Cases/size")
            try FileManager.default.createDirectory(at: test, withIntermediateDirectories: true)
            let text = """
                model: ../../Models.swift
                from: V1
                to: V2
                before: {Item: [{"@id": a, name: x}]}
                expect: contains
                after: {Item: [{"@id": a, size: 1}]}

                """
            try Data(text.utf8).write(to: test.appending(path: "case.yml"))
            func status() throws -> CaseOutcome.Status {
                let outcomes = try MigrationCase.cases(at: test).map {
                    $0.run()
                }
                #expect(outcomes.count == 1)
                return outcomes[0].status
            }
            #expect(try status() == .passed)
            let edited = Self.sources.replacing("Int = 1", with: "Int = 2")
            // Whoever reads the file again sees another default.
            try write(edited, at: 1_000_000_000, to: model)
            #expect(try status() == .passed)
            try write(edited, at: 1_000_000_001, to: model)
            #expect(try status() == .failed)
        }
    }
}
