import Diagnostics
import ModelDiffing
import ModelHashing
import ObjectModel
import TestSupport
import Testing

/// It has everything that a hash can depend on.
private let base = ManagedObjectModel(
    [
        Entity("Being", isAbstract: true, [Attribute("id", .uuid)]),
        Entity(
            "Company",
            [Attribute("title", .string)],
            relationships: [.many("staff", "Person", "employer")]
        ),
        Entity(
            "Person",
            parentEntity: "Being",
            [
                Attribute("age", .integer16, defaultValue: .integer(0)),
                Attribute(
                    "folded",
                    .string,
                    derivation: Attribute.Derivation(expression: "canonical:(name)")
                ),
                Attribute("home", .composite, compositeName: "Address"),
                Attribute("mood", .string, isTransient: true), Attribute("name", .string),
            ],
            relationships: [
                .one("employer", "Company", "staff"),
                Relationship(name: "shadow", isTransient: true, destinationEntity: "Person"),
                .many("friends", "Person", "friends"),
            ]
        ),
    ],
    composites: [
        CompositeType("Address", [Attribute("street", .string), Attribute("town", .string)])
    ]
)

private struct Edit: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var apply: @Sendable (inout ManagedObjectModel) -> Void

    init(_ name: String, _ apply: @escaping @Sendable (inout ManagedObjectModel) -> Void) {
        testDescription = name
        self.apply = apply
    }

    static func attribute(
        _ name: String,
        _ index: Int = 0,
        _ apply: @escaping @Sendable (inout Attribute) -> Void
    ) -> Edit {
        Edit(name) { apply(&$0.entities[2].attributes[index]) }
    }

    static func relationship(
        _ name: String,
        _ index: Int = 0,
        _ apply: @escaping @Sendable (inout Relationship) -> Void
    ) -> Edit {
        Edit(name) { apply(&$0.entities[2].relationships[index]) }
    }

    static func entity(
        _ name: String,
        _ apply: @escaping @Sendable (inout Entity) -> Void
    ) -> Edit {
        Edit(name) { apply(&$0.entities[2]) }
    }

    static func element(
        _ name: String,
        _ apply: @escaping @Sendable (inout Attribute) -> Void
    ) -> Edit {
        Edit(name) { apply(&$0.composites[0].attributes[0]) }
    }
}

private let attributeEdits: [Edit] = [
    .attribute("rename") { ($0.name, $0.renamingIdentifier) = ("years", "age") },
    .attribute("type") { $0.type = .integer64 },
    .attribute("optionality") { $0.isOptional = false },
    .attribute("transience") { $0.isTransient = true },
    .attribute("default") { $0.defaultValue = .integer(1) },
    .attribute("validation") { $0.validation.minimum = .integer(0) },
    .attribute("transformer") { $0.valueTransformerName = "T" },
    .attribute("class") { $0.customClassName = "C" },
    .attribute("external storage") { $0.allowsExternalBinaryDataStorage = true },
    .attribute("cloud encryption") { $0.allowsCloudEncryption = true },
    .attribute("preservation") { $0.preservesValueInHistoryOnDeletion = true },
    .attribute("index") { $0.isIndexed = true },
    .attribute("spotlight") { $0.flags[.spotlightIndexing] = true },
    .attribute("truth file") { $0.flags[.storedInTruthFile] = true },
    .attribute("modifier") { $0.versionHashModifier = "2" },
    .attribute("needless identifier") { $0.renamingIdentifier = "age" },
    .attribute("user info") { $0.userInfo = [UserInfoEntry(key: "a", value: "b")] },
    .attribute("setting") { $0.sourceSettings["usesScalarValueType"] = "YES" },
    .attribute("derived: becomes") { $0.derivation = Attribute.Derivation(expression: "now()") },
    .attribute("derived: no longer", 1) { $0.derivation = nil },
    .attribute("derived: expression", 1) { $0.derivation?.expression = "uppercase:(name)" },
    .attribute("derived: type", 1) { $0.type = .date },
    .attribute("derived: optionality", 1) { $0.isOptional = false },
    .attribute("derived: modifier", 1) { $0.versionHashModifier = "2" },
    .attribute("derived: spelling", 1) { $0.derivation?.expression = "canonical: (name)" },
    .attribute("composite: optionality", 2) { $0.isOptional = false },
    .attribute("composite: modifier", 2) { $0.versionHashModifier = "2" },
    .attribute("composite: no longer", 2) { $0.type = .binary },
    .attribute("transient: type", 3) { $0.type = .date },
    .attribute("transient: optionality", 3) { $0.isOptional = false },
    .attribute("transient: stored", 3) { $0.isTransient = false },
    .element("element: type") { $0.type = .date },
    .element("element: optionality") { $0.isOptional = false },
    .element("element: rename") { ($0.name, $0.renamingIdentifier) = ("road", "street") },
    .element("element: default") { $0.defaultValue = .string("") },
    Edit("element: added") {
        $0.composites[0].attributes.append(Attribute("zip", .string))
    },
    Edit("element: removed") { $0.composites[0].attributes.removeLast() },
    Edit("composite type of another name") {
        $0.composites[0].name = "Place"
        $0.entities[2].attributes[2].compositeName = "Place"
    },
    Edit("attribute added") {
        $0.entities[2].attributes.append(Attribute("new", .string))
    },
    Edit("transient attribute added") {
        $0.entities[2].attributes.append(Attribute("x", .date, isTransient: true))
    },
    Edit("attribute removed") { $0.entities[2].attributes.removeLast() },
    Edit("transient attribute removed") { $0.entities[2].attributes.remove(at: 3) },
    Edit("attribute moved up") {
        $0.entities[0].attributes.append($0.entities[2].attributes.removeLast())
    },
]

private let otherEdits: [Edit] = [
    .relationship("delete rule") { $0.deleteRule = .cascade },
    .relationship("optionality") { $0.isOptional = false },
    .relationship("to-many") { ($0.isToMany, $0.maxCount) = (true, nil) },
    .relationship("order") { $0.isOrdered = true },
    .relationship("minimum count") { $0.minCount = 1 },
    .relationship("minimum count written out") { $0.minCount = 0 },
    .relationship("maximum count") { $0.maxCount = 5 },
    .relationship("no inverse") { ($0.inverseName, $0.inverseEntity) = (nil, nil) },
    .relationship("inverse entity") { $0.inverseEntity = "Being" },
    .relationship("destination") { $0.destinationEntity = "Being" },
    .relationship("transience") { $0.isTransient = true },
    .relationship("rename") { ($0.name, $0.renamingIdentifier) = ("boss", "employer") },
    .relationship("index") { $0.isIndexed = true },
    .relationship("modifier") { $0.versionHashModifier = "2" },
    .relationship("user info") { $0.userInfo = [UserInfoEntry(key: "a", value: "b")] },
    .relationship("maximum count left out") { $0.maxCount = nil },
    .relationship("transient: optionality", 1) { $0.isOptional = false },
    .relationship("own inverse: none", 2) { ($0.inverseName, $0.inverseEntity) = (nil, nil) },
    .relationship("own inverse: order", 2) { $0.isOrdered = true },
    .relationship("own inverse: maximum count written out", 2) { $0.maxCount = 0 },
    Edit("relationship added") {
        $0.entities[2].relationships.append(Relationship.one("x", "Being"))
    },
    Edit("relationship removed") { $0.entities[2].relationships.removeFirst() },
    Edit("fetched property added") {
        $0.entities[2].fetchedProperties.append(FetchedProperty(name: "f"))
    },
    .entity("abstractness") { $0.isAbstract = true },
    .entity("no parent") { $0.parentEntity = nil },
    .entity("class") { $0.className = ".Person" },
    .entity("modifier") { $0.versionHashModifier = "2" },
    .entity("needless identifier") { $0.renamingIdentifier = "Person" },
    .entity("rename") { ($0.name, $0.renamingIdentifier) = ("Human", "Person") },
    .entity("uniqueness") {
        $0.uniquenessConstraints = [UniquenessConstraint(properties: ["name"])]
    },
    .entity("fetch index") { $0.fetchIndexes = [FetchIndex(name: "byName")] },
    .entity("compound index") { $0.compoundIndexes = [["name"]] },
    .entity("user info") { $0.userInfo = [UserInfoEntry(key: "a", value: "b")] },
    .entity("setting") { $0.sourceSettings["codeGenerationType"] = "class" },
    Edit("parent renamed") {
        ($0.entities[0].name, $0.entities[0].renamingIdentifier) = ("Creature", "Being")
        $0.entities[2].parentEntity = "Creature"
    },
    Edit("entity added") { $0.entities.append(Entity("Pet")) },
    Edit("configuration") { $0.configurations = [Configuration(name: "Cloud")] },
    Edit("fetch request") {
        $0.fetchRequestTemplates = [FetchRequest(name: "f", entity: "Person")]
    },
    Edit("version identifier") { $0.versionIdentifiers = ["2"] },
    Edit("document setting") { $0.documentSettings["sourceLanguage"] = "Swift" },
]

struct HashAgreementTests {
    @Test(arguments: attributeEdits + otherEdits)
    private func `a change says that it moves the hash when it does`(_ edit: Edit) {
        var edited = base
        edit.apply(&edited)
        for (from, to) in [(base, edited), (edited, base)] {
            let result = diff(from: from, to: to)
            #expect(!result.isEmpty)
            let moves = versionHashes(of: from) != versionHashes(of: to)
            #expect(result.changes.contains(where: \.movesVersionHash) == moves)
            #expect(result.movesVersionHashes == moves)
        }
    }

    @Test func `a sub-entity moves with its parent`() {
        var edited = base
        edited.entities[0].attributes[0].isOptional = false
        let result = diff(from: base, to: edited)
        #expect(result.movedEntities == ["Being", "Person"])
        #expect(result.changes.map(\.subject.path) == ["Being.id"])
    }

    @Test func `a model does not differ from itself in any order of its entities`() {
        var reordered = base
        reordered.entities.reverse()
        for index in reordered.entities.indices { reordered.entities[index].attributes.reverse() }
        #expect(diff(from: base, to: reordered).isEmpty)
        #expect(
            diff(from: base, to: base) == diff(from: reordered, to: reordered).withPairs(of: base)
        )
    }
}

extension ModelDiff {
    fileprivate func withPairs(of model: ManagedObjectModel) -> ModelDiff {
        var copy = self
        copy.entityPairs = diff(from: model, to: model).entityPairs
        return copy
    }
}
