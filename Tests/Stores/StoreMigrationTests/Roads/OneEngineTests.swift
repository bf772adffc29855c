import Diagnostics
import Foundation
import MigrationPlanning
import ObjectModel
import SQLiteAccess
import SettingsFiles
import StoreFormat
import TestSupport
import Testing

@testable import StoreMigration

struct OneEngineTests {
    private func migration(of store: TestStore, _ work: CustomStageWork) throws -> Migration {
        try Migration(of: store, StageModels.custom(1, 2, "stage"), work)
    }

    @Test func `a map leaves the tables alone that it does not speak of`() throws {
        let guests = """
            entities:
              - from: Guest
                to: Guest
                set: {first: {split: [$source.name, ' ', 0]}, last: {rest: [$source.name, ' ', 1]}}
            """
        try StageModels.with { store in
            let program = try #require(try migration(of: store, .mapped(guests)).programs.first)
            let treatments = Dictionary(
                program.changes.map { ($0.table, $0.treatment) },
                uniquingKeysWith: { first, _ in first }
            )
            #expect(treatments["ZSONG"] == .keep)
            #expect(treatments["ZPLAYLIST"] == .keep)
            #expect(treatments["ZMEMBER"] == .alter)
            let passes = program.steps.filter { $0.effort == .rows }.map(\.sql)
            #expect(passes.count == 1, "\(passes)")
            #expect(passes.allSatisfy { $0.hasPrefix("UPDATE ZGUEST AS s SET ") })
        }
    }

    @Test func `the schema that programs make is the one that was worked out`() throws {
        for (_, works, manager) in StagedMigrationTests.ways {
            try StageModels.with { store in
                let migration = try Migration(of: store.file(), by: manager, works: works)
                var expected = try StoreSchema(store.file().connection)
                for program in migration.programs { expected = expected.applying(program) }
                try migration.runInPlace(path: store.path, options: .agreed)
                let found = try StoreSchema(store.file().connection)
                #expect(found.columns == expected.columns)
                #expect(Set(found.indexes.map(\.name)) == Set(expected.indexes.map(\.name)))
                #expect(Set(found.triggers.map(\.name)) == Set(expected.triggers.map(\.name)))
            }
        }
    }

    @Test func `a plan without a store has the program of a store that was just made`() throws {
        try StageModels.with { store in
            let (old, new) = (StageModels.versions[0], StageModels.versions[1])
            let migration = try Migration(of: store.file(), from: old, to: new)
            let route = MigrationRoute(from: old, to: new)
            let program = try Migration(predictedAlong: route).programs[0]
            #expect(program.steps.map(\.purpose) == migration.program.steps.map(\.purpose))
            #expect(program.steps.contains { !$0.causes.isEmpty })
            try migration.runInPlace(path: store.path, options: .agreed)
        }
    }

    @Test(arguments: [
        ("UPDATE Member SET city = 'Rome'", false), ("UPDATE Song SET title = 'x'", false),
        (
            "UPDATE Song SET playlist = 1 WHERE objectID = 1; UPDATE Song SET playlist = 88 WHERE objectID = 2",
            false
        ), ("UPDATE Song SET playlist = 88 WHERE objectID = 2", true),
        (
            "UPDATE Song SET title = 'x'; UPDATE Song SET playlist = 88 WHERE objectID = 2",
            true
        ),
    ])
    func `a stage answers for one thing more that it breaks, not for what was broken`(
        _ script: String,
        _ isRefused: Bool
    ) throws {
        try StageModels.with { store in
            try store.execute("UPDATE ZSONG SET ZPLAYLIST = 77 WHERE Z_PK = 1")
            let migration = try migration(of: store, .before(script))
            guard isRefused else {
                try migration.runInPlace(path: store.path)
                return
            }
            let error = #expect(throws: StoreMigrationError.self) {
                try migration.runInPlace(path: store.path)
            }
            #expect(error?.description.contains("dangling-reference") == true)
        }
    }
}
