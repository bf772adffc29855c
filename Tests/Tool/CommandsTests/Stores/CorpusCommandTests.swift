import Foundation
import TestSupport
import Testing

@Suite(.enabled(if: Corpus.isPresent, "the corpus is not there"))
struct CorpusCommandTests {
    private static let partner = "artsy+energy/Resources/CoreData/ArtsyPartner.xcdatamodeld"

    /// The stores that artsy's own tests open at 2.7, and which of them are damaged: their only row has the number of
    /// an entity of another version, or the greatest keys are wrong.
    private static let stores = [
        ("1.3", ["foreign-entity-number", "key-above-maximum"]), ("1.3.5", []),
        ("1.4", ["key-above-maximum"]), ("1.6", []),
        ("2.0", ["foreign-entity-number", "key-above-maximum"]),
    ]

    @Test(arguments: stores)
    private func `an old store of artsy comes to 2.7`(name: String, faults: [String]) throws {
        try withFolder { folder in
            let old = Corpus.path(
                "artsy+energy/ArtsyFolio Tests/Migrations/ArtsyPartner_\(name).sqlite"
            )
            let model = Corpus.path(Self.partner)
            let new = folder.appending(path: "New.sqlite").path
            let target = ["--model", model, "--to", "ArtsyFolio v2.7.0"]
            let run = try momtool(
                ["migrate", old] + target + ["-o", new, "--allow-data-loss"],
                in: folder
            )
            #expect(run.status == 0, "\(run.errors)")
            let identity = try momtool("identify", new, "--model", model)
            #expect(identity.output.contains("ArtsyFolio v2.7.0"))
            let verified = try momtool("verify", new, "--model", "\(model)#ArtsyFolio v2.7.0")
            let lines = verified.output.split(separator: "\n").filter { line in
                !line.contains(": note: ") && line.contains("[")
                    && !faults.contains { line.contains("[\($0)]") }
            }
            #expect(lines == [], "\(name)")
        }
    }

    @Test func `the store that artsy ships with its sources is read`() throws {
        let store = Corpus.path("artsy+energy/Resources/CoreData/oss_stubbed_data.sqlite")
        let model = Corpus.path(Self.partner)
        let identity = try momtool("identify", store, "--model", model)
        #expect(identity.status == 0, "\(identity.errors)")
        #expect(try momtool("inspect", store).status == 0)
        let export = try momtool("export", store, "--model", model)
        #expect(export.status == 0, "\(export.errors)")
        let rows = try #require(
            try JSONSerialization.jsonObject(with: Data(export.output.utf8)) as? [String: [Any]]
        )
        let count = rows.values.map(\.count).reduce(0, +)
        #expect(count > 100, "\(count)")
    }

    @Test func `a bundle with an empty list of versions compiles`() throws {
        let bundle = Corpus.path(
            "JohnEstropia+CoreStore/Demo/Sources/Demos/Advanced/EvolutionDemo/"
                + "Advanced.EvolutionDemo.xcdatamodeld"
        )
        try withFolder { folder in
            let run = try momtool("compile", bundle, "-o", folder.path)
            #expect(run.status == 0, "\(run.errors)")
            let made = folder.appending(path: "Advanced.EvolutionDemo.momd").path
            let inspected = try momtool("inspect", made)
            #expect(inspected.status == 0, "\(inspected.errors)")
        }
    }
}
