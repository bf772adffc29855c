import Diagnostics
import MappingInference
import ModelDiffing
import ObjectModel
import TestSupport
import Testing

private func model(_ entities: Entity...) -> ManagedObjectModel { ManagedObjectModel(entities) }

private func entity(_ name: String = "E", _ attributes: Attribute...) -> Entity {
    Entity(name, attributes)
}

private func property(_ name: String, _ owner: String = "E") -> PropertyReference {
    PropertyReference(entity: owner, name: name)
}

struct MappingTests {
    @Test func `entities come by new name and removed ones last`() {
        var renamed = entity("B2", Attribute("x", .date))
        renamed.renamingIdentifier = "B"
        let mapping = inferMapping(
            from: model(entity("Z"), entity("A"), entity("B", Attribute("x", .date))),
            to: model(renamed, entity("C"), entity("A"))
        )
        #expect(
            mapping.entityMappings.map(\.name)
                == ["IEM_Copy_A", "IEM_Transform_B2", "IEM_Add_C", "IEM_Remove_Z"]
        )
        #expect(mapping.entityMappings.map(\.sourceEntity) == ["A", "B", nil, "Z"])
        #expect(mapping.entityMappings.map(\.destinationEntity) == ["A", "B2", "C", nil])
        #expect(mapping.losses == [RowRisk(.removedEntity, of: "Z")])
    }

    @Test func `inherited attributes are mapped with their declaring entities`() {
        let from = model(
            entity("P", Attribute("a", .date)),
            Entity("C", parentEntity: "P", [Attribute("b", .date)])
        )
        let to = model(
            entity("P", Attribute("a", .date), Attribute("b2", .date, renamingIdentifier: "b")),
            Entity("C", parentEntity: "P")
        )
        let mapping = inferMapping(from: from, to: to)
        #expect(
            mapping.entityMappings.map(\.attributeMappings) == [
                [
                    AttributeMapping(destination: property("a", "P"), source: property("a", "P")),
                    AttributeMapping(destination: property("b2", "P"), source: property("b", "C")),
                ],
                [
                    AttributeMapping(destination: property("a", "P"), source: property("a", "P")),
                    AttributeMapping(destination: property("b2", "P"), source: nil),
                ],
            ]
        )
        #expect(mapping.losses.isEmpty)
    }

    @Test func `new attributes are filled with their defaults`() {
        let mapping = inferMapping(
            from: model(entity()),
            to: model(
                entity(
                    "E",
                    Attribute("a", .boolean, defaultValue: .boolean(true)),
                    Attribute("b", .boolean),
                    Attribute("t", .boolean, isTransient: true)
                )
            )
        )
        let attributes = mapping.entityMappings[0].attributeMappings
        #expect(attributes.map(\.destination.name) == ["a", "b"])
        #expect(attributes.map(\.fill) == [.boolean(true), nil])
        #expect(attributes.allSatisfy { $0.source == nil })
    }

    @Test func `a default takes the place of NULL when an attribute becomes mandatory`() {
        let mapping = inferMapping(
            from: model(entity("E", Attribute("a", .integer16))),
            to: model(
                entity(
                    "E",
                    Attribute("a", .integer16, isOptional: false, defaultValue: .integer(7))
                )
            )
        )
        #expect(mapping.entityMappings[0].attributeMappings[0].nullReplacement == .integer(7))
        #expect(mapping.risks.isEmpty)
    }

    @Test func `rows at stake are told for concrete entities`() {
        let parent = Entity("P", isAbstract: true)
        let child = Entity("C", parentEntity: "P")
        var changed = parent
        changed.attributes = [Attribute("a", .date, isOptional: false)]
        let mapping = inferMapping(from: model(parent, child), to: model(changed, child))
        #expect(
            mapping.risks == [
                RowRisk(.mandatoryWithoutDefault, of: "C", to: "C", property("a", "P"))
            ]
        )
        #expect(mapping.verdict == .dependsOnRows)
        #expect(mapping.isInferable)
    }

    @Test func `elements of composites are mapped each by its path`() {
        let attribute = Attribute("home", .composite, compositeName: "Address")
        var from = model(entity("E", attribute))
        from.composites = [
            CompositeType("Address", [Attribute("old", .date), Attribute("street", .string)])
        ]
        var to = from
        to.composites[0].attributes = [
            Attribute("new", .date, defaultValue: .date(1)),
            Attribute("road", .string, renamingIdentifier: "street"),
        ]
        let mapping = inferMapping(from: from, to: to)
        #expect(
            mapping.entityMappings[0].attributeMappings == [
                AttributeMapping(
                    destination: property("home"),
                    elementPath: ["new"],
                    source: nil,
                    fill: .date(1)
                ),
                AttributeMapping(
                    destination: property("home"),
                    elementPath: ["road"],
                    source: property("home"),
                    sourceElementPath: ["street"]
                ),
            ]
        )
        #expect(
            mapping.losses == [
                RowRisk(.removedAttribute(.removed), of: "E", property("home"), at: ["old"])
            ]
        )
    }

    @Test func `a derived attribute that is mandatory is no risk`() {
        let derived = Attribute(
            "d",
            .date,
            isOptional: false,
            derivation: Attribute.Derivation(expression: "now()")
        )
        #expect(inferMapping(from: model(entity()), to: model(entity("E", derived))).risks.isEmpty)
    }

    @Test func `a constraint that is only reordered is no risk`() {
        var from = entity("E", Attribute("a", .date), Attribute("b", .date))
        from.uniquenessConstraints = [UniquenessConstraint(properties: ["a", "b"])]
        var to = from
        to.uniquenessConstraints = [UniquenessConstraint(properties: ["b", "a"])]
        #expect(inferMapping(from: model(from), to: model(to)).risks.isEmpty)
    }

    /// Which of the attributes that are unique together become mandatory: rows without a value get the same one.
    @Test(arguments: [[], ["a"], ["b"], ["a", "b"]])
    func `a kept constraint is a risk where rows get values that they lacked`(filled: [String]) {
        var from = entity("E", Attribute("a", .string), Attribute("b", .string))
        from.uniquenessConstraints = [UniquenessConstraint(properties: ["a", "b"])]
        var to = from
        for index in to.attributes.indices where filled.contains(to.attributes[index].name) {
            to.attributes[index].isOptional = false
            to.attributes[index].defaultValue = .string("x")
        }
        let risks = inferMapping(from: model(from), to: model(to)).risks
        #expect(risks.count == (filled.isEmpty ? 0 : 1), "\(risks)")
    }

    @Test func `a constraint over a renamed attribute goes on`() {
        var from = entity("E", Attribute("a", .date))
        from.uniquenessConstraints = [UniquenessConstraint(properties: ["a"])]
        var to = entity("E", Attribute("b", .date, renamingIdentifier: "a"))
        to.uniquenessConstraints = [UniquenessConstraint(properties: ["b"])]
        let mapping = inferMapping(from: model(from), to: model(to))
        #expect(mapping.risks.isEmpty)
        #expect(mapping.verdict == .lightweight)
    }

    /// The constraints of a parent and of its sub-entity before and after, and the kind of loss that the new ones are.
    private static let constraints: [([[String]], [[String]], [[String]], [[String]], String?)] = [
        ([["a", "b"]], [], [["a", "b", "c"]], [], nil),
        ([["a"]], [], [["a"], ["a", "b"]], [], nil),
        ([["a", "b"]], [], [["a"]], [], "rows"), ([], [["a"]], [["a"]], [], nil),
        ([], [], [["new"]], [], nil), ([], [], [["a", "new"]], [], nil),
        ([], [], [["one"]], [], "required"), ([], [], [["one", "two"]], [], "required"),
        ([], [], [["a", "one"]], [], "rows"), ([], [], [], [["one"]], "required"),
        // Rows of the sub-entity bring values.
        ([], [], [["own"]], [], "rows"), ([], [["own"]], [["own"]], [], "rows"),
    ]

    @Test(arguments: constraints)
    func `a constraint fails for no rows, for some, or for any two`(
        _ parents: [[String]],
        _ children: [[String]],
        _ newParents: [[String]],
        _ newChildren: [[String]],
        _ kind: String?
    ) {
        func entities(
            _ own: [[String]],
            _ below: [[String]],
            _ parent: [Attribute],
            _ child: [Attribute]
        )
            -> ManagedObjectModel
        {
            var entities = [Entity("P", parent), Entity("Q", child)]
            entities[1].parentEntity = "P"
            for (index, list) in [own, below].enumerated() {
                entities[index].uniquenessConstraints = list.map {
                    UniquenessConstraint(properties: $0)
                }
            }
            return ManagedObjectModel(entities)
        }
        let kept = ["a", "b", "c"].map { Attribute($0, .date) }
        let filled = ["one", "two"].map { Attribute($0, .date, defaultValue: .date(0)) }
        let own = Attribute("own", .date)
        let from = entities(parents, children, kept, [own])
        let to = entities(
            newParents,
            newChildren,
            kept + filled + [Attribute("new", .date), own],
            []
        )
        let mapping = inferMapping(from: from, to: to)
        let losses = stepLosses(ModelMatching(from: from, to: to), mapping)
        #expect(Set(losses.map { "\($0.kind)" }) == Set([kind].compactMap(\.self)))
        #expect(mapping.verdict == (kind == nil ? .lightweight : .dependsOnRows))
    }

    @Test func `a circle of parents is survived`() {
        let from = model(Entity("A", parentEntity: "B"), Entity("B", parentEntity: "A"))
        let to = model(Entity("A", parentEntity: "A"))
        #expect(inferMapping(from: from, to: to).entityMappings.count == 2)
    }
}

struct RefusalTests {
    @Test func `incompatible types are refused as Core Data refuses them`() throws {
        var old = Attribute("data", .string)
        old.source = SourceMark(FileLocation(path: "old", line: 1))
        var new = Attribute("data", .binary)
        new.source = SourceMark(FileLocation(path: "new", line: 2))
        let mapping = inferMapping(from: model(entity("E", old)), to: model(entity("E", new)))
        let refusal = try #require(mapping.refusals.first)
        #expect(refusal.code?.number == 134190)
        #expect(refusal.path == "E.data")
        #expect(refusal.types == "String → Binary")
        #expect(refusal.fromLocation?.path == "old")
        #expect(refusal.toLocation?.path == "new")
        #expect(
            refusal.diagnostic.description.hasPrefix("new:2: error: ")
        )
    }

    @Test func `what is wrong with an inherited property is told once`() {
        let children = ["A", "B", "C"].map { Entity($0, parentEntity: "P") }
        var from = ManagedObjectModel([entity("P", Attribute(name: "x", type: .string))] + children)
        from.entities[0].relationships = []
        var to = from
        to.entities[0].attributes[0].type = .binary
        to.entities[0].relationships = [Relationship.one("r", "A", isOptional: false)]
        let mapping = inferMapping(from: from, to: to)
        #expect(mapping.refusals.map(\.rule) == ["incompatible-attribute-types"])
        #expect(mapping.refusals.map(\.code?.number) == [134190])
        #expect(mapping.risks.compactMap(\.destination?.name) == ["r", "r", "r", "r"])
    }

    @Test func `merging hierarchies raises an exception`() throws {
        let from = model(entity("A"), entity("B"))
        var to = from
        to.entities.append(entity("P"))
        to.entities[0].parentEntity = "P"
        to.entities[1].parentEntity = "P"
        let refusals = inferMapping(from: from, to: to).refusals
        #expect(refusals.map(\.raisesException) == [true])
        #expect(refusals.map(\.rule) == ["merged-hierarchies"])
    }

    @Test func `a new mandatory relationship of a new entity is no matter`() {
        var added = entity("N")
        added.relationships = [Relationship.one("r", "E", isOptional: false)]
        #expect(inferMapping(from: model(entity()), to: model(entity(), added)).isInferable)
    }

    @Test func `an inherited type that another parent has otherwise is refused`() {
        func parents(_ type: AttributeType, _ parent: String) -> ManagedObjectModel {
            model(
                entity("Root"),
                Entity("P", parentEntity: "Root", [Attribute("x", .string)]),
                Entity("Q", parentEntity: "Root", [Attribute("x", .binary)]),
                Entity("C", parentEntity: parent)
            )
        }
        let mapping = inferMapping(from: parents(.string, "P"), to: parents(.string, "Q"))
        #expect(mapping.refusals.map(\.code) == [.inferredMappingModel])
        #expect(mapping.judgements.contains { $0.rule == "incompatible-attribute-types" })
    }

    @Test func `numbers and constants of errors are Apple's`() {
        #expect(CoreDataErrorCode(rawValue: 134110)?.constantName == "NSMigrationError")
        #expect(
            CoreDataErrorCode(rawValue: 134504)?.constantName
                == "NSManagedObjectModelReferenceNotFoundError"
        )
        let names = CoreDataErrorCode.allCases.map(\.constantName)
        #expect(Set(names).count == names.count)
        #expect(names.allSatisfy { $0.hasPrefix("NS") && $0.hasSuffix("Error") })
    }
}
