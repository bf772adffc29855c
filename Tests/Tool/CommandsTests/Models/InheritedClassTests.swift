import Foundation
import SQLiteAccess
import TestSupport
import Testing

/// An app whose `@Model` classes inherit goes through the commands, and its stores are those of sub-entities.
struct InheritedClassTests {
    private static func version(_ number: Int, _ classes: String, _ names: [String]) -> String {
        """
        enum V\(number): VersionedSchema {
            static let versionIdentifier = Schema.Version(\(number), 0, 0)
            static var models: [any PersistentModel.Type] { [\(names.map { "\($0).self" }.joined(separator: ", "))] }
            @Model class Trip { var name: String = ""; init() {} }
            @Model final class Bag { var weight: Double = 0; var trip: Trip?; init() {} }
            \(classes)
        }

        """
    }

    private static let sources =
        version(1, "", ["Trip", "Bag"])
        + version(
            2,
            """
            @available(iOS 26, *) @Model class WorkTrip: Trip { var code: String = "" }
            @available(iOS 26, *) @Model class HomeTrip: Trip { var guests: Int = 0; var code: Int = 0 }
            """,
            ["Trip", "Bag", "WorkTrip", "HomeTrip"]
        )
            + """
            enum Plan: SchemaMigrationPlan {
                static var schemas: [any VersionedSchema.Type] { [V1.self, V2.self] }
                static var stages: [MigrationStage] { [.lightweight(fromVersion: V1.self, toVersion: V2.self)] }
            }

            """

    @Test func `every command takes the classes, and stores are laid out as those of sub-entities`()
        throws
    {
        try withFolder { folder in
            try write(Self.sources, "Models.swift", in: folder)
            let rows =
                #"{"Trip": [{"@id": "t", "name": "a"}], "Bag": [{"weight": 1, "trip": "Trip/t"}]}"#
            try write(rows, "rows.json", in: folder)
            for command in [
                ["hash", "Models.swift"], ["check", "."], ["diff", "Models.swift"],
                ["plan", "Models.swift"], ["lock", "Models.swift"],
                ["lock", "Models.swift", "--check"], ["compile", "Models.swift", "-o", "Built"],
                ["generate", "Models.swift", "--all", "-o", "Classes"],
                ["create", "Old.store", "--model", "Models.swift#V1", "--rows", "rows.json"],
                ["plan", "Models.swift", "--store", "Old.store"],
                ["migrate", "Old.store", "--model", "Models.swift", "-o", "New.store"],
                ["verify", "New.store"], ["identify", "New.store", "--model", "Models.swift#V2"],
                ["create", "Fresh.store", "--model", "Models.swift#V2"],
            ] {
                let result = try momtool(command, in: folder)
                #expect(result.status == 0, "\(command): \(result.output)\(result.errors)")
            }
            // One table for the root, numbers by name below their parents, a column for the entity of links.
            for (store, isFresh) in [("New.store", false), ("Fresh.store", true)] {
                let path = folder.appending(path: store).path
                let connection = try SQLiteConnection(path: path, mode: .readWrite)
                func columns(_ table: String) throws -> [String] {
                    let names = try connection.columns(of: table).map(\.name)
                    return isFresh ? names : names.sorted()
                }
                let trips = ["Z_PK", "Z_ENT", "Z_OPT", "ZCODE", "ZGUESTS", "ZNAME", "ZCODE1"]
                let bags = ["Z_PK", "Z_ENT", "Z_OPT", "ZTRIP", "Z2_TRIP", "ZWEIGHT"]
                #expect(try columns("ZTRIP") == (isFresh ? trips : trips.sorted()))
                #expect(try columns("ZBAG") == (isFresh ? bags : bags.sorted()))
                let numbers = try connection.rows(
                    "SELECT Z_NAME, Z_ENT, Z_SUPER FROM Z_PRIMARYKEY WHERE Z_ENT < 100 ORDER BY Z_ENT"
                )
                #expect(
                    numbers == [
                        [.text("Bag"), .integer(1), .integer(0)],
                        [.text("Trip"), .integer(2), .integer(0)],
                        [.text("HomeTrip"), .integer(3), .integer(2)],
                        [.text("WorkTrip"), .integer(4), .integer(2)],
                    ]
                )
                let index = "SELECT 1 FROM sqlite_master WHERE name = 'ZTRIP_Z_ENT_INDEX'"
                #expect(try connection.rows(index).count == 1)
            }
        }
    }
}
