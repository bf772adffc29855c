import Diagnostics
import MappingInference
import ModelLoading
import ObjectModel
import TestSupport
import Testing

private struct Step: Sendable, CustomTestStringConvertible {
    var bundle: String
    var from: String
    var to: String
    var verdict: Verdict
    var rules: [String]

    var testDescription: String { "\(from) → \(to)" }

    init(_ bundle: String, _ from: String, _ to: String, _ verdict: Verdict, _ rules: String...) {
        self.bundle = bundle
        self.from = from
        self.to = to
        self.verdict = verdict
        self.rules = rules
    }

    func inferred() throws -> InferredMapping {
        let path = try #require(
            Corpus.paths { $0.hasSuffix(bundle) && !$0.contains("history") }.first
        )
        let versions = readModelBundle(at: Corpus.path(path)).value
        let from = try #require(versions.version(named: from)?.model)
        let to = try #require(versions.version(named: to)?.model)
        return inferMapping(from: from, to: to)
    }
}

private let bookmarks = "Bookmarks/BookmarksModel.xcdatamodeld"
private let apptentive = "Apptentive/Model/ATDataModel.xcdatamodeld"
private let moody = "Migrations/Moody.xcdatamodeld"

/// Real steps on record: mapping models that ship where Core Data infers none, and apps without one.
private let steps = [
    // Inferred; the app reads the order beforehand and writes it back.
    Step(
        bookmarks,
        "BookmarksModel 3",
        "BookmarksModel 4",
        .losesData,
        "relationship-renamed",
        "order-lost-in-many-to-many"
    ),
    Step(bookmarks, "BookmarksModel", "BookmarksModel 2", .lightweight),
    // A mapping model ships, though none is needed: links went to ATMessage, which is not renamed but dropped: it is abstract.
    Step(
        apptentive,
        "ATDataModel",
        "ATDataModel 2",
        .lightweightThoughUndocumented,
        "relationship-destination-changed"
    ),
    Step(apptentive, "ATDataModel 2", "ATDataModel 3", .lightweight, "attribute-added"),
    Step(moody, "Moody", "Moody 2", .lightweight, "attribute-renamed", "attribute-added"),
    // The abstract parent is dropped; its constraint goes down to the children, whose rows it held already.
    Step(
        moody,
        "Moody 3",
        "Moody 4",
        .lightweight,
        "parent-changed",
        "uniqueness-constraint-moved"
    ),
    Step(
        "Models/JVDatabase.xcdatamodeld",
        "JVDatabase_v1",
        "JVDatabase_v2",
        .lightweightThoughUndocumented,
        "numeric-type-changed"
    ),
]

struct CorpusVerdictTests {
    /// Applications on inference alone: artsy's tests open its old stores at 2.7, Nova opens the versions 1 to 11 at
    /// 39, and stops where that fails.
    @Test(
        .enabled(if: Corpus.isPresent),
        arguments: [
            ("CoreData/ArtsyPartner.xcdatamodeld", "ArtsyFolio v2.7.0"),
            ("Storage/SubstrateDataModel.xcdatamodeld", "SubstrateDataModel39"),
        ]
    )
    func `every version of a bundle comes to the current one by inference`(
        bundle: String,
        current: String
    ) throws {
        let path = try #require(Corpus.paths { $0.hasSuffix(bundle) }.first)
        let versions = readModelBundle(at: Corpus.path(path)).value
        let last = try #require(versions.version(named: current)?.model)
        for version in versions.versions {
            let refusals = inferMapping(from: version.model, to: last).refusals
            #expect(refusals.map(\.diagnostic.description) == [], "\(version.name)")
        }
        #expect(versions.versions.count >= 19)
    }

    @Test func `a guess is never said to be Apple's word`() {
        func step(_ from: AttributeType, _ to: AttributeType) -> Refusal? {
            func model(_ type: AttributeType) -> ManagedObjectModel {
                ManagedObjectModel([Entity("A", [Attribute("a", type)])])
            }
            return inferMapping(from: model(from), to: model(to)).refusals.first
        }
        for type in [AttributeType.uuid, .boolean, .uri] {
            let refusal = step(.string, type)
            let isGuess = refusal?.evidence.isGuess == true
            #expect(isGuess == (type != .boolean))
            #expect((refusal?.code == nil) == isGuess)
            #expect(refusal?.diagnostic.message.contains("cannot tell") == isGuess)
            #expect(refusal?.text.contains("134190") == !isGuess)
        }
    }

    @Test(.enabled(if: Corpus.isPresent), arguments: steps)
    private func `verdicts agree with what is on record`(_ step: Step) throws {
        let mapping = try step.inferred()
        #expect(mapping.verdict == step.verdict)
        let rules = Set(
            mapping.judgements.filter { $0.verdict > .noEffectOnHash }.map(\.rule.rawValue)
        )
        #expect(rules.isSuperset(of: step.rules))
    }

    @Test(.enabled(if: Corpus.isPresent))
    func `every real step has a mapping for each entity`() {
        var counts: [Verdict: Int] = [:]
        for path in Corpus.paths(where: { $0.hasSuffix(".xcdatamodeld") }) {
            let versions = readModelBundle(at: Corpus.path(path)).value.versions
            for (from, to) in zip(versions, versions.dropFirst()) {
                let mapping = inferMapping(from: from.model, to: to.model)
                counts[mapping.verdict, default: 0] += 1
                let names = mapping.entityMappings.compactMap(\.destinationEntity)
                #expect(names == to.model.entities.map(\.name).sorted())
                // A verdict that asks for a stage comes with Core Data's message, and vice versa.
                #expect(mapping.verdict.isInferable == mapping.isInferable)
            }
        }
        for verdict in Verdict.allCases { print("\(verdict): \(counts[verdict] ?? 0) real steps") }
        #expect(counts.values.reduce(0, +) > 20)
    }
}
