import Foundation
import MappingInference
import TestSupport
import Testing

/// Holds the page of verdicts to the table that `diff`, `plan` and `lint` judge by.
struct VerdictPageTests {
    @Test func `the page of verdicts is that of the table`() throws {
        let file = pagesFolder.appending(path: "Verdicts.md")
        let page = Self.page
        if DocumentationTests.isRecording { try Data(page.utf8).write(to: file) }
        #expect(
            try String(contentsOf: file, encoding: .utf8) == page,
            "Verdicts.md is stale: run MOMTOOL_RECORD=1 swift test --filter VerdictPageTests"
        )
    }

    @Test func `every row that is written down stands in the table`() throws {
        let folder = Corpus.package
            .appending(path: "Sources/Judgement/MappingInference/Verdicts")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        let declared = try names.filter { $0.hasPrefix("Ruling+") }.map { name in
            let text = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
            return text.matches(of: /static let \w+ = Ruling\(/).count
        }
        #expect(declared.reduce(0, +) == Ruling.table.map(\.rows.count).reduce(0, +))
    }

    @Test func `rows that share an ID differ in what they say of the change`() {
        let rows = Ruling.table.flatMap(\.rows)
        #expect(Set(rows.map(\.change)).count == rows.count)
        #expect(rows.count >= 80)
    }

    @Test func `what a row is a guess about is not said to be Apple's`() {
        for row in Ruling.table.flatMap(\.rows) where row.evidence.isGuess {
            #expect(row.seen == nil, "\(row.rule)")
            #expect(!row.effect.hasPrefix("Core Data"), "\(row.rule)")
        }
    }

    private static var page: String {
        let tables = Ruling.table.map { title, rows in
            let lines = rows.map { row in
                let effect = row.effect + (row.cure.map { ". To keep data: \($0)" } ?? "")
                return "| \(row.change) | \(words(row.verdict)) | \(effect) | \(evidence(row)) | "
                    + "`\(row.rule)` |"
            }
            let head = [
                "## \(title)", "",
                "| change | verdict | what happens to existing rows | evidence | rule |",
                "| --- | --- | --- | --- | --- |",
            ]
            return (head + lines).joined(separator: "\n")
        }
        return intro + tables.joined(separator: "\n\n") + "\n"
    }

    private static func evidence(_ row: Ruling) -> String {
        row.evidence.rawValue + (row.seen.map { " (\($0))" } ?? "")
    }

    private static func words(_ verdict: Verdict) -> String {
        switch verdict {
        case .noEffectOnHash: "no effect on the hash"
        case .lightweight: "**lightweight**"
        case .lightweightThoughUndocumented: "lightweight though undocumented"
        case .dependsOnRows: "**depends on the rows**"
        case .losesData: "**loses data**"
        case .needsCustomStage: "**needs a custom stage or mapping**"
        case .impossible: "**impossible**"
        }
    }

    private static let intro = """
        # Verdicts

        What Core Data does with every kind of change between two versions of a model, and how that is known.

        ## Overview

        `momtool diff`, `plan`, `lint` and `check` judge each change by one table, and this page is printed from it. The verdict
        of a step is the worst of its changes:

        - **no effect on the hash**: Core Data opens the old store as it is and migrates nothing;
        - **lightweight**: Apple documents that a mapping is inferred;
        - **lightweight though undocumented**: a mapping is inferred in practice, but no documentation says so;
        - **depends on the rows**: a mapping is inferred, but some rows make the migration fail or change values;
        - **loses data**: a mapping is inferred, and data is dropped;
        - **needs a custom stage or mapping**: Core Data infers no mapping;
        - **impossible**: not even a chain of steps does it without new entities or properties.

        The evidence is one of these, from the strongest: *measured* in stores that Apple's framework wrote or migrated,
        *documented* by Apple, *tested* by a public test suite, *shipped* by an app that relies on it, *reported* by users,
        *inferred* from the others, and *unverified*. The last two are guesses of momtool's: it says "momtool cannot tell" and
        never that Core Data does so. Versions such as "Wire 2.74 to 2.75" are public models whose stores or tests show it.

        A change of what is in no hash (the last table, and transient properties) triggers no migration of its own. If the step
        migrates for another reason, it takes effect then.


        """
}
