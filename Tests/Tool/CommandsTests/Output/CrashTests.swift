import Diagnostics
import Foundation
import ModelLoading
import ObjectModel
import SQLiteAccess
import StoreFormat
import TestSupport
import Testing

@Suite(.serialized)
struct CrashTests {
    private static let model = Corpus.package.appending(path: "Models/Library.xcdatamodeld").path
    private static let loans = 20_000

    /// `MOMTOOL_KILLS` widens the search, as a nightly run does.
    private static let kills =
        ProcessInfo.processInfo.environment["MOMTOOL_KILLS"].flatMap { Int($0) } ?? 25

    private func makeStore(at path: String) throws {
        let versions = readModelBundle(at: Self.model).value.versions
        let tables = [
            (
                "Loan", Self.loans, "ZBOOK, ZMEMBER, ZBORROWEDON, ZFINE",
                "3, 1, 1 + i % 50, 1 + i % 20, i, 0.5"
            ), ("Book", 50, "ZPAGES, ZTITLE", "2, 1, i, 'Book ' || i"),
            ("Member", 20, "ZNAME", "4, 1, 'Member ' || i"),
        ]
        try createStore(at: path, model: versions[0].model) { connection, _ throws(StoreError) in
            for (name, count, columns, values) in tables {
                try connection.execute(
                    "INSERT INTO Z\(name.uppercased()) (Z_PK, Z_ENT, Z_OPT, \(columns)) "
                        + "WITH RECURSIVE n(i) AS "
                        + "(SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count)) "
                        + "SELECT i, \(values) FROM n"
                )
                try connection.execute(
                    "UPDATE Z_PRIMARYKEY SET Z_MAX = \(count) WHERE Z_NAME = '\(name)'"
                )
            }
        }
    }

    private func expectWhole(_ path: String, versions: Set<String>, _ title: String) throws {
        let identity = try momtool("identify", path, "--model", Self.model)
        let version = identity.output.split(separator: " ").last.map { $0.dropLast() } ?? ""
        #expect(
            versions.contains(String(version)),
            "\(title): \(identity.output)\(identity.errors)"
        )
        let store = try StoreFile(path: path)
        #expect(try store.integrityFaults() == [], "\(title)")
        let member = version == "V1" ? "ZMEMBER" : "ZPATRON"
        let row = try store.connection.rows(
            "SELECT count(*), count(ZBOOK), count(\(member)) FROM ZLOAN"
        )
        #expect(row.first?.map(\.integer) == [20_000, 20_000, 20_000], "\(title)")
    }

    @Test func `a migration that is killed at any moment leaves the old store or the new one`()
        throws
    {
        try withFolder { folder in
            let original = folder.appending(path: "Original.sqlite").path
            try makeStore(at: original)
            let store = folder.appending(path: "Store.sqlite").path
            let result = folder.appending(path: "Result.sqlite").path
            let durations = try [true, false].map { isInPlace in
                try duration(of: arguments(store, isInPlace ? nil : result), original, store)
            }
            var (kills, round) = (0, 0)
            while kills < Self.kills {
                for suffix in ["", "-wal", "-shm", "-journal"] {
                    try? FileManager.default.removeItem(atPath: store + suffix)
                }
                try? FileManager.default.removeItem(atPath: result)
                try FileManager.default.copyItem(atPath: original, toPath: store)
                let isInPlace = round.isMultiple(of: 2)
                // Multiples of an irrational number are spread evenly, however many there are.
                let place = (Double(round) * 0.618_034).truncatingRemainder(dividingBy: 1)
                let delay = place * durations[isInPlace ? 0 : 1]
                let run = arguments(store, isInPlace ? nil : result)
                if try self.run(run, killAfter: delay) { kills += 1 }
                let title = "killed after \(delay) s \(isInPlace ? "in place" : "to a new file")"
                try expectWhole(store, versions: isInPlace ? ["V1", "V6"] : ["V1"], title)
                if FileManager.default.fileExists(atPath: result) {
                    try expectWhole(result, versions: ["V6"], title)
                }
                round += 1
                try #require(round < 4 * Self.kills, "the migrations end before they are killed")
            }
            print("\(kills) of \(round) migrations were killed while they ran; none was lost")
            // The last run ends as it should, and nothing of the killed ones is left.
            try? FileManager.default.removeItem(atPath: result)
            let last = try momtool(
                "migrate \(original) --allow-data-loss --model \(Self.model) -o \(result)"
            )
            #expect(last.status == 0, "\(last.errors)")
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            #expect(names.filter { $0.contains(".momtool-") } == [])
        }
    }

    private func arguments(_ store: String, _ result: String?) -> [String] {
        ["migrate", store, "--allow-data-loss", "--model", Self.model, "--quiet"]
            + (result.map { ["-o", $0] } ?? ["--in-place"])
    }

    private func duration(
        of arguments: [String],
        _ original: String,
        _ store: String
    ) throws -> Double {
        try? FileManager.default.removeItem(atPath: store)
        try FileManager.default.copyItem(atPath: original, toPath: store)
        let start = ContinuousClock.now
        #expect(try momtool(arguments).status == 0)
        return (ContinuousClock.now - start) / .seconds(1)
    }

    private func run(_ arguments: [String], killAfter delay: Double) throws -> Bool {
        let process = try startedCommand(arguments)
        Thread.sleep(forTimeInterval: delay)
        let wasRunning = process.isRunning
        if wasRunning { kill(process.processIdentifier, SIGKILL) }
        process.waitUntilExit()
        return wasRunning
    }

    @Test(.disabled(if: hasThreadSanitizer), arguments: ["in place", "to a new file"])
    func `a migration that may not write any more fails and leaves the old store`(way: String)
        throws
    {
        try withFolder { folder in
            let store = folder.appending(path: "Store.sqlite").path
            try makeStore(at: store)
            let size = try FileManager.default.attributesOfItem(atPath: store)[.size] as? Int ?? 0
            let target = way == "in place" ? "--in-place" : "-o '\(folder.path)/New.sqlite'"
            var failures = 0
            for blocks in stride(from: 8, to: size / 512, by: size / 512 / 6) {
                // The limit of a file's size simulates a full disk; its signal is ignored, so that writes fail.
                let script = """
                    trap '' XFSZ; ulimit -f \(blocks); \
                    exec '\(commandURL.path)' migrate '\(store)' --model '\(Self.model)' \(target)
                    """
                let run = try result(of: URL(filePath: "/bin/bash"), ["-c", script])
                guard run.status != 0 else { break }
                failures += 1
                #expect([4, 74].contains(run.status), "\(run.status) \(run.errors)")
                try expectWhole(store, versions: ["V1"], "\(blocks) blocks")
                let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
                #expect(names.filter { $0.contains("New") || $0.contains("momtool") } == [])
            }
            #expect(failures > 0)
        }
    }
}
