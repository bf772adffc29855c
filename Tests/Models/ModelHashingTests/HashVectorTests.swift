import ModelHashing
import ObjectModel
import Testing

struct HashVectorTests {
    /// The vectors of VersionHashes, "Composite attributes".
    @Test func `composite attributes hash as in the stores that hold them`() throws {
        let unit = CompositeType(
            name: "Unit",
            attributes: [Attribute(name: "unit", type: .string)]
        )
        let prep = CompositeType(
            name: "Prep",
            attributes: [
                Attribute(name: "prepRecipe", type: .binary),
                Attribute(name: "id", type: .uuid),
                Attribute(name: "prepIngredientName", type: .string),
            ]
        )
        var model = ManagedObjectModel(composites: [unit, prep])
        let hashes = [unit, prep].map { type in
            let attribute = Attribute(name: "a", type: .composite, compositeName: type.name)
            return versionHash(of: attribute, declaredBy: "A", in: model)?.hex
        }
        #expect(
            hashes == [
                "12ba0c6c7d7c619aab124222ee19a1bb720e8f397003465a8c930120169c574f",
                "b77b6a7042772abd6f5c25dc0c3a73215f9c324c8716f41c4ccfb79ce4ee0fb0",
            ]
        )

        model.entities = [
            Entity(
                name: "Ingredient",
                attributes: [
                    Attribute(name: "id", type: .uuid, isOptional: false),
                    Attribute(
                        name: "unit",
                        type: .composite,
                        isOptional: false,
                        compositeName: "Unit"
                    ),
                    Attribute(name: "value", type: .double, isOptional: false),
                ],
                relationships: [
                    Relationship(
                        name: "ingredientBase",
                        isOptional: false,
                        minCount: 0,
                        maxCount: 1,
                        destinationEntity: "IngredientBase"
                    )
                ]
            )
        ]
        #expect(
            versionHashes(of: model).entities["Ingredient"]?.hex
                == "4a3b9f32df42aee19eb186b6ad03ad57c96cd3fb4532671a4063da2002cfc61a"
        )
    }

    @Test func `an explained hash is the hash of its components`() throws {
        let model = ManagedObjectModel(
            entities: [
                Entity(name: "Person", attributes: [Attribute(name: "name", type: .string)])
            ]
        )
        let explained = try #require(explainVersionHash(of: "Person", in: model))
        #expect(explained.hash == versionHashes(of: model).entities["Person"])
        #expect(
            explained.components.map(\.label) == ["name", "isAbstract", "attribute 'name'"]
        )
        #expect(explained.components[0].bytes == Array("Person".utf8))
        #expect(explained.components[2].bytes.count == 32)
        #expect(
            explained.components[2].parts.map(\.label) == ["name and flags", "attributeType"]
        )
    }

    @Test func `parents in a circle and composites in a circle end`() {
        let model = ManagedObjectModel(
            entities: [
                Entity(name: "A", parentEntity: "B"),
                Entity(
                    name: "B",
                    parentEntity: "A",
                    attributes: [Attribute(name: "c", type: .composite, compositeName: "C")]
                ),
            ],
            composites: [
                CompositeType(
                    name: "C",
                    attributes: [Attribute(name: "c", type: .composite, compositeName: "C")]
                )
            ]
        )
        #expect(versionHashes(of: model).entities.count == 2)
    }

    @Test(arguments: [
        "", "12", String(repeating: "g", count: 64), String(repeating: "é", count: 64),
    ])
    func `only 64 hexadecimal digits make a hash`(text: String) {
        #expect(VersionHash(hex: text) == nil)
    }
}
