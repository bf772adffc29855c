import Diagnostics
import Foundation
import MappingInference
import ModelLoading
import TestSupport
import Testing

struct VerdictPageTests {
    @Test func `the page of verdicts is that of the table`() throws {
        let file = pagesFolder.appending(path: "Verdicts.md")
        let page = Self.page
        if isRecording { try Data(page.utf8).write(to: file) }
        #expect(
            try fileText(file) == page,
            "Verdicts.md is stale: run MOMTOOL_RECORD=1 swift test --filter VerdictPageTests"
        )
    }

    @Test func `the page of CloudKit has the table of its verdicts`() throws {
        let file = pagesFolder.appending(path: "CloudKitSchemas.md")
        var text = try fileText(file)
        if isRecording {
            text.replace(/\| change \| CloudKit \|.*\n(?:\|.*\n)*/, with: Self.cloudKitTable)
            try Data(text.utf8).write(to: file)
        }
        #expect(
            text.contains("\n\(Self.cloudKitTable)\n"),
            "CloudKitSchemas.md is stale: run MOMTOOL_RECORD=1 swift test --filter VerdictPageTests"
        )
    }

    @Test func `every row that is written down stands in the table`() throws {
        let folder = Corpus.package
            .appending(path: "Sources/Judgement/MappingInference/Verdicts")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        let declared = try names.filter { $0.hasPrefix("Ruling+") }.map { name in
            let text = try fileText(folder.appending(path: name))
            return text.matches(of: /static let \w+ = (?:row|undocumented)\(/).count
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

    /// The cases by which Core Data can be asked about a guess; those that are not changes of one step have none.
    private static let deciding = [
        "an entity becomes abstract": "entity-becomes-abstract-without-rows",
        "an abstract entity becomes concrete": "abstract-entity-becomes-concrete",
        "a uniqueness constraint is added that all rows meet": "uniqueness-moved-to-the-sub-entity",
        "a derived attribute is added": "derived-value-added",
        "an attribute becomes transient": "persistent-becomes-transient",
        "a stored attribute becomes derived": "attribute-becomes-derived",
        "a derived attribute becomes stored": "attribute-becomes-derived",
        "the derivation of an attribute changes": "derivation-changed",
        "external storage is switched on or off": "external-storage-switched-on",
        "preservation after deletion is switched on or off": "preserved-after-deletion-switched-on",
        "a number gets a type that cannot hold all old values":
            "double-becomes-integer-of-fractions",
        "the type changes, and nothing public shows what Core Data does":
            "integer-becomes-date",
        "a composite attribute is added": "composite-added",
        "an element is added that is optional or has a default":
            "composite-element-added-with-default",
        "a mandatory element without a default is added": "mandatory-composite-element-added",
        "an element is removed": "composite-element-removed",
        "an inverse changes or is lost, or a relationship without one becomes to-many, so that not all links can be kept":
            "inverses-that-differ",
        "an element of an optional composite becomes mandatory":
            "composite-element-becomes-mandatory",
        "a to-many becomes to-one": "to-many-of-three-becomes-to-one",
        "the maximum count of a to-many is lowered": "count-limits-changed",
        "the minimum count of a to-many changes, or its maximum is raised": "minimum-count-changed",
        "a to-one becomes mandatory": "relationship-becomes-mandatory",
        "a relationship becomes transient": "relationship-becomes-transient",
        "a transient to-many or optional to-one becomes stored":
            "transient-relationship-becomes-stored",
        "a composite type is added, removed or changed": "composite-type-added",
        "a configuration is added, removed or changed": "configuration-added",
    ]

    private static let undecidable: Set = [
        // Types that are stored alike are one type to the reader.
        "the type changes but is stored the same way",
        // It is refused here, so that no case leads through it.
        "the destination of a mandatory to-one becomes an entity to which no link leads",
    ]

    @Test func `each guess names the case that would decide it`() throws {
        let guesses = Ruling.table.flatMap(\.rows).filter(\.evidence.isGuess)
        #expect(
            Set(guesses.map(\.change)) == Self.undecidable.union(Self.deciding.keys),
            "add a case to Fixtures/Questions, and name it here"
        )
        for row in guesses {
            guard let name = Self.deciding[row.change] else { continue }
            let folders = ["Cases", "Questions"].map { folder in
                Corpus.package.appending(path: "Fixtures/\(folder)/\(name)/Model.xcdatamodeld")
            }
            let model = try #require(
                folders.first { FileManager.default.fileExists(atPath: $0.path) },
                "\(name)"
            )
            let bundle = readModelBundle(at: model.path).value
            let mapping = inferMapping(
                from: try #require(bundle.version(named: "V1")),
                to: try #require(bundle.version(named: "V2"))
            )
            #expect(
                mapping.judgements.contains {
                    $0.rule == row.rule && $0.evidence == row.evidence
                },
                "\(row.change): \(name) has \(mapping.judgements.map(\.rule))"
            )
        }
    }

    private static var page: String {
        let tables = Ruling.table.map { title, rows in
            let lines = rows.map { row in
                let effect = row.effect + (row.cure.map { ". To keep data: \($0)" } ?? "")
                return "| \(row.change) | \(words(row.verdict)) | \(effect) | \(evidence(row)) | "
                    + "`\(row.rule.rawValue)` |"
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

    private static var cloudKitTable: String {
        let rows = CloudKitRuling.table.map { row in
            let seen = row.seen.map { " (\($0))" } ?? ""
            return "| \(row.change) | **\(row.verdict.words)** | \(row.effect) | "
                + "\(row.evidence.rawValue)\(seen) |"
        }
        let head = ["| change | CloudKit | what happens | evidence |", "| --- | --- | --- | --- |"]
        return (head + rows).joined(separator: "\n") + "\n"
    }

    private static func evidence(_ row: Ruling) -> String {
        row.evidence.rawValue + (row.seen.map { " (\($0))" } ?? "")
            + (deciding[row.change].map { " (ask by `\($0)`)" } ?? "")
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
        # Verdicts and losses

        After this page you know what Core Data does with every kind of change between two versions, and on what evidence.

        ```sh
        momtool diff Shop.xcdatamodeld --from V1 --to V2
        momtool plan Shop.xcdatamodeld --store Shop.sqlite
        ```

        `diff`, `plan`, `lint` and `check` judge each change by this table. The verdict of a step is the worst of its changes:

        - **no effect on the hash**: Core Data opens the old store as it is and migrates nothing;
        - **lightweight**: Apple documents that a mapping is inferred;
        - **lightweight though undocumented**: a mapping is inferred in practice, but no documentation says so;
        - **depends on the rows**: a mapping is inferred, but some rows make the migration fail or change values;
        - **loses data**: a mapping is inferred, and data is dropped;
        - **needs a custom stage or mapping**: Core Data infers no mapping;
        - **impossible**: not even a chain of steps does it without new entities or properties.

        The evidence, from the strongest: *measured* in stores that Apple's framework wrote or migrated, *documented* by Apple,
        *tested* by a public test suite, *shipped* by an app that relies on it, *reported* by users, *inferred* from the others,
        and *unverified*. The last two are guesses: momtool says that it cannot tell. "Ask by" names the case that asks Core Data
        on a Mac (<doc:WhatNobodyKnows>). A change of what is in no hash takes effect when the step migrates for another reason.

        `plan --store` counts in the rows what would be lost. <doc:CloudKitSchemas#Changes> says what CloudKit makes of changes.


        """
}
