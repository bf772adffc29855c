import Foundation
import Testing

struct DocumentedExampleTests {
    @Test func `every example of the pages and of public comments is compiled`() throws {
        let fresh = try ExampleFile.text()
        if ProcessInfo.processInfo.environment["MOMTOOL_RECORD"] != nil {
            try Data(fresh.utf8).write(to: ExampleFile.path)
        }
        let compiled = try String(contentsOf: ExampleFile.path, encoding: .utf8)
        #expect(compiled.components(separatedBy: "func ").count > 30)
        #expect(
            compiled == fresh,
            "stale: run MOMTOOL_RECORD=1 swift test --filter DocumentedExampleTests"
        )
    }
}
