import ObjectModel
import TestSupport
import Testing

@testable import StoreFormat

struct HostileModelTests {
    static let models: [(String, ManagedObjectModel)] = [
        ("nothing", ManagedObjectModel()),
        ("empty names", ManagedObjectModel([Entity(""), Entity("")])),
        ("ring of parents", ManagedObjectModel(ring(["a", "b", "c"]))),
        ("own parent", ManagedObjectModel(ring(["a"]))),
        (
            "unknown parent and destination",
            ManagedObjectModel([
                Entity(
                    "a",
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
                    attributes: ["_PK", "_ENT", "_OPT", "_pk"].map { Attribute($0, .string) }
                ),
                Entity("_metadata"), Entity("_PRIMARYKEY"),
            ])
        ),
        (
            "composite that holds itself",
            ManagedObjectModel(
                [Entity("a", [Attribute("c", .composite, compositeName: "C")])],
                composites: [
                    CompositeType(
                        "C",
                        [Attribute("x", .string), Attribute("c", .composite, compositeName: "C")]
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
                    Attribute("x\($0)", .composite, compositeName: "C\(level + 1)")
                }
            )
        }
        let attribute = Attribute("c", .composite, compositeName: "C0")
        let model = ManagedObjectModel([Entity("a", [attribute])], composites: composites)
        #expect(StoreLayout(model: model).tables.map(\.columns.count) == [3])
    }

    @Test func `a chain of thousands of parents is walked without recursion`() {
        let entities = (0..<5000).map { index in
            Entity("E\(index)", parentEntity: index == 0 ? nil : "E\(index - 1)")
        }
        let layout = StoreLayout(model: ManagedObjectModel(entities))
        #expect(layout.tables.map(\.entities.count) == [5000])
        #expect(layout.entities.last?.superNumber == 4999)
    }

    private static func ring(_ names: [String]) -> [Entity] {
        names.indices.map { index in
            Entity(names[index], parentEntity: names[(index + 1) % names.count])
        }
    }
}
