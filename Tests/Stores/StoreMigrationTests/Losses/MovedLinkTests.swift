import Foundation
import MigrationPlanning
import ObjectModel
import SQLiteAccess
import StoreFormat
import TestSupport
import Testing

@testable import StoreMigration

/// Links that the code of a stage takes from objects that it does not name.
struct MovedLinkTests {
    private static func model(_ more: String = "") -> ManagedObjectModel {
        modelOf("A: n\(more) b>B.as c>C.a", "B: as>>A.b", "C: a>A.c")
    }

    private static let rows = [
        "INSERT INTO ZA (Z_PK, Z_ENT, Z_OPT, ZN, ZB, ZC) VALUES (1, 1, 1, 'x', 1, 1), (2, 1, 1, 'y', 1, 2), (3, 1, 1, 'z', NULL, NULL)",
        "INSERT INTO ZB (Z_PK, Z_ENT, Z_OPT) VALUES (1, 2, 1), (2, 2, 1)",
        "INSERT INTO ZC (Z_PK, Z_ENT, Z_OPT, ZA) VALUES (1, 3, 1, 1), (2, 3, 1, 2), (3, 3, 1, NULL)",
    ]

    private static let scripts: [(sql: String, lost: [String])] = [
        ("INSERT INTO B_as (source, destination) VALUES (2, 1), (2, 3)", ["B.as 1 link"]),
        ("INSERT INTO B_as (source, destination) VALUES (1, 1)", []),
        ("UPDATE A SET b = 2, n = 'q'", []), ("UPDATE A SET c = NULL", []),
        ("UPDATE A SET c = 1 WHERE objectID = 3", ["A.c 1 link"]),
        ("UPDATE A SET c = 1", ["A.c 1 link"]),
        ("UPDATE A SET c = 3 - c WHERE c NOT NULL", []),
        ("UPDATE C SET a = 2 WHERE objectID = 1", ["C.a 1 link"]),
        ("UPDATE A SET c = 3 WHERE objectID = 3; UPDATE A SET c = 3 WHERE objectID = 2", []),
        ("INSERT INTO A (c) VALUES (1); DELETE FROM A WHERE objectID = 1", ["A 1 row"]),
    ]

    private func losses(
        _ work: CustomStageWork,
        _ policies: MigrationPolicies = MigrationPolicies()
    ) throws -> [String] {
        let new = Self.model(" m")
        return try withStore(Self.model(), Self.rows) { store in
            let migration = try store.migration(to: new, by: work, policies)
            var options = MigrationOptions(acceptsLosses: .named([]))
            options.allowsPrograms = true
            var refused: [String] = []
            do {
                _ = try migration.run(
                    from: store.file(),
                    toNewFile: store.place("No"),
                    options: options
                )
            } catch StoreMigrationError.rows(let findings) {
                refused = findings.map { "\($0.name) \($0.amount)" }
            }
            options.acceptsLosses = .all
            let lost = try migration.run(
                from: store.file(),
                toNewFile: store.place("New.sqlite"),
                options: options
            )
            let told = lost.map { "\($0.name) \($0.amount)" }
            #expect(lost.contains { !$0.isMeant } ? told == refused : refused.isEmpty)
            #expect(try verify(StoreFile(path: store.place("New.sqlite")), against: new).isEmpty)
            return told
        }
    }

    @Test(arguments: scripts.indices)
    func `links that a script takes from other objects are counted`(index: Int) throws {
        let (sql, lost) = Self.scripts[index]
        #expect(try losses(.after(sql)) == lost, "\(sql)")
        #expect(try losses(.before(sql)) == lost, "\(sql)")
    }

    @Test(arguments: [
        (#"{"@id": "B/p2", "as": ["A/p1", "A/p2"]}"#, ["B.as 2 links"]),
        (#"{"@insert": "B/new", "as": ["A/p1"]}"#, ["B.as 1 link"]),
        (#"{"@insert": "A/new", "c": "C/p1"}"#, ["A.c 1 link"]),
        (#"{"@id": "A/p1", "b": "B/p2"}"#, []), (#"{"@id": "A/p1", "c": null}"#, []),
    ])
    func `links that a program takes from other objects are counted`(
        line: String,
        lost: [String]
    ) throws {
        let work = StageWork.shell("cat >/dev/null; echo '\(line)'", "A")
        #expect(try losses(CustomStageWork(didMigrate: work)) == lost, "\(line)")
    }

    @Test func `links that a handler takes from other objects are counted`() throws {
        let work = CustomStageWork.after { store in
            try store.link("B", "as", from: 2, to: 1)
            try store.update("A", 3, ["c": .integer(2)])
        }
        #expect(try losses(work).sorted() == ["A.c 1 link", "B.as 1 link"])
    }

    /// Does something when the objects of its mapping are made.
    private struct Policy: EntityMigrationPolicy {
        let work: @Sendable (StoreContext) throws -> Void

        func endInstanceCreation(
            forMapping mapping: StageMap.EntityMap,
            manager: MigrationManager
        ) throws {
            try work(manager.destinationContext)
        }
    }

    /// What the policy of an entity does, with object 3 of A, or with the objects of B.
    private static let policies: [(mapped: String, work: Policy, lost: [String])] = [
        ("C", Policy { try $0.link("B", "as", from: 2, to: 1) }, ["B.as 1 link"]),
        ("C", Policy { try $0.link("B", "as", from: 1, to: 1) }, []),
        ("C", Policy { try $0.update("A", 1, ["b": .integer(2)]) }, []),
        ("B", Policy { try $0.update("A", 3, ["c": .integer(1)]) }, ["A.c 1 link"]),
        ("B", Policy { try $0.update("A", 3, ["c": .integer(3)]) }, []),
    ]

    @Test(arguments: policies.indices)
    func `links that a policy takes from other objects are counted`(index: Int) throws {
        let (mapped, policy, lost) = Self.policies[index]
        let map = "{entities: [{from: \(mapped), to: \(mapped)}], copyRest: true}"
        let told = try losses(
            .mapped(map, policy: "App.Policy"),
            MigrationPolicies(["App.Policy": policy])
        )
        #expect(told == lost)
    }
}
