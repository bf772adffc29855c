import Diagnostics
import Foundation
import MappingInference
import MigrationPlanning
import ObjectModel
import SettingsFiles
import SQLiteAccess
import StoreFormat
import StoreMigration
import TestSupport
import Testing

struct NarrowestNumbersTests {
    private static func model(_ type: AttributeType) -> ManagedObjectModel {
        ManagedObjectModel([
            Entity(
                "Thing",
                [Attribute("data", .binary), Attribute("real", type), Attribute("x", .string)]
            )
        ])
    }

    private static let numbers: [Double] =
        [
            .infinity, -.infinity, 1e300, -1e300, 0, 0.5, 0.1, 1e-46, 1e-45, 1e-44, 3e-40, -3e-40,
            1.1754943508222875e-38, 1.1754942106924411e-38, Double(Float.leastNonzeroMagnitude),
            Double(Float.leastNonzeroMagnitude) * 3, Double(Float.leastNonzeroMagnitude) * 2.5,
            Double(Float.leastNonzeroMagnitude) * 0.5, Double(Float.leastNonzeroMagnitude) * 1.5,
            Double(Float.leastNormalMagnitude), Double(Float.greatestFiniteMagnitude), 3.4028235e38,
            3.5e38, -3.5e38, .leastNonzeroMagnitude, .greatestFiniteMagnitude,
        ]

    private func makeStore(at path: String) throws {
        try createStore(at: path, model: Self.model(.double)) { connection, _ throws(StoreError) in
            for (key, number) in zip(1..., Self.numbers) {
                try connection.execute(
                    "INSERT INTO ZTHING (Z_PK, Z_ENT, Z_OPT, ZREAL) VALUES (?, 1, 1, ?)",
                    [.integer(Int64(key)), .real(number)]
                )
            }
            try connection.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = \(Self.numbers.count)")
        }
    }

    private static func nearest(_ number: Double) -> Double {
        guard number.isFinite else { return number }
        let greatest = Double(Float.greatestFiniteMagnitude)
        return Double(Float(max(-greatest, min(greatest, number))))
    }

    @Test(arguments: [nil, "$source.real", "$source.real * 1"])
    func `a Float gets the nearest number, and what is not the same is counted`(
        _ expression: String?
    ) throws {
        try withFolder { folder in
            let path = folder.appending(path: "Old.sqlite").path
            try makeStore(at: path)
            let store = try StoreFile(path: path)
            let map = readStageMap(
                expression.map { "entities: [{from: Thing, to: Thing, set: {real: \($0)}}]" }
                    ?? "{}",
                path: "map.yml"
            )
            #expect(map.diagnostics == [])
            let migration = try StageModels.migration(
                of: store,
                from: Self.model(.double),
                to: Self.model(.float),
                by: CustomStageWork(map: expression == nil ? nil : map.value)
            )
            let findings = try migration.findings(in: store)
            let expected = Self.numbers.map(Self.nearest)
            let changed = zip(Self.numbers, expected).count { $0 != $1 }
            #expect(findings.map(\.count) == [changed])
            #expect(findings.map(\.name) == ["Thing.real"])
            let result = folder.appending(path: "New.sqlite").path
            try migration.run(from: store, toNewFile: result, options: .agreed)
            let rows = try StoreFile(path: result).connection.rows(
                "SELECT ZREAL FROM ZTHING ORDER BY Z_PK"
            )
            #expect(rows.map { $0[0] } == expected.map { .real($0) })
        }
    }

    @Test func `a blob in a script is no attribute of that letter`() throws {
        try withFolder { folder in
            let path = folder.appending(path: "Store.sqlite").path
            try makeStore(at: path)
            let script =
                "UPDATE Thing SET data = x'00ff', x = 'q' WHERE real = 0.5 AND X'00' <> x'01'"
            try StageModels.migrate(
                path,
                from: Self.model(.double),
                to: Self.model(.float),
                by: CustomStageWork(willMigrate: .script(script, path: "s.sql"))
            )
            let rows = try StoreFile(path: path).connection.rows(
                "SELECT ZDATA, ZX FROM ZTHING WHERE ZDATA NOT NULL"
            )
            #expect(rows == [[.blob(Data([0, 255])), .text("q")]])
        }
    }
}
