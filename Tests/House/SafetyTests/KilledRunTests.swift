import Foundation
import TestSupport
import Testing

/// Fleets and edits that are killed at random moments: nothing stays of them, and nothing is done twice.
@Suite(.serialized)
struct KilledRunTests {
    private static let model = Corpus.package.appending(path: "Models/Library.xcdatamodeld").path
    private static let stores = 6

    /// `MOMTOOL_KILLS` widens the search, as a nightly run does.
    private static let kills =
        (ProcessInfo.processInfo.environment["MOMTOOL_KILLS"].flatMap { Int($0) } ?? 20) / 5

    private static let fleets = [
        "migrate --to V2 -o @Out --model \(model) --jobs 2",
        "migrate --to V2 --in-place --backup @Backups --model \(model)",
        "export -o @Rows --model \(model)#V1", "repair -o @Repaired --model \(model)#V1",
    ]

    @Test(arguments: fleets)
    func `the next run of a killed fleet does what is left, once`(line: String) throws {
        try withFolder { folder in
            let work = folder.appending(path: "Work")
            let words =
                line.replacing("@", with: work.path + "/").split(separator: " ").map(String.init)
                + ["--from-list", "\(work.path)/list", "--journal", "\(work.path)/journal", "-q"]
            try fill(work)
            let (duration, sound) = try timed(words)
            #expect(sound.status == 0, "\(sound)")
            let expected = try files(below: work)
            try killing(words, within: duration) {
                try fill(work)
            } check: { title in
                let last = try momtool(words)
                #expect(last.status == 0, "\(title): \(last)")
                #expect(try files(below: work) == expected, "\(title)")
                let ended = try fileText(work.appending(path: "journal")).split(separator: "\n")
                    .compactMap { try? JSONDecoder().decode(Outcome.self, from: Data($0.utf8)) }
                let done = Dictionary(ended.map { ($0.store, $0.status) }) { $1 }
                #expect(done.count == Self.stores, "\(title): \(done)")
                #expect(
                    !done.values.contains { ["failed", "refused"].contains($0) },
                    "\(title): \(done)"
                )
            }
        }
    }

    @Test(arguments: ModelEditFaultTests.commands)
    func `a killed edit of a model leaves all files or none, and no draft`(command: [String]) throws
    {
        try withFolder { folder in
            let work = folder.appending(path: "Work")
            let model = work.appending(path: "Shop.xcdatamodeld").path
            func edit(_ words: [String]) -> [String] {
                ["model", words[0], model] + words.dropFirst()
            }
            try ModelEditFaultTests.fill(work)
            let old = try ModelEditFaultTests.files(in: work)
            let (duration, sound) = try timed(edit(command))
            #expect(sound.status == 0, "\(sound)")
            let new = try ModelEditFaultTests.files(in: work)
            try killing(edit(command), within: duration) {
                try ModelEditFaultTests.fill(work)
            } check: { title in
                // This is refused itself, but settles what was left.
                #expect(try momtool(edit(["add", "entity", "Book"])).status == 3, "\(title)")
                let found = try ModelEditFaultTests.files(in: work)
                    .filter { !$0.key.contains(".momtool-") }
                #expect(found == old || found == new, "\(title)")
                let next = try momtool(edit(["add", "entity", "Last"]))
                #expect(next.status == 0, "\(title): \(next)")
                let left = try files(below: work).filter { $0.contains(".momtool-") }
                #expect(left == [], "\(title)")
            }
        }
    }

    private struct Outcome: Decodable {
        var store: String
        var status: String
    }

    /// Kills runs at moments that are spread evenly, each in a fresh folder.
    private func killing(
        _ words: [String],
        within duration: Double,
        fill: () throws -> Void,
        check: (String) throws -> Void
    ) throws {
        var (kills, round) = (0, 0)
        while kills < max(1, Self.kills) {
            try fill()
            let place = (Double(round) * 0.618_034).truncatingRemainder(dividingBy: 1)
            let process = try startedCommand(words)
            Thread.sleep(forTimeInterval: place * duration)
            if process.isRunning {
                kill(process.processIdentifier, SIGKILL)
                kills += 1
            }
            process.waitUntilExit()
            try check("\(words.prefix(3)) killed after \(place * duration) s")
            round += 1
            try #require(round < 10 * max(1, Self.kills), "the runs end before they are killed")
        }
    }

    private func timed(_ words: [String]) throws -> (Double, CommandResult) {
        let start = ContinuousClock.now
        let run = try result(of: commandURL, words)
        return ((ContinuousClock.now - start) / .seconds(1), run)
    }

    private func fill(_ work: URL) throws {
        try? FileManager.default.removeItem(at: work)
        try makeFolder(work)
        let store = Corpus.package.appending(path: "Fixtures/Library-V1.sqlite")
        let places = (0..<Self.stores).map { work.appending(path: "Stores/\($0 % 2)/\($0).sqlite") }
        for place in places {
            try makeFolder(place.deletingLastPathComponent())
            try copyFile(store, to: place)
        }
        try write(places.map { $0.path + "\n" }.joined(), "list", in: work)
    }

    /// The files below a folder, without the logs of stores that were whole already; one with a second name has a star.
    private func files(below folder: URL) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted().filter {
            !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm")
        }.compactMap {
            path in
            let values = try FileManager.default.attributesOfItem(atPath: folder.path + "/" + path)
            guard values[.type] as? FileAttributeType != .typeDirectory else { return nil }
            return path + (values[.referenceCount] as? Int == 1 ? "" : "*")
        }
    }
}
