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
    private func migration(of path: String, _ work: CustomStageWork) throws -> Migration {
        try Migration(
            of: StoreFile(path: path),
            by: StagedMigrationManager([StageModels.custom(1, 2, "stage")]),
            works: [0: work]
        )
    }

    private static let guests = """
        entities:
          - from: Guest
            to: Guest
            set: {first: {split: [$source.name, ' ', 0]}, last: {rest: [$source.name, ' ', 1]}}
        """

    @Test func `a map leaves the tables alone that it does not speak of`() throws {
        try withFolder { folder in
            let path = folder.appending(path: "Store.sqlite").path
            try StageModels.makeStore(at: path)
            let map = readStageMap(Self.guests, path: "map.yml").value
            let program = try #require(
                try migration(of: path, CustomStageWork(map: map)).programs.first
            )
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
            try withFolder { folder in
                let path = folder.appending(path: "Store.sqlite").path
                try StageModels.makeStore(at: path)
                let store = try StoreFile(path: path)
                let migration = try Migration(of: store, by: manager, works: works)
                var expected = try StoreSchema(store.connection)
                for program in migration.programs { expected = expected.applying(program) }
                try migration.runInPlace(path: path, options: .agreed)
                let found = try StoreSchema(StoreFile(path: path).connection)
                #expect(found.columns == expected.columns)
                #expect(Set(found.indexes.map(\.name)) == Set(expected.indexes.map(\.name)))
                #expect(Set(found.triggers.map(\.name)) == Set(expected.triggers.map(\.name)))
            }
        }
    }

    @Test func `a plan without a store has the program of a store that was just made`() throws {
        try withFolder { folder in
            let path = folder.appending(path: "Store.sqlite").path
            try StageModels.makeStore(at: path)
            for (number, next) in zip(StageModels.versions, StageModels.versions.dropFirst()) {
                let migration = try Migration(of: StoreFile(path: path), from: number, to: next)
                let route = MigrationRoute(from: number, to: next)
                let program = try Migration(predictedAlong: route).programs[0]
                #expect(program.steps.map(\.purpose) == migration.program.steps.map(\.purpose))
                #expect(program.steps.contains { !$0.causes.isEmpty })
                try migration.runInPlace(path: path, options: MigrationOptions(acceptsLosses: true))
                break
            }
        }
    }

    private func withBrokenStore(_ body: (String) throws -> Void) throws {
        try withFolder { folder in
            let path = folder.appending(path: "Store.sqlite").path
            try StageModels.makeStore(at: path)
            do {
                let connection = try SQLiteConnection(path: path, mode: .readWrite)
                try connection.execute("UPDATE ZSONG SET ZPLAYLIST = 77 WHERE Z_PK = 1")
            }
            try body(path)
        }
    }

    @Test(arguments: [
        "UPDATE Member SET city = 'Rome'", "UPDATE Song SET title = 'x'",
        "UPDATE Song SET playlist = 1 WHERE objectID = 1; UPDATE Song SET playlist = 88 WHERE objectID = 2",
    ])
    func `a stage answers for what it breaks, not for what was broken`(script: String) throws {
        try withBrokenStore { path in
            try migration(of: path, CustomStageWork(willMigrate: .script(script, path: "s.sql")))
                .runInPlace(path: path)
        }
    }

    @Test(arguments: [
        "UPDATE Song SET playlist = 88 WHERE objectID = 2",
        "UPDATE Song SET title = 'x'; UPDATE Song SET playlist = 88 WHERE objectID = 2",
    ])
    func `a stage that breaks one thing more is refused`(script: String) throws {
        try withBrokenStore { path in
            let migration = try migration(
                of: path,
                CustomStageWork(willMigrate: .script(script, path: "s.sql"))
            )
            do throws(StoreMigrationError) {
                try migration.runInPlace(path: path)
                Issue.record("it went well")
            } catch {
                #expect(error.description.contains("dangling-reference"))
            }
        }
    }
}
