import DatabaseFaults
import Foundation
import TestSupport
import Testing

struct DatabaseFaultTests {
    struct Kind: Sendable {
        var name: String
        var operations: UInt32
        var isSticky = false
    }

    static let kinds = [
        Kind(name: "access", operations: 255),
        Kind(name: "write and all after it", operations: DATABASE_WRITE.rawValue, isSticky: true),
        Kind(name: "sync and all after it", operations: DATABASE_SYNC.rawValue, isSticky: true),
    ]

    static let cases = MigrationWay.allCases.enumerated().flatMap { place, way in
        // The cases begin at different operations, so that together they try more of them.
        StoreCondition.allCases.enumerated().map {
            (way, $1, 1 + (4 * place + $0) * 8 % faultStride)
        }
    }

    @Test(arguments: cases)
    func `a migration whose n-th access to the disk fails leaves one whole store`(
        way: MigrationWay,
        condition: StoreCondition,
        first: Int
    ) throws {
        #expect(database_faults_register() == 0)
        try withFolder { folder in
            let fixture = try StoreFixture(in: folder, condition)
            let work = folder.appending(path: "Work")
            let new = try fixture.expectedRows(way, in: work)
            for kind in Self.kinds {
                let start = kind.isSticky ? 1 : first
                var (number, count, failures) = (start, start, 0)
                while count >= number {
                    _ = try fixture.fresh(in: work)
                    database_faults_arm(kind.operations, Int64(number), kind.isSticky ? 1 : 0)
                    let fault = fault { try way.migrate(in: work) }
                    count = Int(database_faults_disarm())
                    let title = "\(way) \(condition) \(kind.name) \(number): \(fault ?? "done")"
                    try fixture.expectWhole(
                        way,
                        in: work,
                        hasFailed: fault != nil,
                        new: new,
                        title
                    )
                    try fixture.expectNoLeftovers(in: work, title)
                    if fault != nil { failures += 1 }
                    number += faultStride
                }
                // A new file is written to disk by other means.
                if way.isInPlace || kind.operations != DATABASE_SYNC.rawValue {
                    #expect(failures > 0, "\(way) \(condition) \(kind.name)")
                }
            }
        }
    }

    private func fault(_ body: () throws -> Void) -> String? {
        do {
            try body()
            return nil
        } catch {
            return "\(error)"
        }
    }
}
