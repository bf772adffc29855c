import Diagnostics
import ModelDiffing
import ObjectModel
import TestSupport
import Testing

struct ClaimTests {
    private func hierarchy(isTransient: Bool, more: Attribute...) -> ManagedObjectModel {
        let shared = Attribute(name: "text", type: .string, isTransient: isTransient)
        let renamed = Attribute(name: "body", type: .string, renamingIdentifier: "text")
        return ManagedObjectModel(entities: [
            Entity(name: "Item", attributes: [shared]),
            Entity(name: "Message", parentEntity: "Item", attributes: [renamed] + more),
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
        let added = Attribute(name: "date", type: .date)
        let from = ModelVersion(model: hierarchy(isTransient: true))
        let to = ModelVersion(model: hierarchy(isTransient: true, more: added))
        #expect(conflicts(from, to) == [])
        #expect(pairs(from, to) == ["body→body", "text→text"])
        let old = ModelVersion(
            model: ManagedObjectModel(entities: [
                Entity(name: "Item"),
                Entity(
                    name: "Message",
                    parentEntity: "Item",
                    attributes: [Attribute(name: "text", type: .string)]
                ),
            ])
        )
        #expect(conflicts(old, to) == [])
        #expect(pairs(old, to) == ["text→body"])
    }

    @Test func `what is stored conflicts, until somebody chooses`() {
        let added = Attribute(name: "date", type: .date)
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
            let name = Attribute(name: "name", type: .string)
            return ManagedObjectModel(entities: [
                Entity(name: "Old", attributes: [name] + more),
                Entity(name: "New", attributes: [name] + more, renamingIdentifier: "Old"),
            ])
        }
        func entities(_ from: ModelVersion, _ to: ModelVersion) -> [String] {
            ModelMatching(from: from, to: to).entityPairs.map { "\($0.from.name)→\($0.to.name)" }
        }
        let from = ModelVersion(model: model())
        #expect(conflicts(from, from) == [])
        #expect(entities(from, from) == ["New→New", "Old→Old"])
        var to = ModelVersion(model: model(Attribute(name: "date", type: .date)))
        #expect(conflicts(from, to).contains("New"))
        to.claimants = ["New"]
        #expect(conflicts(from, to) == [])
        #expect(entities(from, to) == ["New→New", "Old→Old"])
    }
}
