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
    private static func model(_ type: String) -> ManagedObjectModel {
        modelOf("Thing: data:binary real:\(type) x")
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

    private func withNumbers(_ body: (TestStore) throws -> Void) throws {
        try withStore(Self.model("double")) { store in
            let insert = "INSERT INTO ZTHING (Z_ENT, Z_OPT, ZREAL) VALUES (1, 1, ?)"
            for number in Self.numbers { try store.execute([insert], [.real(number)]) }
            try store.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = \(Self.numbers.count)")
            try body(store)
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
        let work = expression.map {
            CustomStageWork.mapped("entities: [{from: Thing, to: Thing, set: {real: \($0)}}]")
        }
        try withNumbers { store in
            let new = Self.model("float")
            let migration = try store.migration(to: new, by: work ?? CustomStageWork())
            let findings = try migration.findings(in: store.file())
            let expected = Self.numbers.map(Self.nearest)
            let changed = zip(Self.numbers, expected).count { $0 != $1 }
            #expect(findings.map(\.count) == [changed])
            #expect(findings.map(\.name) == ["Thing.real"])
            let rows = try store.result(of: migration).connection.rows(
                "SELECT ZREAL FROM ZTHING ORDER BY Z_PK"
            )
            #expect(rows.map { $0[0] } == expected.map { .real($0) })
        }
    }

    @Test func `a blob in a script is no attribute of that letter`() throws {
        try withNumbers { store in
            let script =
                "UPDATE Thing SET data = x'00ff', x = 'q' WHERE real = 0.5 AND X'00' <> x'01'"
            try store.migrate(to: Self.model("float"), by: .before(script))
            let rows = try store.rows("SELECT ZDATA, ZX FROM ZTHING WHERE ZDATA NOT NULL")
            #expect(rows == [[.blob(Data([0, 255])), .text("q")]])
        }
    }
}
