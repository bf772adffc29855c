import MappingInference
import MigrationPlanning
import ModelDiffing
import ModelHashing
import ObjectModel
import TestSupport
import Testing

struct BridgingVersionTests {
    typealias Case = (from: [Entity], to: [Entity], extra: [String], renamings: [String])

    private static func link(
        _ name: String,
        to destination: String,
        _ inverse: String? = nil,
        isOptional: Bool = true,
        isToMany: Bool = false
    ) -> Relationship {
        Relationship(
            name: name,
            isOptional: isOptional,
            isToMany: isToMany,
            maxCount: isToMany ? nil : 1,
            destinationEntity: destination,
            inverseName: inverse,
            inverseEntity: inverse.map { _ in destination }
        )
    }

    private static func entity(
        _ name: String,
        parent: String? = nil,
        _ attributes: [Attribute] = [],
        _ relationships: [Relationship] = []
    ) -> Entity {
        Entity(name, parentEntity: parent, attributes, relationships: relationships)
    }

    static let cases: [Case] = [
        (
            [entity("E", [Attribute("a", .string)])],
            [entity("E", [Attribute("a", .binary)])], ["E.a:String", "E.newA:Binary"],
            ["E.a=newA"]
        ),
        (
            [entity("E", [Attribute("a", .string)])],
            [
                entity(
                    "F",
                    [
                        Attribute("b", .binary, isOptional: false, renamingIdentifier: "a"),
                        Attribute("newB", .date),
                    ]
                )
            ].map {
                var entity = $0
                entity.renamingIdentifier = "E"
                return entity
            },
            ["F.b:String", "F.newB2:Binary"], ["F.b=newB2"]
        ),
        (
            [entity("E", [Attribute("a", .string)])],
            [
                entity(
                    "E",
                    [
                        Attribute("b", .string, renamingIdentifier: "a"),
                        Attribute("c", .string, renamingIdentifier: "a"),
                    ]
                )
            ],
            [], ["E.c="]
        ),
        (
            [
                entity("Cat", [Attribute("name", .string)]),
                entity("Dog", [], [link("friend", to: "Cat", "friends")]),
                entity("Home"),
            ].map {
                var entity = $0
                if entity.name == "Cat" {
                    entity.relationships = [link("friends", to: "Dog", "friend", isToMany: true)]
                }
                return entity
            },
            [
                entity("Animal"),
                entity(
                    "Cat",
                    parent: "Animal",
                    [Attribute("name", .string)],
                    [link("friends", to: "Dog", "friend", isToMany: true)]
                ), entity("Dog", parent: "Animal", [], [link("friend", to: "Cat", "friends")]),
                entity("Home"),
            ],
            ["Cat.newFriends:NewDog", "NewDog.friend:Cat"],
            ["Cat.friends=newFriends", "Dog=NewDog"]
        ),
    ]

    private static func properties(_ model: ManagedObjectModel) -> Set<String> {
        Set(
            model.entities.flatMap { entity in
                entity.attributes.map { "\(entity.name).\($0.name):\($0.type.sourceName ?? "")" }
                    + entity.relationships.map {
                        "\(entity.name).\($0.name):\($0.destinationEntity ?? "")"
                            + ($0.isOptional ? "" : "!")
                    }
            }
        )
    }

    @Test(arguments: cases.indices)
    func `a version between makes a refused step legal`(index: Int) throws {
        let item = Self.cases[index]
        let plan = MigrationPlan(
            from: ModelVersion(name: "1", model: ManagedObjectModel(item.from)),
            to: ModelVersion(name: "2", model: ManagedObjectModel(item.to))
        )
        #expect(!plan.isLegal)
        let bridge = try #require(BridgingVersion(for: plan))
        let extra = Self.properties(bridge.model).subtracting(
            Self.properties(plan.destination.model)
        )
        #expect(extra.sorted() == item.extra)
        let renamings = bridge.renamings.map { "\($0.element)=\($0.identifier ?? "")" }
        #expect(renamings.sorted() == item.renamings)
        let middle = ModelVersion(name: "between", model: bridge.model)
        let next = ModelVersion(name: "2", model: bridge.next)
        #expect(next.checksum == plan.destination.checksum)
        #expect(MigrationPlan(from: plan.source, to: middle).isLegal)
        #expect(MigrationPlan(from: middle, to: next).isLegal)
        #expect(
            bridge.diff
                == ModelDiffing.diff(ModelMatching(from: plan.destination, to: middle))
        )
    }

    @Test func `a legal step needs no version between`() {
        let version = ModelVersion(name: "1", model: ManagedObjectModel())
        #expect(BridgingVersion(for: MigrationPlan(from: version, to: version)) == nil)
    }
}
