import ObjectModel
import SQLiteAccess
import TestSupport
import Testing

@testable import StoreFormat

struct JoinMatchingTests {
    private func pair(_ a: String, _ first: String, _ b: String, _ second: String) -> [Relationship]
    {
        [(a, second, b), (b, first, a)].map { name, destination, inverse in
            Relationship(
                name: name,
                isToMany: true,
                destinationEntity: destination,
                inverseName: inverse,
                inverseEntity: destination
            )
        }
    }

    private func schema(_ tables: String...) -> [SchemaObject] {
        tables.map { sql in
            let name = String(sql.split(separator: " ")[2])
            return SchemaObject(kind: .table, name: name, table: name, sql: sql)
        }
    }

    private func layout(_ entities: [Entity], _ schema: [SchemaObject]) -> StoreLayout {
        let metadata = StoreMetadata(uuid: "", entries: [:])
        return storedLayout(of: ManagedObjectModel(entities: entities), metadata, schema)
    }

    @Test func `a table may be named by a relationship that an entity inherits`() {
        // Album, a child of GenericAlbum, comes before AlbumList (SQLiteStores, "Many-to-many relationships").
        let links = pair("albumLists", "GenericAlbum", "albums", "AlbumList")
        let entities = [
            Entity(name: "AlbumList", relationships: [links[1]]),
            Entity(name: "GenericAlbum", relationships: [links[0]]),
            Entity(name: "Album", parentEntity: "GenericAlbum"),
        ]
        let layout = StoreLayout(model: ManagedObjectModel(entities: entities))
        #expect(layout.joinTables.map(\.name) == ["Z_2ALBUMLISTS"])
        let alone = StoreLayout(model: ManagedObjectModel(entities: Array(entities.prefix(2))))
        #expect(alone.joinTables.map(\.name) == ["Z_1ALBUMS"])
    }

    @Test func `numbers of clashing columns may be the other way round`() throws {
        let shows = pair("shows", "Artwork", "artworks", "Show")
        let places = pair("places", "Artwork", "artworks", "Place")
        let entities = [
            Entity(name: "Artwork", relationships: [places[0], shows[0]]),
            Entity(name: "Place", relationships: [places[1]]),
            Entity(name: "Show", relationships: [shows[1]]),
        ]
        let predicted = StoreLayout(model: ManagedObjectModel(entities: entities))
        let columns = predicted.joinTables.map { Set($0.columnNames) }
        #expect(columns == [["Z_1ARTWORKS", "Z_2PLACES"], ["Z_1ARTWORKS1", "Z_3SHOWS"]])
        let found = layout(
            entities,
            schema(
                "CREATE TABLE Z_1PLACES ( Z_1ARTWORKS1 INTEGER, Z_2PLACES INTEGER, PRIMARY KEY (Z_1ARTWORKS1, Z_2PLACES) )",
                "CREATE TABLE Z_1SHOWS ( Z_1ARTWORKS INTEGER, Z_3SHOWS INTEGER, PRIMARY KEY (Z_1ARTWORKS, Z_3SHOWS) )"
            )
        )
        #expect(
            found.storage(of: "shows", declaredBy: "Artwork")
                == .joinTable(
                    name: "Z_1SHOWS",
                    sourceColumn: "Z_1ARTWORKS",
                    destinationColumn: "Z_3SHOWS",
                    orderKey: nil
                )
        )
        #expect(found.indexes.map(\.table).contains("Z_1PLACES"))
    }

    @Test func `a table may be named by either side`() {
        let links = pair("tags", "Note", "notes", "Tag")
        let entities = [
            Entity(name: "Note", relationships: [links[0]]),
            Entity(name: "Tag", relationships: [links[1]]),
        ]
        let found = layout(
            entities,
            schema(
                "CREATE TABLE Z_2NOTES ( Z_1NOTES INTEGER, Z_2TAGS INTEGER, PRIMARY KEY (Z_1NOTES, Z_2TAGS) )"
            )
        )
        #expect(
            found.storage(of: "tags", declaredBy: "Note")
                == .joinTable(
                    name: "Z_2NOTES",
                    sourceColumn: "Z_1NOTES",
                    destinationColumn: "Z_2TAGS",
                    orderKey: nil
                )
        )
    }

    @Test func `what is not there keeps the name that it should have`() {
        let links = pair("tags", "Note", "notes", "Tag")
        let entities = [
            Entity(name: "Note", relationships: [links[0]]),
            Entity(name: "Tag", relationships: [links[1]]),
        ]
        let found = layout(entities, schema("CREATE TABLE Z_9OTHER ( Z_1A INTEGER, Z_2B INTEGER )"))
        #expect(found.joinTables.map(\.name) == ["Z_1TAGS"])
    }
}
