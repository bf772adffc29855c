import Diagnostics
import ObjectModel
import SQLiteAccess
import TestSupport
import Testing

@testable import StoreFormat

struct RareVerificationTests {
    /// A passport belongs to one person and vice versa; a list owns items without inverse; a team has two to three
    /// members; things are abstract.
    static let model = ManagedObjectModel([
        Entity(
            "Passport",
            parentEntity: "Thing",
            relationships: [.one("person", "Person", "passport")]
        ),
        Entity(
            "Person",
            relationships: [
                .one("passport", "Passport", "person", deleteRule: .deny),
                .many("items", "Passport"), .one("team", "Team", "members"),
            ]
        ),
        Entity(
            "Team",
            relationships: [
                Relationship(
                    name: "members",
                    isOptional: false,
                    isToMany: true,
                    minCount: 2,
                    maxCount: 3,
                    destinationEntity: "Person",
                    inverseName: "team",
                    inverseEntity: "Person"
                )
            ]
        ),
        Entity("Thing", isAbstract: true),
    ])

    /// Entities: Person 1, Team 2, Thing 3, Passport 4.
    @Test(
        arguments: [
            ("SELECT 1", [RuleID](), ""),
            (
                "UPDATE ZTHING SET ZPERSON = 2 WHERE Z_PK = 1", ["broken-inverse-pair"],
                "Passport.person"
            ),
            ("UPDATE ZPERSON SET ZPASSPORT = NULL", ["broken-inverse-pair"], "Passport.person"),
            ("UPDATE ZTHING SET ZPERSON = 7 WHERE Z_PK = 1", [.denyViolated], "Passport.person"),
            ("UPDATE ZTHING SET Z1ITEMS = 7 WHERE Z_PK = 1", [.danglingReference], "Person.items"),
            ("UPDATE ZTHING SET Z_ENT = 3 WHERE Z_PK = 2", [.abstractEntityRow], "Thing"),
            ("UPDATE ZPERSON SET ZTEAM = NULL", [.missingDestination], "Team.members"),
            ("UPDATE ZPERSON SET ZTEAM = NULL WHERE Z_PK = 1", [.destinationCount], "Team.members"),
            (
                "INSERT INTO ZPERSON (Z_PK, Z_ENT, ZTEAM) VALUES (3, 1, 1), (4, 1, 1)",
                [.destinationCount], "Team.members"
            ),
        ] as [(String, [RuleID], String)]
    )
    func `relationships of rare kinds are verified too`(
        sql: String,
        rules: [RuleID],
        element: String
    ) throws {
        try withTemporaryFolder { folder in
            let path = folder + "/a.sqlite"
            try createStore(at: path, model: Self.model) { connection, _ throws(StoreError) in
                for row in [
                    "INSERT INTO ZTEAM (Z_PK, Z_ENT) VALUES (1, 2)",
                    "INSERT INTO ZPERSON (Z_PK, Z_ENT, ZTEAM, ZPASSPORT) VALUES (1, 1, 1, 1), "
                        + "(2, 1, 1, NULL)",
                    "INSERT INTO ZTHING (Z_PK, Z_ENT, ZPERSON, Z1ITEMS) VALUES (1, 4, 1, 2), "
                        + "(2, 4, NULL, NULL)",
                    "UPDATE Z_PRIMARYKEY SET Z_MAX = 4 WHERE Z_SUPER = 0", sql,
                ] { try connection.execute(row) }
            }
            let findings = try verify(try StoreFile(path: path), against: Self.model)
            let found = findings.filter { finding in
                [finding.entity, finding.property].compactMap(\.self).joined(separator: ".")
                    == element
            }
            #expect(found.map(\.rule) == rules, "\(findings)")
            #expect(!rules.isEmpty || findings == [], "\(findings)")
        }
    }
}
