import Diagnostics
import Foundation
import TestSupport
import Testing

@Suite(
    .enabled(if: canInjectSystemFaults, "a sanitizer has the C library's place")
)
struct SystemFaultTests {
    /// The numbers are `EIO`, `ENOSPC` and `EACCES`.
    static let fates = ["fail:%:5", "fail:%:28", "fail:%:13", "full:%:28", "kill:%", "torn:%"]

    static let cases = fates.enumerated().flatMap { place, fate in
        // The cases begin at different calls, so that together they try more of them.
        MigrationWay.allCases.map { (fate, $0, 1 + place * 7 % systemFaultStride) }
    }

    @Test(arguments: cases)
    func `a migration whose n-th call of the system goes wrong leaves one whole store`(
        fate: String,
        way: MigrationWay,
        first: Int
    ) throws {
        let condition: StoreCondition = fate.hasPrefix("fail") ? .closedLog : .openLog
        try withFolder { folder in
            let fixture = try StoreFixture(in: folder, condition)
            let work = folder.appending(path: "Work")
            let new = try fixture.expectedRows(way, in: work)
            let count = try calls(of: fixture, way, in: work)
            #expect(count > 20)
            var (failures, kills) = (0, 0)
            for number in stride(from: first, through: count, by: systemFaultStride) {
                _ = try fixture.fresh(in: work)
                let fault = fate.replacing("%", with: "\(number)")
                let result = try run(way, in: work, ["MOMTOOL_FAULT": fault])
                let title = "\(way) \(condition) \(fault): \(result.status) \(result.errors)"
                if result.wasKilled {
                    #expect(result.status == SIGKILL, "\(title)")
                    kills += 1
                } else if result.status != 0 {
                    #expect([3, 4, 66, 73, 74].contains(result.status), "\(title)")
                    failures += 1
                }
                let hasFailed = result.wasKilled ? nil : result.status != 0
                let isDone = try fixture.expectWhole(
                    way,
                    in: work,
                    hasFailed: hasFailed,
                    new: new,
                    title
                )
                try expectNextRunCleansUp(fixture, way, in: work, isDone: isDone, new, title)
            }
            #expect(failures + kills > 0)
        }
    }

    private func run(
        _ way: MigrationWay,
        in work: URL,
        _ environment: [String: String]
    ) throws -> CommandResult {
        try runFaulty(way.arguments(in: work), in: work, environment)
    }

    private static let counts = Locked<[String: Int]>([:])

    private func calls(of fixture: StoreFixture, _ way: MigrationWay, in work: URL) throws -> Int {
        let key = "\(fixture.condition) \(way)"
        if let count = Self.counts.withLock({ $0[key] }) { return count }
        _ = try fixture.fresh(in: work)
        let log = work.appending(path: "calls.log")
        let result = try run(way, in: work, ["MOMTOOL_FAULT_LOG": log.path])
        #expect(result.status == 0, "\(result.errors)")
        let count = try String(contentsOf: log, encoding: .utf8).split(separator: "\n").count
        Self.counts.withLock { $0[key] = count }
        return count
    }

    private func expectNextRunCleansUp(
        _ fixture: StoreFixture,
        _ way: MigrationWay,
        in work: URL,
        isDone: Bool,
        _ new: String,
        _ title: String
    ) throws {
        // A backup with the same store counts as made; a finished store needs none.
        let next = try run(way, in: work, [:])
        let isRefused = isDone && !way.isInPlace
        #expect(next.status == (isRefused ? 73 : 0), "\(title), then \(next.errors)")
        if !isRefused, !(isDone && way == .stagedInPlace) {
            let nowDone = try fixture.expectWhole(
                way,
                in: work,
                hasFailed: false,
                new: new,
                "\(title), then"
            )
            #expect(nowDone)
        }
        try fixture.expectNoLeftovers(in: work, "\(title), then \(next.status)")
    }
}
