import Foundation

/// Compares momtool, run as a process, with the tools that do the same by hand, and prints one table.
///
/// `Benchmarks [SECTION ...] [--rows N] [--runs N] [--write]`: without sections all are measured. `MOMTOOL` names the
/// executable, by default the one that was built beside this program. `--write` writes the table into the page.
@main
enum Benchmarks {
    private static let sections: [(name: String, measure: @Sendable (Bench) throws -> [Row])] = [
        ("migrations", migrationRows), ("map", mapRows), ("start", startRows),
        ("stores", storeRows),
        ("reading", readingRows), ("growth", growthRows), ("sizes", sizeRows),
    ]

    static func main() {
        do { try run() } catch {
            FileHandle.standardError.write(Data("error: \(error)\n".utf8))
            exit(1)
        }
    }

    private static func run() throws {
        var words = Array(CommandLine.arguments.dropFirst())
        let rows = try number("--rows", in: &words) ?? 1_000_000
        let runs = try number("--runs", in: &words) ?? 5
        let writes = words.contains("--write")
        words.removeAll { $0 == "--write" }
        let known = sections.map(\.name)
        guard words.allSatisfy(known.contains) else {
            throw BenchmarkError("the sections are \(known.joined(separator: ", "))")
        }
        var table = Row.heading
        print(table.joined(separator: "\n"))
        for section in sections where words.isEmpty || words.contains(section.name) {
            try withFolder { folder in
                for row in try section.measure(Bench(folder: folder, rows: rows, runs: runs)) {
                    print(row.text)
                    fflush(nil)
                    table.append(row.text)
                }
            }
        }
        if writes { try write(table) }
    }

    private static func number(_ option: String, in words: inout [String]) throws -> Int? {
        guard let index = words.firstIndex(of: option) else { return nil }
        guard words.indices.contains(index + 1), let value = Int(words[index + 1]), value > 0 else {
            throw BenchmarkError("\(option) is followed by a number")
        }
        words.removeSubrange(index...(index + 1))
        return value
    }

    /// Puts the table between the markers of the page.
    private static func write(_ table: [String]) throws {
        let page = URL(fileURLWithPath: ".github/Benchmarks.md")
        let text = try String(contentsOf: page, encoding: .utf8)
        let (begin, end) = ("<!-- figures -->\n", "<!-- end of figures -->")
        guard let head = text.range(of: begin), let tail = text.range(of: end) else {
            throw BenchmarkError("\(page.path) has no markers for the figures")
        }
        let fresh = table.joined(separator: "\n") + "\n"
        try Data((text[..<head.upperBound] + fresh + text[tail.lowerBound...]).utf8).write(to: page)
    }
}

struct Bench: Sendable {
    let folder: URL
    let rows: Int
    let runs: Int

    func path(_ name: String) -> String { folder.appending(path: name).path }

    @discardableResult
    func write(_ text: String, to name: String) throws -> String {
        let file = folder.appending(path: name)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(),
            withIntermediateDirectories: true
        )
        try Data(text.utf8).write(to: file)
        return file.path
    }
}

/// A line of the table: medians of both sides, and the medians of the ratios pair by pair.
struct Row {
    var what: String
    var peer: String
    var pairs: Pairs

    static let heading = [
        "|what|against|momtool, CPU|peer, CPU|ratio of CPU|ratio of time|memory|",
        "|---|---|---:|---:|---:|---:|---:|",
    ]

    var text: String {
        let cells = [
            what, peer, pairs.ours.map(\.processorSeconds).median.milliseconds,
            pairs.theirs.map(\.processorSeconds).median.milliseconds,
            pairs.ratio(\.processorSeconds).ratio, pairs.ratio(\.seconds).ratio,
            "\((pairs.ours.map(\.peakMemory).max() ?? 0) >> 20) MB",
        ]
        return "|\(cells.joined(separator: "|"))|"
    }
}

extension Double {
    fileprivate var milliseconds: String { String(format: "%.1f ms", self * 1000) }
    fileprivate var ratio: String { String(format: "%.2f", self) }
}

private func withFolder<Result>(_ body: (URL) throws -> Result) throws -> Result {
    let folder = FileManager.default.temporaryDirectory
        .appending(path: "momtool-benchmark-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try body(folder)
}
