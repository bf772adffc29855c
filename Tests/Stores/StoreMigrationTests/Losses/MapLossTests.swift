import Foundation
import ObjectModel
import StoreFormat
import StoreMigration
import Testing

/// Values and links that a map does not carry over, though it names them elsewhere.
struct MapLossTests {
    private static func text(_ name: String) -> Attribute { Attribute(name: name, type: .string) }

    private static func notes(_ more: [String]) -> ManagedObjectModel {
        let own = (["name", "note"] + more).map(text)
        return ManagedObjectModel(entities: [
            Entity(name: "Album", attributes: own, relationships: [link("box", "Box", "albums")]),
            Entity(
                name: "Box",
                attributes: own,
                relationships: [link("albums", "Album", "box", isToMany: true)]
            ),
        ])
    }

    private static let notes = [
        "INSERT INTO ZALBUM (Z_PK, Z_ENT, Z_OPT, ZNAME, ZNOTE, ZBOX) VALUES "
            + "(1, 1, 1, 'a', 'x', 1), (2, 1, 1, 'b', 'y', 1), (3, 1, 1, 'c', NULL, NULL)",
        "INSERT INTO ZBOX (Z_PK, Z_ENT, Z_OPT, ZNAME, ZNOTE) VALUES (1, 2, 1, 'd', 'z')",
        "UPDATE Z_PRIMARYKEY SET Z_MAX = 3",
    ]

    /// What a map says of albums beside their names, what it says of boxes, and what goes of the notes of albums.
    private static let maps: [(album: String, box: String, lost: [String])] = [
        ("", "", ["Album.note 2 values"]),
        (", more: {constant: no note}", "", ["Album.note 2 values"]),
        (", more: {join: [' ', note, $source.name]}", "", ["Album.note 2 values"]),
        (", more: {coalesce: [$source.note, none]}", "", []),
        ("", ", more: {coalesce: [$source.note, none]}", ["Album.note 2 values"]),
        ("", ", more: {join: [' ', $source.albums.note]}", []),
        (
            "", ", more: {lookup: {entity: Album, key: name, equals: $source.name, value: note}}",
            []
        ),
        (
            ", more: {lookup: {entity: Box, key: name, equals: $source.name, value: note}}", "",
            ["Album.note 2 values"]
        ),
    ]

    @Test(arguments: maps.indices)
    func `a value goes on where an expression reads it, of the same entity`(_ index: Int) throws {
        let (album, box, lost) = Self.maps[index]
        let map = """
            entities:
              - {from: Album, to: Album, copyRest: false, set: {name: $source.name, box: $source.box\(album)}}
              - {from: Box, to: Box, set: {name: $source.name\(box)}}
            """
        let (old, new) = (Self.notes([]), Self.notes(["more"]))
        try MapRun.with(map, from: old, to: new, rows: Self.notes) { run in
            #expect(try run.losses() == lost)
            _ = try run.result()
        }
    }

    private static func link(
        _ name: String,
        _ destination: String,
        _ inverse: String,
        isToMany: Bool = false
    ) -> Relationship {
        StageModels.link(name, destination, inverse, isToMany: isToMany)
    }
}
