import Foundation
import TestSupport
import Testing

struct TestCommandTests {
    @Test func `the repository's own cases pass`() throws {
        let cases = Corpus.package.appending(path: "Fixtures/Cases").path
        let count = try FileManager.default.contentsOfDirectory(atPath: cases)
            .count { FileManager.default.fileExists(atPath: "\(cases)/\($0)/case.yml") }
        #expect(count > 100)
        try withFolder { folder in
            let words = ["test", cases, "--jobs", "4", "--format", "text"]
            try expectRun(
                words + ["--format", "junit=report.xml"],
                in: folder,
                0,
                "\n\(count) passed, 0 failed in "
            )
            let report = try fileText(folder.appending(path: "report.xml"))
            #expect(report.components(separatedBy: "<testcase ").count == count + 1)
            #expect(report.contains("tests=\"\(count)\" failures=\"0\" errors=\"0\" skipped=\"0\""))
        }
    }
}
