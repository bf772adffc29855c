import Foundation
import TestSupport
import Testing

struct AcceptReportTests {
    private static let folder = Corpus.package.appending(path: "Fixtures/Acceptance")

    private static func path(_ name: String) -> String {
        folder.appending(path: "\(name).json").path
    }

    private func result(of report: String, _ arguments: String...) throws -> CommandResult {
        try withFolder { folder in
            let file = folder.appending(path: "Report.json")
            try Data(report.utf8).write(to: file)
            return try momtool(["accept", "report", file.path] + arguments)
        }
    }

    private func text(_ name: String) throws -> String {
        try String(contentsOfFile: Self.path(name), encoding: .utf8)
    }

    @Test func `a report in which Core Data does what momtool says has no findings`() throws {
        let result = try momtool("accept", "report", Self.path("Agreeing"))
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.output.contains("7 same, 0 different, 1 answered, 1 not asked"))
        #expect(result.output.contains("this report was written for a test"))
        let rows = result.output.split(separator: "\n").map { $0.split(separator: " ") }
        let derivation = try #require(rows.first { $0.first == "derivation-changed" })
        #expect(derivation.prefix(6) == ["derivation-changed", "unverified", "4", "0", "0", "0"])
        let answered =
            "answered: Dates: inference: Core Data: 134190; NSCocoaErrorDomain 134190: no"
        #expect(result.output.contains(answered), "\(result.output)")
    }

    @Test func `each difference is told with its ruling and its place, whatever the report says`()
        throws
    {
        let result = try momtool("accept", "report", Self.path("Differing"))
        #expect(result.status == 1)
        #expect(result.output.contains("5 same, 3 different, 1 answered, 1 not asked"))
        for line in [
            "different: Shop V1: entity-hashes: Person: momtool: "
                + "q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQq83vEjRWeJA=; Core Data: AAAA",
            // The program's own word, which is wrong here, does not count.
            "different: Texts: inference: momtool: refused; Core Data: inferred",
            "different: Shop readers: own-objects: Book/p1.readers: "
                + "momtool: Person/p1; Core Data: Person/p3",
        ] {
            #expect(result.output.contains(line), "\(result.output)")
        }
    }

    @Test func `the comparison is written as JSON and as Markdown`() throws {
        let report = Self.path("Differing")
        let json = try momtool("accept", "report", report, "--format", "json").output
        let object = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any]
        let counts = try #require(object?["counts"] as? [String: Int])
        #expect(counts == ["same": 5, "different": 3, "answered": 1, "not asked": 1])
        let rules = try #require(object?["rules"] as? [[String: Any]])
        let one = try #require(
            rules.first { $0["rule"] as? String == "relationship-becomes-to-one" }
        )
        #expect(one["items"] as? [String] == ["Shop readers"])
        let markdown = try momtool("accept", "report", report, "--format", "markdown").output
        #expect(markdown.contains("| relationship-becomes-to-one | unverified | 0 | 1 | 0 | 0 |"))
        #expect(markdown.contains("| different | Shop readers | own-objects |"))
    }

    @Test func `a report in which Core Data was asked nothing decides nothing`() throws {
        let empty = try text("Agreeing").replacing(/"checks": \[[^$]*\],\n {2}"format"/) { _ in
            "\"checks\": [],\n  \"format\""
        }
        let result = try result(of: empty)
        #expect(result.status == 66)
        #expect(result.errors.contains("Core Data was asked nothing"), "\(result.errors)")
    }

    @Test(arguments: [
        "", "[]", "{}", "null", "{\"format\": 1}", String(repeating: "[", count: 100_000),
        "{\"format\": 1, \"momtool\": 1, \"system\": {}, \"checks\": {}}",
    ])
    func `what is no report is refused`(report: String) throws {
        let result = try result(of: report)
        #expect(result.status == 65, "\(result.errors)")
        #expect(result.errors.contains("[not-a-report]"), "\(result.errors)")
    }

    @Test func `a report of another format and one with a check twice are refused`() throws {
        let other = try result(
            of: text("Agreeing").replacing("\"format\": 1", with: "\"format\": 2")
        )
        #expect(other.status == 65)
        #expect(other.errors.contains("the report has the format 2"), "\(other.errors)")
        let twice = try result(
            of: text("Agreeing").replacing("\"check\": \"saves\"", with: "\"check\": \"objects\"")
        )
        #expect(twice.status == 65)
        #expect(twice.errors.contains("'objects' of 'Shop objects' twice"), "\(twice.errors)")
    }

    @Test func `a name of a report cannot break out of its cell or its line`() throws {
        let report = try text("Differing").replacing(
            "Shop readers",
            with: "a | b\\n# c <x>\\u001b[1m"
        )
        let markdown = try result(of: report, "--format", "markdown").output
        #expect(markdown.contains("a \\| b"), "\(markdown)")
        #expect(!markdown.contains("\n# c"))
        #expect(!markdown.contains("<x>"))
        #expect(!markdown.unicodeScalars.contains("\u{1b}"))
    }
}
