import Diagnostics
import ModelDiffing
import ModelHashing
import ModelLoading
import ObjectModel
import TestSupport
import Testing

struct ClaimTests {
    private func hierarchy(isTransient: Bool, more: Attribute...) -> ManagedObjectModel {
        let shared = Attribute("text", .string, isTransient: isTransient)
        let renamed = Attribute("body", .string, renamingIdentifier: "text")
        return ManagedObjectModel([
            Entity("Item", [shared]), Entity("Message", parentEntity: "Item", [renamed] + more),
        ])
    }

    private func pairs(_ from: ModelVersion, _ to: ModelVersion) -> [String] {
        let matching = ModelMatching(from: from, to: to)
        return matching.entityPairs.filter { $0.to.name == "Message" }.flatMap { pair in
            matching.attributes(of: pair).pairs.map {
                "\($0.from.property.name)→\($0.to.property.name)"
            }
        }.sorted()
    }

    private func conflicts(_ from: ModelVersion, _ to: ModelVersion) -> [String] {
        diff(ModelMatching(from: from, to: to)).conflicts.flatMap(\.claimants)
    }

    @Test func `a version continues itself, whatever shares an identifier`() {
        for isTransient in [true, false] {
            let version = ModelVersion(model: hierarchy(isTransient: isTransient))
            #expect(conflicts(version, version) == [])
            #expect(pairs(version, version) == ["body→body", "text→text"])
        }
    }

    @Test func `a transient attribute claims nothing`() {
        let added = Attribute("date", .date)
        let from = ModelVersion(model: hierarchy(isTransient: true))
        let to = ModelVersion(model: hierarchy(isTransient: true, more: added))
        #expect(conflicts(from, to) == [])
        #expect(pairs(from, to) == ["body→body", "text→text"])
        let old = ModelVersion(
            model: ManagedObjectModel([
                Entity("Item"),
                Entity("Message", parentEntity: "Item", [Attribute("text", .string)]),
            ])
        )
        #expect(conflicts(old, to) == [])
        #expect(pairs(old, to) == ["text→body"])
    }

    @Test func `what is stored conflicts, until somebody chooses`() {
        let added = Attribute("date", .date)
        let from = ModelVersion(model: hierarchy(isTransient: false))
        var to = ModelVersion(model: hierarchy(isTransient: false, more: added))
        #expect(conflicts(from, to).contains("body"))
        for choice in ["Message.body", "Item.text"] {
            to.claimants = [choice]
            #expect(conflicts(from, to) == [])
            #expect(pairs(from, to) == ["body→body", "text→text"])
        }
        to.claimants = ["Other.body"]
        #expect(conflicts(from, to).contains("body"))
    }

    @Test func `entities of one name and hash continue themselves, and others by choice`() {
        func model(_ more: Attribute...) -> ManagedObjectModel {
            let name = Attribute("name", .string)
            return ManagedObjectModel([
                Entity("Old", [name] + more),
                Entity("New", [name] + more, renamingIdentifier: "Old"),
            ])
        }
        func entities(_ from: ModelVersion, _ to: ModelVersion) -> [String] {
            ModelMatching(from: from, to: to).entityPairs.map { "\($0.from.name)→\($0.to.name)" }
        }
        let from = ModelVersion(model: model())
        #expect(conflicts(from, from) == [])
        #expect(entities(from, from) == ["New→New", "Old→Old"])
        var to = ModelVersion(model: model(Attribute("date", .date)))
        #expect(conflicts(from, to).contains("New"))
        to.claimants = ["New"]
        #expect(conflicts(from, to) == [])
        #expect(entities(from, to) == ["New→New", "Old→Old"])
    }
}

struct CorpusDiffTests {
    @Test(.enabled(if: Corpus.isPresent))
    func `changes agree with the hashes over all real versions`() {
        let paths = Corpus.paths { $0.hasSuffix(".xcdatamodeld") }
        var count = 0
        for path in paths {
            let versions = readModelBundle(at: Corpus.path(path)).value.versions
            for (from, to) in zip(versions, versions.dropFirst()) {
                let result = diff(from: from.model, to: to.model)
                let moves = versionHashes(of: from.model) != versionHashes(of: to.model)
                #expect(
                    result.changes.contains(where: \.movesVersionHash) == moves,
                    "\(path): \(from.name) → \(to.name)"
                )
                count += 1
            }
        }
        #expect(count > 20)
    }
}
