import Foundation
import TestSupport
import Testing

/// Migrates on a real file system of less than two megabytes that fills up, earlier or later.
@Suite(
    .enabled(if: canMountFileSystems, "the system lets nobody mount a file system of their own")
)
struct FullDiskTests {
    @Test(arguments: MigrationWay.allCases)
    func `a migration on a disk that fills up leaves one whole store`(way: MigrationWay) throws {
        try withFolder { folder in
            let fixture = try StoreFixture(in: folder, .closedLog)
            let work = folder.appending(path: "Work")
            let new = try fixture.expectedRows(way, in: work)
            let (mount, out) = (folder.appending(path: "Disk"), folder.appending(path: "Out"))
            try FileManager.default.createDirectory(at: mount, withIntermediateDirectories: true)
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
