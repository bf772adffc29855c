import Foundation
import StoreFormat

/// What a store that something is measured on has much of.
enum StoreShape: String, Sendable {
    case usual = "links"
    case columns = "1,000 columns"
    case entities = "500 entities in one table"
    case indexes = "20 indexes on one table"
    case links = "1 million links in one join table"
    case pictures = "links and blobs"
    case history = "links, blobs and history"
    case files = "1,000 files of 200 kB"

    /// Those that every change is measured on.
    static let changed: [StoreShape] = [.columns, .entities, .indexes, .links]
    /// Those that rows are read from and written to.
    static let exchanged: [StoreShape] = [.usual, .pictures, .history, .files]

    /// The number of people, few enough for a comparison of all that comes out.
    var rows: Int { self == .columns ? 10_000 : self == .files ? 1000 : 100_000 }

    /// Attributes of a person beside the usual ones, all of them filled.
    var attributes: [String] { self == .columns ? (100..<1_089).map { "extra\($0)" } : [] }

    /// Whether people have pictures.
    private var hasPictures: Bool { self == .pictures || self == .history || self == .files }

    /// The columns of a person beside the usual ones, with their values in the row of the key `i`.
    var columns: [(name: String, value: String)] {
        let numbers = attributes.enumerated().map { place, name in
            (name: "Z\(name.uppercased())", value: "(i + \(place)) % 100")
        }
        guard hasPictures else { return numbers }
        // The reference to a file: 2, the name and 0.
        let reference = "CAST(X'02' || \(Self.fileName) || X'00' AS BLOB)"
        return numbers + [("ZPICTURE", self == .files ? reference : "randomblob(100)")]
    }

    private static let fileName = "printf('00000000-0000-0000-0000-%012d', i)"

    /// Writes the files beside a store that the rows refer to.
    func writeFiles(beside store: String) throws {
        guard self == .files else { return }
        let folder = externalDataFolder(of: store)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for key in 1...rows {
            let name = String(format: "00000000-0000-0000-0000-%012d", key)
            let bytes = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* key >> 3) })
            try bytes.write(to: folder.appending(path: name))
        }
    }

    /// Sub-entities of a person beside students, which come behind these.
    var subEntities: [String] { self == .entities ? (100..<597).map { "Worker\($0)" } : [] }

    /// The elements of fetch indexes beside the usual one; what they are of is never removed or renamed.
    var fetchIndexes: [[String]] {
        guard self == .indexes else { return [] }
        let elements = [["age", "name"], ["name", "age"]]
        return (0..<17).map { elements[$0 % elements.count] }
    }

    /// Whether people have zones, and zones people.
    var hasZones: Bool { self == .links }

    /// The statements that fill what the usual store does not have.
    func filling(rows: Int) -> [String] {
        if self == .history { return Self.historyFilling(rows: rows) }
        guard hasZones else { return [] }
        return [
            """
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
            INSERT INTO ZZONE (Z_PK, Z_ENT, Z_OPT, ZNAME) SELECT i, 4, 1, 'Zone ' || i FROM n
            """,
            """
            WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 9)
            INSERT INTO Z_2ZONES (Z_2PEOPLE, Z_4ZONES)
            SELECT p.Z_PK, 1 + (p.Z_PK * 7 + i * 101) % 1000 FROM ZPERSON AS p, n
            """,
            "UPDATE Z_PRIMARYKEY SET Z_MAX = 1000 WHERE Z_ENT = 4",
        ]
    }

    /// A change of each person, every other one an update, and a transaction of each hundred of them.
    private static func historyFilling(rows: Int) -> [String] {
        let transactions = (rows + 99) / 100
        return [
            """
            INSERT INTO ATRANSACTIONSTRING (Z_PK, Z_ENT, ZNAME)
            VALUES (1, 16003, 'org.example.shop'), (2, 16003, 'Shop'), (3, 16003, 'viewContext')
            """,
            """
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(transactions))
            INSERT INTO ATRANSACTION
            (Z_PK, Z_ENT, ZBUNDLEIDTS, ZPROCESSIDTS, ZCONTEXTNAMETS, ZTIMESTAMP)
            SELECT i, 16002, 1, 2, 3, 700000000 + i * 60.5 FROM n
            """,
            """
            INSERT INTO ACHANGE
            (Z_PK, Z_ENT, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID, ZCOLUMNS)
            SELECT Z_PK, 16001, Z_PK % 2, Z_ENT, Z_PK, (Z_PK + 99) / 100,
            CASE WHEN Z_PK % 2 THEN X'5A' END FROM ZPERSON ORDER BY Z_PK
            """,
            "UPDATE Z_PRIMARYKEY SET Z_MAX = \(rows) WHERE Z_ENT = 16001",
            "UPDATE Z_PRIMARYKEY SET Z_MAX = \(transactions) WHERE Z_ENT = 16002",
            "UPDATE Z_PRIMARYKEY SET Z_MAX = 3 WHERE Z_ENT = 16003",
        ]
    }

    /// The statements that give the join table the names which new numbers of entities ask for.
    var renumbering: [String] {
        guard hasZones else { return [] }
        return [
            "UPDATE ZZONE SET Z_ENT = Z_ENT + 1", "ALTER TABLE Z_2ZONES RENAME TO Z_3ZONES",
            "ALTER TABLE Z_3ZONES RENAME COLUMN Z_2PEOPLE TO Z_3PEOPLE",
            "ALTER TABLE Z_3ZONES RENAME COLUMN Z_4ZONES TO Z_5ZONES",
            "DROP INDEX Z_2ZONES_Z_4ZONES_INDEX",
            "CREATE INDEX Z_3ZONES_Z_5ZONES_INDEX ON Z_3ZONES (Z_5ZONES, Z_3PEOPLE)",
        ]
    }

    /// The elements of the model's text inside of the person.
    var personText: String {
        let attributes = attributes.map {
            "<attribute name=\"\($0)\" optional=\"YES\" attributeType=\"Integer 32\"/>\n"
        }
        let indexes = fetchIndexes.enumerated().map { place, properties in
            let elements = properties.map {
                "<fetchIndexElement property=\"\($0)\" type=\"Binary\" order=\"ascending\"/>"
            }
            return "<fetchIndex name=\"index\(place)\">\(elements.joined())</fetchIndex>\n"
        }
        let zones = hasZones ? Self.link("zones", "Zone", "people") : ""
        let storage = self == .files ? " allowsExternalBinaryDataStorage=\"YES\"" : ""
        let picture =
            "<attribute name=\"picture\" optional=\"YES\" attributeType=\"Binary\"\(storage)/>\n"
        return (attributes + (hasPictures ? [picture] : []) + indexes).joined() + zones
    }

    /// The entities of the model's text behind the person.
    var entityText: String {
        let entities = subEntities.map { "<entity name=\"\($0)\" parentEntity=\"Person\"/>\n" }
        guard hasZones else { return entities.joined() }
        return """
            \(entities.joined())<entity name="Zone">
            <attribute name="name" optional="YES" attributeType="String"/>
            \(Self.link("people", "Person", "zones"))</entity>

            """
    }

    private static func link(_ name: String, _ destination: String, _ inverse: String) -> String {
        "<relationship name=\"\(name)\" optional=\"YES\" toMany=\"YES\" deletionRule=\"Nullify\" "
            + "destinationEntity=\"\(destination)\" inverseName=\"\(inverse)\" "
            + "inverseEntity=\"\(destination)\"/>\n"
    }
}
