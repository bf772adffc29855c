import MomtoolCommands
import TestSupport
import Testing

struct RemovedTests {
    @Test(arguments: Removed.rows)
    func `what was removed ends with one line that names what serves instead`(
        row: Removed
    ) throws {
        let words = row.words.split(separator: " ").map(String.init)
        let isOfAny = row.words.hasPrefix("-")
        let result = try momtool(isOfAny ? ["lint"] + words : words)
        let name = isOfAny ? row.words : "momtool \(row.words)"
        #expect(result.status == 64 && result.output.isEmpty, "\(result)")
        #expect(
            result.errors
                == "momtool: error: '\(name)' was removed; \(row.instead) [removed-command]\n"
        )
    }
}
