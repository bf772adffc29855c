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
        ("{megabytesPerThousandRows: -1}", "a number of megabytes"),
    ])
    func `a limit that is none is told where it stands`(_ limits: String, _ said: String) throws {
        let result = try run(limits: limits)
        #expect(result.status != 0)
        let text = result.output + result.errors
        #expect(text.contains("case.yml:8:") && text.contains(said), "\(text)")
    }

    @Test func `a migration that takes more memory than its case allows fails it`() throws {
        let much = try run(limits: "{megabytesPerThousandRows: 0.001}")
        #expect(much.status == 1, "\(much.output)\(much.errors)")
        #expect(much.output.contains("MB of memory; the limit is 0.001 MB"), "\(much.output)")
        let little = try run(limits: "{megabytesPerThousandRows: 4000}")
        #expect(little.status == 0, "\(little.output)\(little.errors)")
    }

    @Test func `limits of a project hold for generated objects and for cases without their own`()
        throws
    {
        try withFolder { folder in
            let model = Corpus.package.appending(path: "Models/Library.xcdatamodeld")
            try FileManager.default.copyItem(
                at: model,
                to: folder.appending(path: "Library.xcdatamodeld")
            )
            func check(_ limits: String, case own: String) throws -> CommandResult {
                try Data("limits: {\(limits)}\nallowDataLoss: true\n".utf8)
                    .write(to: folder.appending(path: ".momtool.yml"))
                let place = folder.appending(path: "Cases/one")
                try FileManager.default.createDirectory(
                    at: place,
                    withIntermediateDirectories: true
                )
                let text = """
                    model: ../../Library.xcdatamodeld
                    from: V1
                    to: V2
                    expect: contains
                    before: {Author: [{name: Ada}]}
                    after: {Author: [{name: Ada}]}
                    \(own)

                    """
                try Data(text.utf8).write(to: place.appending(path: "case.yml"))
                return try momtool(["check", "."], in: folder)
            }
            let slow = try check("secondsPerThousandRows: 0.0000001", case: "")
            #expect(slow.status == 1, "\(slow.output)")
            let told = slow.output.components(separatedBy: "the limit is 1e-07 s per thousand rows")
            #expect(told.count >= 3, "\(slow.output)")
            #expect(slow.output.contains("Cases/one/case.yml"))
            let own = try check(
                "secondsPerThousandRows: 0.0000001",
                case: "limits: {secondsPerThousandRows: 3600}"
            )
            #expect(!own.output.contains("Cases/one/case.yml"), "\(own.output)")
            let fast = try check(
                "secondsPerThousandRows: 3600, megabytesPerThousandRows: 4000",
                case: ""
            )
            #expect(!fast.output.contains("the limit is"), "\(fast.output)")
        }
    }
}
