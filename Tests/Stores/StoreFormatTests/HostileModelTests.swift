import ObjectModel
import Testing

@testable import StoreFormat

struct HostileModelTests {
    static let models: [(String, ManagedObjectModel)] = [
        ("nothing", ManagedObjectModel()),
        ("empty names", ManagedObjectModel(entities: [Entity(name: ""), Entity(name: "")])),
        ("ring of parents", ManagedObjectModel(entities: ring(["a", "b", "c"]))),
        ("own parent", ManagedObjectModel(entities: ring(["a"]))),
        (
            "unknown parent and destination",
            ManagedObjectModel(entities: [
                Entity(
                    name: "a",
                    parentEntity: "nobody",
                    relationships: [
                        Relationship(name: "r", destinationEntity: "nobody", inverseName: "x"),
                        Relationship(name: "r", isToMany: true, destinationEntity: nil),
                        Relationship(
                            name: "s",
                            isToMany: true,
                            destinationEntity: "a",
                            inverseName: "s"
                        ),
                        Relationship(
                            name: "t",
                            isToMany: true,
                            destinationEntity: "a",
                            inverseName: "s"
                        ),
                    ]
                )
            ])
        ),
        (
            "names of system columns and tables",
            ManagedObjectModel(entities: [
                Entity(
                    name: "_METADATA",
                    attributes: ["_PK", "_ENT", "_OPT", "_pk"].map {
                        Attribute(name: $0, type: .string)
                    }
                ),
                Entity(name: "_metadata"), Entity(name: "_PRIMARYKEY"),
            ])
        ),
        (
            "composite that holds itself",
            ManagedObjectModel(
                entities: [
                    Entity(
                        name: "a",
                        attributes: [Attribute(name: "c", type: .composite, compositeName: "C")]
                    )
                ],
                composites: [
                    CompositeType(
                        name: "C",
                        attributes: [
                            Attribute(name: "x", type: .string),
                            Attribute(name: "c", type: .composite, compositeName: "C"),
                        ]
                    )
                ]
            )
        ),
    ]

    @Test(arguments: models)
    func `a broken model has a layout that SQLite takes`(
        name: String,
        model: ManagedObjectModel
    ) throws {
        let layout = StoreLayout(model: model)
        #expect(layout.entities.map(\.number) == Array((1...).prefix(layout.entities.count)))
        try withTemporaryFolder { folder in
            let options = StoreCreationOptions(modelCache: .empty)
            try createStore(at: folder + "/a.sqlite", model: model, options: options)
            let file = try StoreFile(path: folder + "/a.sqlite")
            #expect(try verify(file, against: model) == [])
        }
    }

    @Test func `composites that multiply are cut`() {
        let composites = (0..<12).map { level in
            CompositeType(
                name: "C\(level)",
                attributes: (0..<20).map {
                    Attribute(name: "x\($0)", type: .composite, compositeName: "C\(level + 1)")
                }
            )
        }
        let attribute = Attribute(name: "c", type: .composite, compositeName: "C0")
        let model = ManagedObjectModel(
            entities: [Entity(name: "a", attributes: [attribute])],
            composites: composites
        )
        #expect(StoreLayout(model: model).tables.map(\.columns.count) == [3])
    }

    @Test func `a chain of thousands of parents is walked without recursion`() {
        let entities = (0..<5000).map { index in
            Entity(name: "E\(index)", parentEntity: index == 0 ? nil : "E\(index - 1)")
        }
        let layout = StoreLayout(model: ManagedObjectModel(entities: entities))
        #expect(layout.tables.map(\.entities.count) == [5000])
        #expect(layout.entities.last?.superNumber == 4999)
    }

    private static func ring(_ names: [String]) -> [Entity] {
        names.indices.map { index in
            Entity(name: names[index], parentEntity: names[(index + 1) % names.count])
        }
    }
}
