import Diagnostics
import ModelDiffing
import ObjectModel
import TestSupport
import Testing

private func model(_ entities: Entity...) -> ManagedObjectModel { ManagedObjectModel(entities) }

private func entity(_ name: String = "E", _ attributes: Attribute...) -> Entity {
    Entity(name, attributes)
}

private func string(_ name: String, id: String? = nil) -> Attribute {
    Attribute(name, .string, renamingIdentifier: id)
}

private func pairs(_ from: ManagedObjectModel, _ to: ManagedObjectModel) -> [String] {
    let matching = ModelMatching(from: from, to: to)
    return matching.entityPairs.flatMap { pair in
        matching.attributes(of: pair).pairs.map {
            "\($0.from.property.name)→\($0.to.property.name)"
        }
    }.sorted()
}

struct MatchingTests {
    typealias Row = (testDescription: String, from: [Attribute], to: [Attribute], pairs: [String])

    static let rows: [Row] = [
        ("by name", [string("a")], [string("a"), string("b")], ["a→a"]),
        ("by identifier", [string("a")], [string("b", id: "a")], ["a→b"]),
        ("second link of a chain", [string("b", id: "a")], [string("c", id: "a")], ["b→c"]),
        (
            "identifiers on both sides, as Wire 2.53 → 2.54",
            [string("isSilenced", id: "mutedStatus")], [string("mutedStatus", id: "mutedStatus")],
            ["isSilenced→mutedStatus"]
        ),
        (
            "exchanged names", [string("a"), string("b")],
            [string("a", id: "b"), string("b", id: "a")], ["a→b", "b→a"]
        ),
        ("no second try by name", [string("a")], [string("a", id: "gone")], []),
        ("no identifier", [string("a")], [string("b")], []),
    ]

    @Test(arguments: rows)
    func `attributes are matched by renaming identifier`(_ row: Row) {
        let from = model(Entity("E", row.from))
        let to = model(Entity("E", row.to))
        #expect(pairs(from, to) == row.pairs)
        #expect(diff(from: from, to: to).conflicts.isEmpty)
    }

    @Test func `a renamed entity keeps its properties`() {
        var renamed = entity("MetaData", string("key"))
        renamed.renamingIdentifier = "OrderMetaData"
        let result = diff(from: model(entity("OrderMetaData", string("key"))), to: model(renamed))
        #expect(
            result.changes.filter(\.movesVersionHash)
                == [
                    .entityChanged(
                        result.entityPairs[0],
                        .name(from: "OrderMetaData", to: "MetaData")
                    )
                ]
        )
    }

    @Test func `two claimants for one attribute are an error`() throws {
        let from = model(entity("E", string("a")))
        let to = model(entity("E", string("a"), string("b", id: "a")))
        let result = diff(from: from, to: to)
        let conflict = try #require(result.conflicts.first)
        #expect(result.conflicts.count == 1)
        #expect(conflict.claimants == ["a", "b"])
        #expect(conflict.side == .to)
        #expect(conflict.diagnostic.severity == .error)
        #expect(pairs(from, to) == ["a→a"])
    }

    @Test func `two claimants for one entity are an error`() {
        var other = entity("F")
        other.renamingIdentifier = "E"
        let result = diff(from: model(entity("E")), to: model(entity("E"), other))
        #expect(result.conflicts.map(\.kind) == [.entity])
        #expect(result.conflicts.map(\.claimants) == [["E", "F"]])
    }

    @Test func `an inherited conflict is told once`() {
        let child = Entity("C", parentEntity: "P")
        let from = model(entity("P", string("a")), child)
        let to = model(entity("P", string("a"), string("b", id: "a")), child)
        #expect(diff(from: from, to: to).conflicts.count == 1)
    }

    @Test func `an attribute that moves up is kept`() {
        let child = Entity("C", parentEntity: "P", [string("a")])
        let from = model(entity("P"), child)
        let to = model(entity("P", string("a")), Entity("C", parentEntity: "P"))
        let changes = diff(from: from, to: to).changes
        #expect(changes.count == 2)
        #expect(
            changes.contains {
                if case .attributeChanged(_, .declaringEntity(from: "C", to: "P")) = $0 {
                    return true
                }
                return false
            }
        )
        #expect(!changes.contains { if case .attributeRemoved = $0 { true } else { false } })
    }

    @Test func `an attribute that moves down is lost to the parent alone`() {
        let from = model(entity("P", string("a")), Entity("C", parentEntity: "P"))
        let to = model(entity("P"), Entity("C", parentEntity: "P", [string("a")]))
        #expect(diff(from: from, to: to).changes.map(\.subject.path) == ["C.a", "P.a"])
    }

    @Test func `attributes that move from one parent to another are told once`() {
        let children = ["A", "B"]
        func version(_ parent: String) -> ManagedObjectModel {
            ManagedObjectModel(
                entities: [entity("Root"), entity(parent, string("a"))]
                    + children.map { Entity($0, parentEntity: parent) }
            )
        }
        let moves = diff(from: version("P"), to: version("Q")).changes.filter {
            if case .attributeChanged(_, .declaringEntity) = $0 { true } else { false }
        }
        #expect(moves.map(\.subject.path) == ["Q.a"])
    }

    @Test func `models with more inherited properties than can be compared are said to be cut`() {
        let attributes = (0..<600).map { string("a\($0)") }
        let parent = Entity("P", attributes)
        let children = (0..<1000).map { Entity("C\($0)", parentEntity: "P") }
        let from = ManagedObjectModel([parent] + children)
        #expect(ModelMatching(from: from, to: from).isTruncated)
        #expect(!ModelMatching(from: model(parent), to: model(parent)).isTruncated)
    }

    @Test func `places of both versions are told`() {
        var old = string("a")
        old.source = SourceMark(FileLocation(path: "old", line: 3))
        var new = old
        new.type = .date
        new.source = SourceMark(FileLocation(path: "new", line: 4))
        let changes = diff(from: model(entity("E", old)), to: model(entity("E", new))).changes
        #expect(changes.map(\.fromLocation?.description) == ["old:3"])
        #expect(changes.map(\.toLocation?.description) == ["new:4"])
    }

    @Test func `a circle of parents is survived`() {
        let from = model(Entity("A", parentEntity: "B"), Entity("B", parentEntity: "A"))
        let to = model(Entity("A", parentEntity: "A"))
        #expect(!diff(from: from, to: to).isEmpty)
    }

    @Test func `composites that multiply without bound are cut`() {
        let types = (0..<40).map { level in
            CompositeType(
                name: "T\(level)",
                attributes: ["l", "r"].map {
                    Attribute($0, .composite, compositeName: "T\(level + 1)")
                }
            )
        }
        let last = CompositeType("T40", [string("x")])
        let attribute = Attribute("a", .composite, compositeName: "T0")
        let from = ManagedObjectModel([entity("E", attribute)], composites: types + [last])
        var to = from
        to.composites[40].attributes[0].type = .date
        #expect(!diff(from: from, to: to).isEmpty)
        let matching = ModelMatching(from: from, to: to)
        #expect(CompositeMatching(from: attribute, to: attribute, in: matching).isTruncated)
    }
}

struct RenameSuspicionTests {
    private func suspicions(_ from: [Attribute], _ to: [Attribute]) -> [RenameSuspicion] {
        diff(from: model(Entity("E", from)), to: model(Entity("E", to))).suspicions
    }

    @Test func `a similar name of the same type is suspected`() throws {
        let found = suspicions([string("title")], [string("fullTitle")])
        let suspicion = try #require(found.first)
        #expect(suspicion.ground == .similarName)
        #expect(suspicion.elementID == "title")
        #expect(suspicion.diagnostic.severity == .warning)
    }

    @Test func `the identifier to add is the first of the chain`() {
        let found = suspicions([string("name2", id: "name")], [string("name3")])
        #expect(found.map(\.elementID) == ["name"])
    }

    @Test func `the only pair of a type is worth a note`() {
        let found = suspicions([string("abc")], [string("xyz")])
        #expect(found.map(\.ground) == [.onlyCandidates])
        #expect(found.map(\.diagnostic.severity) == [.note])
    }

    @Test func `another type is not suspected`() {
        #expect(suspicions([string("title")], [Attribute("titles", .date)]).isEmpty)
    }

    @Test func `a declared rename is not suspected`() {
        #expect(suspicions([string("title")], [string("fullTitle", id: "title")]).isEmpty)
    }

    @Test func `an identifier that names nothing is suspected`() {
        let found = suspicions([string("a")], [string("a", id: "b")])
        #expect(found.map(\.ground) == [.staleIdentifier])
        #expect(found.map(\.elementID) == ["a"])
    }

    @Test func `the plain name instead of the identifier is suspected`() {
        let found = suspicions([string("b", id: "a")], [string("c", id: "b")])
        #expect(found.map(\.ground) == [.nameInsteadOfIdentifier])
        #expect(found.map(\.elementID) == ["a"])
    }

    @Test func `what moves up or down in a hierarchy is not renamed`() {
        func parent(_ attribute: String) -> Entity { entity("P", string("n"), string(attribute)) }
        func child(_ name: String, _ attribute: String?) -> Entity {
            var entity = Entity(name, attribute.map { [string($0)] } ?? [])
            entity.parentEntity = "P"
            return entity
        }
        let from = [parent("down"), child("C1", "up"), child("C2", "up")]
        func found(_ up: String, _ down: String) -> [String] {
            let to = [parent(up), child("C1", down), child("C2", nil)]
            let changes = diff(from: ManagedObjectModel(from), to: ManagedObjectModel(to))
            return changes.suspicions.map(\.from)
        }
        #expect(found("up", "down").isEmpty)
        #expect(found("other", "up") == ["down"])
    }

    @Test func `an entity with the same properties is suspected`() {
        let result = diff(
            from: model(entity("Order", string("a"), string("b"))),
            to: model(entity("Purchase", string("a"), string("b"), string("c")))
        )
        #expect(result.suspicions.map(\.ground) == [.sharedProperties])
        #expect(result.suspicions.map(\.elementID) == ["Order"])
    }
}

struct RemovedCaseTests {
    private func model(_ cases: KeyValuePairs<String, Int64>) -> ManagedObjectModel {
        var state = Attribute("state", .integer64, isOptional: false)
        let all = cases.map { EnumCases.Case(name: $0.key, value: .integer($0.value)) }
        state.enumCases = EnumCases(["state": all])
        return ManagedObjectModel([Entity("Bill", [state])])
    }

    @Test(
        arguments: [
            (["draft": 0, "new": 1, "sent": 2, "paid": 3], ["sent→new", "paid→sent"]),
            (["sent": 0, "draft": 1, "paid": 2], ["draft→sent", "sent→draft"]),
            (["draft": 0, "paid": 1], ["sent→paid", "paid→"]),
            (["draft": 0, "sent": 1], ["paid→"]),
            (["draft": 0, "posted": 1, "paid": 2, "late": 3], []),
            (["paid": 2, "sent": 1, "draft": 0], []),
        ] as [(KeyValuePairs<String, Int64>, [String])]
    )
    func `a raw value of another case is found, a renamed case is not`(
        _ cases: KeyValuePairs<String, Int64>,
        _ expected: [String]
    ) {
        let old = model(["draft": 0, "sent": 1, "paid": 2])
        let found = removedCases(from: old, to: model(cases))
        #expect(found.map { "\($0.old.name)→\($0.successor ?? "")" } == expected)
    }
}
