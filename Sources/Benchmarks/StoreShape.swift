/// What a store that changes are measured on has much of.
enum StoreShape: String, CaseIterable, Sendable {
    case usual = "nothing beside its rows"
    case columns = "1,000 columns"
    case entities = "500 entities in one table"
    case indexes = "20 indexes on one table"
    case links = "1 million links in one join table"

    /// The number of people, few enough for a comparison of all that comes out.
    var rows: Int { self == .columns ? 10_000 : 100_000 }

    /// Attributes of a person beside the usual ones, all of them filled.
    var attributes: [String] { self == .columns ? (100..<1_089).map { "extra\($0)" } : [] }

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
        return (attributes + indexes).joined() + zones
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
