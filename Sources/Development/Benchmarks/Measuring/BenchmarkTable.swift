import Foundation
import SQLiteAccess
import StoreFormat

/// The page of the documentation that holds the figures.
struct BenchmarkPage {
    static let path = "Sources/Library/Momtool/Momtool.docc/Benchmarks.md"

    /// The sections by their titles, in order.
    private var sections: [(title: String, text: String)]

    /// Reads the page as it is, so that sizes which are not measured again stay.
    init() {
        let text = (try? String(contentsOfFile: Self.path, encoding: .utf8)) ?? ""
        let parts = text.split(separator: "\n## ").dropFirst().map { part in
            let lines = part.split(separator: "\n", maxSplits: 1)
            return (title: String(lines[0]), text: lines.count > 1 ? String(lines[1]) : "")
        }
        sections = parts.filter { $0.title != "Overview" }
    }

    /// Replaces a section, or adds it.
    mutating func set(_ title: String, _ lines: [String]) {
        let text = "\n" + lines.joined(separator: "\n") + "\n"
        sections.removeAll { $0.title == title }
        sections.append((title, text))
        // Smaller stores first, then many of them, models behind, and at the end what is not there.
        sections.sort { Self.place($0.title) < Self.place($1.title) }
    }

    private static func place(_ title: String) -> Int {
        if title.hasSuffix(" rows") { return Int(title.filter(\.isNumber)) ?? 0 }
        if title == absent { return .max }
        return title.hasSuffix(" stores") ? .max - 2 : .max - 1
    }

    private static let absent = "Not measured"

    /// Says which figures are not on the page.
    mutating func noteAbsences(of titles: [String]) {
        let titles = titles + ["10,000 rows", "1,000,000 rows", "10,000,000 rows"]
        let missing = titles.filter { title in
            !sections.contains { $0.title.hasPrefix(title) }
        }
        let hasFive = sections.contains { $0.title.hasSuffix(" 5,000,000") }
        let sizes = hasFive ? [] : ["5 million rows in and out"]
        let always = [
            "other systems than Linux", "file systems that share blocks between copies",
        ]
        set(Self.absent, ["- " + (missing + sizes + always).joined(separator: "\n- ")])
    }

    private var text: String {
        Self.introduction
            + sections.map { "## \($0.title)\n\($0.text)" }.joined(separator: "\n")
    }

    func write() throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: Self.path))
    }

    private static let introduction = """
        # Benchmarks

        Measures every kind of change against the best statements, and reading models against xmllint.

        ## Overview

        `swift build -c release --static-swift-stdlib -Xlinker -no-pie && .build/release/Benchmarks table --write` \
        measures 10 thousand and 1 million rows and all sections behind them in a quarter of an hour, and writes this \
        page. `--rows 10000000` measures another size, and `--exchange-rows 5000000` more rows in and out, in ten \
        minutes each; `--stores`, `--matrix`, `--models`, `--predictions`, `--schemas`, `--shapes`, `--exchange` and `--care` one section alone. \
        Each leaves the other sections as they are. `MOMTOOL` names another executable to measure, as that of \
        `.ci/release`, which starts in 2 ms where the one of this build takes 5.

        Each figure is that of a whole process, from its start to its end, on a fresh copy of the same store: \
        companies and people with three indexes, in write-ahead mode with `synchronous` as SQLite has it. The \
        store is migrated in place, in one transaction. The peer in the column *SQL* is the `sqlite3` shell with \
        the best statements that we know, which reach the same store: the same tables, indexes and rows, metadata \
        and model cache (compared at the smallest size). Tool and shell take turns; times are medians, ratios the \
        medians of the pairs. `sqlite-utils` and Alembic's batch mode change the table alone, without Core \
        Data's own tables, and run once. Memory is the greatest that the process held; *written* is what the tool, \
        and the statements, gave the system to write.

        Where the schema alone changes, nearly all is the start of the process, reading the models, working out the \
        migration and waiting for the disk, whatever the number of rows; the shell, which is given statements that \
        somebody has worked out, is faster there. *Within a process* leaves that out on both sides: the models are \
        read and the migration is worked out, as for the second of many stores, and the statements are run by the \
        same library; what remains is opening, changing and closing the store.

        Where values go away (*remove an attribute*, *five changes at once*), they are counted before, in one pass \
        over the table that reads each row up to the column: 0.06 s of processor time for a million rows, of which \
        the bare steps from row to row are 0.02 s. `DROP COLUMN` says nothing of what it drops, and a function that \
        counts within `UPDATE` costs more than the pass, 0.09 s, because SQLite then keeps a copy of each page in \
        case the statement fails. Where entities get other numbers, the index on the numbers tells rows of no \
        entity, and the rows of each entity before and after, in 0.01 s for a million rows if most are of one \
        entity, in up to 0.05 s if they are shared out; a table of one entity has no such index and is passed over \
        once, for rows of no entity, in 0.03 s. Links that go into a join table are counted in its indexes, 0.02 s \
        before and less than 0.01 s after. The statements do none of this; together with the start of the process, \
        it is what the ratio over 1 of these rows is made of.

        `sqlite-utils` and Alembic are taken from `.build/peers`, made by `python3 -m venv .build/peers && \
        .build/peers/bin/pip install sqlite-utils alembic`, else from the search path.


        """
}

/// What the figures of a section were measured on, with the date, and nothing that names a place.
func measuringConditions() throws -> String {
    let version = try SQLiteConnection(path: ":memory:", mode: .create)
        .value("SELECT sqlite_version()")?.text
    var system = utsname()
    uname(&system)
    let machine = withUnsafeBytes(of: &system.machine) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
    let information = ProcessInfo.processInfo
    let memory = (information.physicalMemory + (1 << 29)) >> 30
    let date = Date.now.formatted(.iso8601.year().month().day())
    return "\(machine), \(information.activeProcessorCount) cores, \(memory) GB of memory; "
        + "SQLite \(version ?? "unknown"), Swift \(swiftVersion()); \(date)."
}

private func swiftVersion() -> String {
    let output = Pipe()
    let process = Process()
    process.executableURL = executable(named: "swift")
    process.arguments = ["--version"]
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    guard process.executableURL != nil, (try? process.run()) != nil else { return "unknown" }
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    let words = text.split(whereSeparator: \.isWhitespace)
    guard let place = words.firstIndex(of: "version"), words.indices.contains(place + 1) else {
        return "unknown"
    }
    return String(words[place + 1])
}

extension ChangeBench.Result {
    static let heading = [
        "| change | momtool | SQL | ratio | of CPU | within a process | ratio "
            + "| sqlite-utils | Alembic | memory | written |",
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
    ]

    /// One line of the table.
    func row(_ name: String) -> String {
        let cells = [
            name, pairs.ours.map(\.seconds).median.inWords,
            pairs.theirs.map(\.seconds).median.inWords,
            pairs.ratio.ratio, pairs.processorRatio.ratio,
            engine.ours.isEmpty ? "–" : Self.times(engine),
            engine.ours.isEmpty ? "–" : engine.ratio.ratio,
            utilities?.seconds.inWords ?? "–", batch?.seconds.inWords ?? "–",
            "\(pairs.peakMegabytes) MB",
            "\(Self.megabytes(pairs.ours)) / \(Self.megabytes(pairs.theirs)) MB",
        ]
        return tableRow(cells)
    }

    private static func times(_ pairs: MeasuredPairs) -> String {
        [pairs.ours, pairs.theirs].map { $0.map(\.seconds).median }
            .map { $0 < 0.1 ? $0.milliseconds : $0.inWords }.joined(separator: " / ")
    }

    static func megabytes(_ runs: [MeasuredRun]) -> String {
        guard let bytes = runs.compactMap(\.bytesWritten).max() else { return "–" }
        return String(format: bytes < 10_000_000 ? "%.1f" : "%.0f", Double(bytes) / 1_000_000)
    }
}

extension Double {
    /// The seconds in the unit that fits.
    var inWords: String {
        self < 1 ? String(format: "%.0f ms", self * 1000) : String(format: "%.2f s", self)
    }
}
