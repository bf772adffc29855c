import Diagnostics
import ObjectModel
import SwiftDataReading
import Testing

@Suite(.enabled(if: readsSwiftSources))
struct InverseTests {
    private static func schema(
        inverse: String,
        type: String = "[Volume]",
        relationship: String = "@Relationship(deleteRule: .cascade, inverse: ",
        after: String = ""
    ) -> String {
        """
        enum S2: VersionedSchema {
            static let versionIdentifier = Schema.Version(2, 0, 0)
            static var models: [any PersistentModel.Type] { [Shelf.self, Volume.self] }
            @Model final class Shelf {
                @Attribute(.unique) var label: String = ""
                \(relationship)\(inverse)) var volumes: \(type) = []
            }
            @Model final class Volume { var title: String = ""; var shelf: S2.Shelf? }
        }
        \(after)
        """
    }

    @Test(arguments: [
        schema(inverse: "\\S2.Volume.shelf"),
        schema(inverse: "\\Volume.shelf?"),
        schema(inverse: "\\S2.Volume.shelf!"),
        schema(inverse: "\\Volume.shelf", relationship: "@Relationship (inverse: "),
        schema(inverse: "\\Volume.shelf", relationship: "@Relationship\t( inverse : "),
        schema(inverse: "(\\Volume.shelf)", type: "Array<S2.Volume>"),
        schema(inverse: "\\Book.shelf", type: "[Book]", after: "typealias Book = S2.Volume"),
        schema(
            inverse: "\\Latest.Volume.shelf",
            type: "[Latest.Volume]",
            after: "typealias Latest = S2"
        ),
        schema(
            inverse: "\\Kept.shelf",
            type: "[Kept]",
            after: "extension S2 { typealias Kept = Volume }"
        ),
        schema(inverse: "\\Volume.shelf as AnyKeyPath"),
    ])
    func `one schema in many spellings has the same hashes`(source: String) {
        let plain = read(Self.schema(inverse: "\\Volume.shelf"))
        let models = read(source)
        #expect(models.messages == plain.messages)
        #expect(models.value.versions.first?.spoiledEntities == [])
        #expect(models.value.versions.first?.hashes.count == 2)
        #expect(models.value.versions.first?.hashes == plain.value.versions.first?.hashes)
    }

    @Test(arguments: [
        ("@Relationship(inverse: key) var bs: [B]", "var a: A?", true),
        ("@Relationship(deleteRule: rule) var bs: [B]", "var a: A?", true),
        ("@Relationship(inverse: \\B.nothing) var bs: [B]", "var a: A?", true),
        ("@Attribute(.ephemeral) var b: B?", "var a: A?", true),
        ("var b: Set<B>", "var a: A?", true),
        ("@Relationship var b = make()", "var a: A?", true),
        ("var b: B?; @Relationship(inverse: key) var c: B?", "var a: A?", true),
        // Nothing leads back, or what leads back names its inverse.
        ("@Attribute(.ephemeral) var b: B?", "var x: Int", false),
        ("@Attribute(.ephemeral) var b: B?", "@Relationship(inverse: \\A.b) var a: A?", false),
        ("@Attribute(.ephemeral) var b: Int", "var a: A?", false),
    ])
    func `what is not understood leaves both sides open`(one: String, other: String, isBoth: Bool) {
        let models = read("@Model class A { \(one) }\n@Model class B { \(other) }")
        let spoiled = models.value.versions.first?.spoiledEntities
        #expect(spoiled == (isBoth ? ["A", "B"] : ["A"]))
    }

    @Test func `an inverse that two relationships name is that of neither`() {
        let models = read(
            """
            @Model class Yard {
                @Relationship(inverse: \\Plant.yard) var front: [Plant] = []
                @Relationship(inverse: \\Plant.yard) var back: [Plant] = []
            }
            @Model class Plant { var yard: Yard? }
            """
        )
        #expect(models.value.versions.first?.spoiledEntities == ["Yard", "Plant"])
        let options = SwiftReadingOptions(
            inverses: ["Yard.front": "Plant.yard", "Yard.back": "none"]
        )
        let said = read(
            """
            @Model class Yard {
                @Relationship(inverse: \\Plant.yard) var front: [Plant] = []
                @Relationship(inverse: \\Plant.yard) var back: [Plant] = []
            }
            @Model class Plant { var yard: Yard? }
            """,
            options
        )
        #expect(said.value.versions.first?.spoiledEntities == [])
        #expect(said.shape(of: "Yard") == ["back ⇉ Plant", "front ⇉ Plant.yard"])
        #expect(said.shape(of: "Plant") == ["yard? → Yard.front"])
    }

    @Test(arguments: ["Plant.nothing", "Yard.front", "plant"])
    func `an inverse that is said and does not lead back is refused`(inverse: String) {
        let source =
            "@Model class Yard { var front: [Plant] = [] }\n@Model class Plant { var yard: Yard? }"
        let models = read(source, SwiftReadingOptions(inverses: ["Yard.front": inverse]))
        #expect(models.value.versions.first?.spoiledEntities == ["Yard", "Plant"])
    }

    @Test func `what of a leaf is said counts`() {
        let source = """
            struct History: Codable { var days: [Date: Int] }
            @Model class T { var history: History; var seats: Set<Int>? }
            """
        #expect(read(source).value.versions.first?.spoiledEntities == ["T"])
        let types: [String: ForeignType] = [
            "History.days": .alias("Data"), "T.seats": .alias("[Int]"),
        ]
        let models = read(source, SwiftReadingOptions(types: types))
        #expect(models.value.versions.first?.spoiledEntities == [])
        #expect(
            models.shape(of: "T") == [
                "history: Composite { days: Binary }", "seats: Transformable?",
            ]
        )
    }

    @Test func `a line of classes is read to its end`() {
        let count = 3_000
        let classes = (1...count).map { "@Model class C\($0): C\($0 - 1) { var x\($0): Int }" }
        let models = read("@Model class C0 { var x: Int }\n" + classes.joined(separator: "\n"))
        #expect(models.value.versions.first?.model.entities.count == count + 1)
    }
}
