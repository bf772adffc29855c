import ObjectModel
import SQLiteAccess
import TestSupport
import Testing

@testable import StoreFormat

struct IdentityTests {
    static let versions = [
        version("1", ["A": 1, "B": 2]), version("2", ["A": 1, "B": 3]),
        version("2 again", ["A": 1, "B": 3]), version("3", ["A": 1, "B": 3, "C": 4]),
    ]

    @Test(
        arguments: [
            (["A": 1, "B": 2], StoreIdentity.exact(["1"])),
            (["A": 1, "B": 3], .exact(["2", "2 again"])),
            (
                ["A": 1, "B": 3, "C": 9],
                .nearest("3", [EntityDifference(entity: "C", kind: .differentHash)])
            ),
            (
                ["A": 1, "B": 2, "D": 5],
                .nearest("1", [EntityDifference(entity: "D", kind: .missingInModel)])
            ),
            (["B": 2], .nearest("1", [EntityDifference(entity: "A", kind: .missingInStore)])),
        ] as [([String: UInt8], StoreIdentity)]
    )
    func `a store is the version whose hashes it has, all of them and no others`(
        store: [String: UInt8],
        identity: StoreIdentity
    ) { #expect(identify(storeHashes: Self.hashes(store), among: Self.versions) == identity) }

    @Test func `without versions a store is unknown`() {
        #expect(identify(storeHashes: Self.hashes(["A": 1]), among: []) == .unknown)
    }

    private static func version(_ name: String, _ numbers: [String: UInt8]) -> ModelVersion {
        let version = ModelVersion(name: name, model: ManagedObjectModel())
        _ = version.memo.content { HashMemo.Content(hashes: hashes(numbers), checksum: name) }
        return version
    }

    private static func hashes(_ numbers: [String: UInt8]) -> ModelHashes {
        ModelHashes(
            entities: numbers.compactMapValues { VersionHash(repeatElement($0, count: 32)) }
        )
    }
}

struct AnnotatedSchemaTests {
    @Test func `columns are named as the model names them and the text stays SQL`() throws {
        try withTemporaryFolder { folder in
            try createStore(at: folder + "/a.sqlite", model: .library)
            let layout = StoreLayout(model: .library)
            let file = try StoreFile(path: folder + "/a.sqlite")
            let copy = try SQLiteConnection(path: folder + "/copy.sqlite", mode: .create)
            try copy.registerTriggerFunctions()
            for object in try file.schema() { try copy.execute(annotatedSQL(of: object, layout)) }
            for table in layout.tables {
                let sql = "SELECT name, type FROM pragma_table_info(?)"
                #expect(
                    try copy.rows(sql, [.text(table.name)])
                        == file.connection.rows(sql, [.text(table.name)])
                )
            }
            let book = try #require(try file.schema().first { $0.name == "ZBOOK" })
            let text = annotatedSQL(of: book, layout)
            #expect(text.hasPrefix("-- Book (2), Novel (3)\n"))
            #expect(text.contains("ZGENRE VARCHAR, -- Novel.genre\n"), "\(text)")
            #expect(text.contains("Z_FOK_AUTHOR INTEGER, -- "), "\(text)")
        }
    }

    @Test func `names that would end a comment or a column do not`() {
        let odd = "a\n);DROP TABLE x;--\", b"
        let model = ManagedObjectModel([Entity(odd, [Attribute(odd, .string)])])
        let layout = StoreLayout(model: model)
        let table = layout.tables[0]
        let object = SchemaObject(
            kind: .table,
            name: table.name,
            table: table.name,
            sql: table.createSQL
        )
        let lines = annotatedSQL(of: object, layout).split(separator: "\n")
        #expect(lines.first?.hasPrefix("-- a );DROP TABLE x;") == true)
        #expect(lines.count { $0.hasPrefix("--") } == 1)
    }
}

struct StoredDateTests {
    static func read(_ text: String) -> Double? {
        var text = text
        return text.withUTF8 { StoredDate.seconds(of: UnsafeRawBufferPointer($0)) }
    }

    @Test func `every number comes back from its text`() {
        var state: UInt64 = 0x9E37_79B9_7F4A_7C15
        for round in 0..<20_000 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            var seconds = Double(Int64(bitPattern: state)) / 9e18
            for _ in 0..<(round % 20) { seconds *= round % 40 < 20 ? 0.1 : 10 }
            guard let text = StoredDate.text(of: seconds) else { continue }
            #expect(Self.read(text) == seconds, "\(seconds) \(text)")
        }
    }

    @Test(
        arguments: [
            (0, "2001-01-01T00:00:00Z"), (-1, "2000-12-31T23:59:59Z"),
            (-0.000001, "2000-12-31T23:59:59.999999Z"), (0.25, "2001-01-01T00:00:00.25Z"),
            (-63_113_904_000, "0001-01-01T00:00:00Z"), (63_113_904_000, "4001-01-01T00:00:00Z"),
            (252_423_993_599, "9999-12-31T23:59:59Z"), (98_323_200, "2004-02-13T00:00:00Z"),
            (1e-10, "2001-01-01T00:00:00.0000000001Z"),
        ] as [(Double, String)]
    )
    func `dates have the texts of ISO 8601`(seconds: Double, text: String) {
        #expect(StoredDate.text(of: seconds) == text)
        #expect(Self.read(text) == seconds)
    }

    @Test(arguments: [252_423_993_600, -1e12, 1e300, .infinity, .nan])
    func `numbers beyond the years 0 to 9999 have no text`(seconds: Double) {
        #expect(StoredDate.text(of: seconds) == nil)
    }

    @Test(
        arguments: [
            ("2001-01-01T02:00:00+02:00", 0), ("2000-12-31T19:00:00.500-05:00", 0.5),
            ("2001-01-01t00:00:00z", 0),
            ("2001-01-01T02:00:00+0200", 0), ("2001-01-01T02:00:00+02", 0),
        ] as [(String, Double)]
    )
    func `other forms of ISO 8601 are read too`(text: String, seconds: Double) {
        #expect(Self.read(text) == seconds)
    }

    @Test(arguments: [
        "", "2001", "2001-01-01", "2001-01-01T00:00:00", "2001-13-01T00:00:00Z",
        "2001-02-29T00:00:00Z", "2001-01-01T24:00:00Z", "2001-01-01T00:00:00.Z",
        "2001-01-01T00:00:00Z ", "2001-01-01 00:00:00Z", "2001-01-01T00:00:60Z",
        "2001-01-01T00:00:00+2:00", "2024-02-30T00:00:00Z", "2001-01-01T25:00:00Z",
        "2001-01-01T00:00:00+99:00", "2001-01-01T00:00:00+0260", "2001-01-01T00:00:00+02:",
    ])
    func `other texts are no dates`(text: String) { #expect(Self.read(text) == nil) }
}

struct JoinMatchingTests {
    private func pair(_ a: String, _ first: String, _ b: String, _ second: String) -> [Relationship]
    {
        [(a, second, b), (b, first, a)].map { name, destination, inverse in
            Relationship.many(name, destination, inverse)
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
        return storedLayout(of: ManagedObjectModel(entities), metadata, schema)
    }

    @Test func `a table may be named by a relationship that an entity inherits`() {
        // Album, a child of GenericAlbum, comes before AlbumList (SQLiteStores, "Many-to-many relationships").
        let links = pair("albumLists", "GenericAlbum", "albums", "AlbumList")
        let entities = [
            Entity("AlbumList", relationships: [links[1]]),
            Entity("GenericAlbum", relationships: [links[0]]),
            Entity("Album", parentEntity: "GenericAlbum"),
        ]
        let layout = StoreLayout(model: ManagedObjectModel(entities))
        #expect(layout.joinTables.map(\.name) == ["Z_2ALBUMLISTS"])
        let alone = StoreLayout(model: ManagedObjectModel(Array(entities.prefix(2))))
        #expect(alone.joinTables.map(\.name) == ["Z_1ALBUMS"])
    }

    @Test func `numbers of clashing columns may be the other way round`() throws {
        let shows = pair("shows", "Artwork", "artworks", "Show")
        let places = pair("places", "Artwork", "artworks", "Place")
        let entities = [
            Entity("Artwork", relationships: [places[0], shows[0]]),
            Entity("Place", relationships: [places[1]]),
            Entity("Show", relationships: [shows[1]]),
        ]
        let predicted = StoreLayout(model: ManagedObjectModel(entities))
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
            found.links("shows", of: "Artwork")
                == StoredLinks(.join, in: "Z_1SHOWS", from: "Z_1ARTWORKS", to: "Z_3SHOWS")
        )
        #expect(found.indexes.map(\.table).contains("Z_1PLACES"))
    }

    @Test func `a table may be named by either side`() {
        let links = pair("tags", "Note", "notes", "Tag")
        let entities = [
            Entity("Note", relationships: [links[0]]),
            Entity("Tag", relationships: [links[1]]),
        ]
        let found = layout(
            entities,
            schema(
                "CREATE TABLE Z_2NOTES ( Z_1NOTES INTEGER, Z_2TAGS INTEGER, PRIMARY KEY (Z_1NOTES, Z_2TAGS) )"
            )
        )
        #expect(
            found.links("tags", of: "Note")
                == StoredLinks(.join, in: "Z_2NOTES", from: "Z_1NOTES", to: "Z_2TAGS")
        )
    }

    @Test func `what is not there keeps the name that it should have`() {
        let links = pair("tags", "Note", "notes", "Tag")
        let entities = [
            Entity("Note", relationships: [links[0]]),
            Entity("Tag", relationships: [links[1]]),
        ]
        let found = layout(entities, schema("CREATE TABLE Z_9OTHER ( Z_1A INTEGER, Z_2B INTEGER )"))
        #expect(found.joinTables.map(\.name) == ["Z_1TAGS"])
    }
}
