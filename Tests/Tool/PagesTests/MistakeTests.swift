import Diagnostics
import Foundation
import TestSupport
import Testing

/// Makes the mistakes of `Fixtures/Words/Mistakes.md`, each in a folder of its own, and compares the output.
struct MistakeTests {
    private struct Mistake {
        var command: String
        var status: Int32
        var message: String
    }

    private static func mistakes() throws -> [Mistake] {
        let page = Corpus.package.appending(path: "Fixtures/Words/Mistakes.md")
        let text = try String(contentsOf: page, encoding: .utf8)
        return text.matches(of: /\| `(momtool[^`]*)` \| (\d+) \| (.*) \|/).compactMap { row in
            Int32(row.output.2).map {
                let message = row.output.3.replacingOccurrences(of: "\\|", with: "|")
                return Mistake(command: String(row.output.1), status: $0, message: message)
            }
        }
    }

    @Test func `typical mistakes are answered as recorded, with a next step`() throws {
        let mistakes = try Self.mistakes()
        #expect(mistakes.count >= 120)
        #expect(Set(mistakes.map(\.command)).count == mistakes.count)
        try withFolder { folder in
            let space = try PageWorkspace(.first, at: folder.appending(path: "space"))
            let results = Array(mistakes.enumerated()).concurrentMap { place, mistake in
                Result {
                    try space.result(
                        of: mistake.command,
                        at: folder.appending(path: "\(place)"),
                        isMistake: true
                    )
                }
            }
            for (mistake, result) in zip(mistakes, results) {
                let result = try result.get()
                let said = result.errors + result.output
                #expect(result.status == mistake.status, "\(mistake.command): \(said)")
                #expect(said.contains(mistake.message), "\(mistake.command): \(said)")
                #expect(Self.hasNextStep(said), "\(mistake.command): \(said)")
            }
        }
    }

    private static func hasNextStep(_ text: String) -> Bool {
        let signs = [
            "did you mean", "there are", "there is", "Usage:", "name ", "give ", "write ",
            "choose ",
            "--", "momtool ", "compile reads", "not a store", "not an SQLite", "neither",
            "expected",
            "what to do", "in quotes", "keeps no", "nothing to",
        ]
        return signs.contains(where: text.contains)
    }
}
