import DatabaseFaults
import Diagnostics
import Foundation
import TestSupport
import Testing

@Suite(.enabled(if: canInjectSystemFaults, "a sanitizer has the C library's place"))
struct SystemFaultTests {
    /// The numbers are `EIO`, `ENOSPC` and `EACCES`.
    static let fates = ["fail:%:5", "fail:%:28", "fail:%:13", "full:%:28", "kill:%", "torn:%"]

    static let cases = fates.enumerated().flatMap { number, fate in
        MigrationWay.allCases.enumerated().map {
            (fate, $1, number * MigrationWay.allCases.count + $0)
        }
    }

    @Test(arguments: cases)
    func `a migration whose n-th call of the system goes wrong leaves one whole store`(
        fate: String,
        way: MigrationWay,
        place: Int
    ) throws {
        let condition: StoreCondition = fate.hasPrefix("fail") ? .closedLog : .openLog
        try withFolder { folder in
            let fixture = try StoreFixture(in: folder, condition)
            let work = folder.appending(path: "Work")
            let new = try fixture.expectedRows(way, in: work)
            let count = try calls(of: fixture, way, in: work)
            #expect(count > 20)
            for number in faultyCalls(among: count, ofCase: place) {
                _ = try fixture.fresh(in: work)
                let fault = fate.replacing("%", with: "\(number)")
                let result = try run(way, in: work, ["MOMTOOL_FAULT": fault])
                let title = "\(way) \(condition) \(fault): \(result.status) \(result.errors)"
                if result.wasKilled {
                    #expect(result.status == SIGKILL, "\(title)")
                } else if result.status != 0 {
                    #expect([3, 4, 66, 73, 74].contains(result.status), "\(title)")
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
        let count = try fileText(log).split(separator: "\n").count
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

struct DatabaseFaultTests {
    typealias Kind = (name: String, operations: UInt32, isSticky: Bool)

    static let kinds: [Kind] = [
        ("access", 255, false),
        ("write and all after it", DATABASE_WRITE.rawValue, true),
        ("sync and all after it", DATABASE_SYNC.rawValue, true),
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
                    try fixture.expectWhole(way, in: work, hasFailed: fault != nil, new: new, title)
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

/// Migrates on a real file system of less than two megabytes that fills up, earlier or later.
@Suite(.enabled(if: canMountFileSystems, "the system lets nobody mount a file system of their own"))
struct FullDiskTests {
    @Test(arguments: MigrationWay.allCases)
    func `a migration on a disk that fills up leaves one whole store`(way: MigrationWay) throws {
        try withFolder { folder in
            let fixture = try StoreFixture(in: folder, .closedLog)
            let work = folder.appending(path: "Work")
            let new = try fixture.expectedRows(way, in: work)
            let (mount, out) = (folder.appending(path: "Disk"), folder.appending(path: "Out"))
            try makeFolder(mount)
            var (failures, successes) = (0, 0)
            // The store takes 370 kilobytes with its files, in pages of four.
            var size = 376
            while successes < 2 {
                try? FileManager.default.removeItem(at: out)
                let status = try migrate(fixture, way, from: mount, to: out, kilobytes: size)
                let title = "\(way) on \(size) kilobytes: \(status)"
                #expect([0, 3, 73, 74].contains(status), "\(title)")
                let hasFailed = status != 0
                try fixture.expectWhole(way, in: out, hasFailed: hasFailed, new: new, title)
                try fixture.expectNoLeftovers(in: out, title)
                if hasFailed { failures += 1 } else { successes += 1 }
                try #require(size < 8192, "\(title)")
                size += 4 * faultStride
            }
            #expect(failures > 0)
        }
    }

    private func migrate(
        _ fixture: StoreFixture,
        _ way: MigrationWay,
        from mount: URL,
        to out: URL,
        kilobytes: Int
    ) throws -> Int32 {
        let script = """
            disk=$1; out=$2; original=$3; shift 3
            mount -t tmpfs -o size=\(kilobytes)k none "$disk" && cp -a "$original/." "$disk" || exit 99
            "$@" 2>/dev/null; status=$?
            cp -a "$disk" "$out" || exit 98
            exit $status
            """
        // The input of the stages is elsewhere.
        let arguments = try way.arguments(in: out.deletingLastPathComponent()).map {
            $0.replacing(
                out.deletingLastPathComponent().path + "/Store",
                with: mount.path + "/Store"
            )
            .replacing(out.deletingLastPathComponent().path + "/New", with: mount.path + "/New")
            .replacing(out.deletingLastPathComponent().path + "/Back", with: mount.path + "/Back")
        }
        return try privateMounts(
            script,
            [mount.path, out.path, fixture.original.path, commandURL.path] + arguments
        ).status
    }
}

let canMountFileSystems: Bool = {
    let script = "mount -t tmpfs -o size=64k none /mnt"
    return (try? privateMounts(script, []))?.status == 0
}()

private func privateMounts(_ script: String, _ arguments: [String]) throws -> CommandResult {
    let flags = geteuid() == 0 ? ["-m"] : ["-U", "-r", "-m"]
    return try result(
        of: URL(fileURLWithPath: "/usr/bin/env"),
        ["unshare"] + flags + ["bash", "-c", script, "bash"] + arguments
    )
}
