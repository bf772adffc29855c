import Diagnostics
import ModelHashing
import ObjectModel
import SwiftDataReading
import Testing

/// Reads `@Model` classes that inherit as sub-entities.
@Suite(.enabled(if: readsSwiftSources))
struct InheritanceTests {
    private static let trips = """
        @Model class Trip { var name: String = ""; var bags: [Bag] = [] }
        @available(iOS 26, *)
        @Model class WorkTrip: Trip { var code: String?; override var name: String { get { "" } set {} } }
        @available(iOS 26, *)
        @Model final class FarTrip: WorkTrip, Hashable { #Unique<FarTrip>([\\.code]); var miles: Int = 0 }
        @Model class Bag { var trip: Trip?; @Relationship(inverse: \\FarTrip.box) var far: FarTrip? }
        extension FarTrip { }
        """

    @Test func `the hashes are those of sub-entities`() throws {
        let source = Self.trips.replacing(
            "var miles: Int = 0",
            with: "var miles: Int = 0; var box: Bag?; override var code: String? { didSet {} }"
        )
        let models = read(source)
        let version = try #require(models.value.versions.first)
        #expect(version.spoiledEntities == [])
        #expect(version.unprovenEntities == ["WorkTrip", "FarTrip"])
        #expect(models.diagnostics.map(\.element) == ["WorkTrip"])
        func link(_ name: String, _ to: String, _ inverse: String, many: Bool = false)
            -> Relationship
        {
            Relationship(
                name: name,
                isOptional: !many,
                isToMany: many,
                maxCount: many ? nil : 1,
                destinationEntity: to,
                inverseName: inverse,
                inverseEntity: to
            )
        }
        let model = ManagedObjectModel(entities: [
            Entity(
                name: "Bag",
                relationships: [link("far", "FarTrip", "box"), link("trip", "Trip", "bags")]
            ),
            Entity(
                name: "FarTrip",
                parentEntity: "WorkTrip",
                attributes: [Attribute(name: "miles", type: .integer64, isOptional: false)],
                relationships: [link("box", "Bag", "far")],
                uniquenessConstraints: [UniquenessConstraint(properties: ["code"])]
            ),
            Entity(
                name: "Trip",
                attributes: [Attribute(name: "name", type: .string, isOptional: false)],
                relationships: [link("bags", "Bag", "trip", many: true)]
            ),
            Entity(
                name: "WorkTrip",
                parentEntity: "Trip",
                attributes: [Attribute(name: "code", type: .string, isOptional: true)]
            ),
        ])
        #expect(versionHashes(of: version.model).entities == versionHashes(of: model).entities)
    }

    @Test func `a class brings those above it, and not those below`() {
        let models = read(
            """
            \(Self.trips)
            enum V1: VersionedSchema {
                static let versionIdentifier = Schema.Version(1, 0, 0)
                static var models: [any PersistentModel.Type] { [WorkTrip.self] }
            }
            """
        )
        let version = models.value.version(named: "V1")
        #expect(version?.model.entities.map(\.name) == ["Bag", "FarTrip", "Trip", "WorkTrip"])
        let alone = read(
            """
            @Model class A { var x = 1 }
            @Model class B: A { var y = 1 }
            @Model class C: B { var z = 1 }
            enum V1: VersionedSchema {
                static let versionIdentifier = Schema.Version(1, 0, 0)
                static var models: [any PersistentModel.Type] { [B.self] }
            }
            """
        )
        #expect(alone.value.version(named: "V1")?.model.entities.map(\.name) == ["A", "B"])
    }

    @Test(arguments: [
        ("@Relationship(inverse: \\Photo.folder) var photos: [Photo]", [:], "Photo Folder"),
        ("@Relationship(inverse: \\Item.folder) var photos: [Photo]", [:], "Photo Folder"),
        ("var photos: [Photo]", ["Folder.photos": "Photo.folder"], "Photo"),
        ("var photos: [Photo]", ["Folder.photos": "Item.folder"], "Photo"),
        ("var items: [Item]; var photos: [Photo]", [:], "Photo"),
    ])
    func `an inverse may be inherited`(
        member: String,
        inverses: [String: String],
        unproven: String
    ) {
        let source = """
            @Model class Folder { \(member) }
            @Model class Item { var folder: Folder? }
            @Model class Photo: Item { var x = 1 }
            """
        let models = read(source, SwiftReadingOptions(inverses: inverses))
        let version = models.value.versions.first
        #expect(version?.spoiledEntities == [], "\(models.messages)")
        #expect(version?.unprovenEntities == Set(unproven.split(separator: " ").map(String.init)))
        let pair = member.contains("items") ? "items" : "photos"
        #expect(version?.entity("Item")?.relationships.map(\.inverseName) == [pair])
        let inverse = version?.entity("Folder")?.relationships.first { $0.name == pair }?
            .inverseName
        #expect(inverse == "folder")
    }

    @Test func `an inverse that could be inherited is asked for`() {
        let source = """
            @Model class Folder { var photos: [Photo] }
            @Model class Item { var folder: Folder? }
            @Model class Photo: Item { var x = 1 }
            """
        for inverse in [nil, "none", "Photo.folder"] {
            let answers = inverse.map { ["Folder.photos": $0] } ?? [:]
            let version = read(source, SwiftReadingOptions(inverses: answers)).value.versions.first
            #expect(
                version?.spoiledEntities == (inverse == nil ? ["Folder", "Item", "Photo"] : [])
            )
        }
    }

    @Test func `a relationship to a subclass is not its own inverse`() {
        let models = read("@Model class A { var b: B? }\n@Model class B: A { var x = 1 }")
        #expect(models.value.versions.first?.spoiledEntities == [])
    }

    @Test(arguments: [("A.self", ["C"]), ("A.self, C.self", [])])
    func `a subclass that no version lists is said`(list: String, names: [String]) {
        let models = read(
            """
            enum V1: VersionedSchema {
                static let versionIdentifier = Schema.Version(1, 0, 0)
                static var models: [any PersistentModel.Type] { [\(list)] }
                @Model class A { var x = 1 }
                @Model class C: A { var y = 1 }
            }
            """
        )
        let said = models.diagnostics.filter { $0.message.contains("subclass") }
        #expect(said.map(\.element) == names)
    }

    @Test(arguments: [
        (
            "class M {}\n@Model class B: M { var x = 1 }\n@Model class C: B { var y = 1 }",
            ["B", "C"]
        ),
        ("@Model class B: C { var x = 1 }\n@Model class C: B { var y = 1 }", ["B", "C"]),
        ("@Model class B { var x: Set<Int> }\n@Model class C: B { var y = 1 }", ["B", "C"]),
        ("class M<T> {}\n@Model class B: M<Int> { var x = 1 }", ["B"]),
        ("@Model class B<T> { var x = 1 }\n@Model class C: B<Int> { var y = 1 }", ["B", "C"]),
        (
            "// FILE: a/A.swift\n@Model class B { var x = 1 }\n// FILE: b/B.swift\n@Model class B { var y = 1 }\n"
                + "// FILE: c/C.swift\n@Model class C: B { var z = 1 }", ["C"]
        ),
    ])
    func `what is not understood of a class spoils those below`(source: String, names: [String]) {
        #expect(read(source).value.versions.first?.spoiledEntities == Set(names))
    }
}
