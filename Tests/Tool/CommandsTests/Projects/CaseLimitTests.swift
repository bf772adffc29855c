import Foundation
import TestSupport
import Testing

/// A case may say how long a migration takes at most, by its rows.
struct CaseLimitTests {
    private func run(limits: String) throws -> CommandResult {
        try withFolder { folder in
            let model = Corpus.package.appending(path: "Models/Library.xcdatamodeld").path
            let folder = folder.appending(path: "Slow")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try Data(
                """
                model: \(model)
                from: V1
                to: V2
                allowDataLoss: true
                expect: contains
                before: {Author: [{name: Ada}]}
                after: {Author: [{name: Ada}]}
                limits: \(limits)

                """.utf8
            ).write(to: folder.appending(path: "case.yml"))
            return try momtool("test", folder.path)
        }
    }

    @Test func `a migration that takes longer than its case allows fails it`() throws {
        let slow = try run(limits: "{secondsPerThousandRows: 0.0000001}")
        #expect(slow.status == 1, "\(slow.output)\(slow.errors)")
        #expect(slow.output.contains("the limit is 1e-07 s per thousand rows"), "\(slow.output)")
        let fast = try run(limits: "{secondsPerThousandRows: 3600}")
        #expect(fast.status == 0, "\(fast.output)\(fast.errors)")
    }

    @Test(arguments: [
        ("{secondsPerThousandRows: 0}", "a number of seconds"),
        ("{secondsPerThousandRows: fast}", "a number of seconds"),
        ("{seconds: 1}", "secondsPerThousandRows"), ("3", "limits"),
    ])
    func `a limit that is none is told where it stands`(_ limits: String, _ said: String) throws {
        let result = try run(limits: limits)
        #expect(result.status != 0)
        let text = result.output + result.errors
        #expect(text.contains("case.yml:8:") && text.contains(said), "\(text)")
    }
}
