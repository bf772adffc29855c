import Foundation
import StoreFormat

/// Measures changes on a thousand small stores: one process of ours, and a shell for each store, as many at once.
func manyStoresFigures() throws -> [String] {
    let count = 1000
    var lines = [
        "Each with 1,000 rows. One `momtool migrate --in-place` for all; the shell runs once for each store, on as "
            + "many stores at a time (`xargs -P`).",
        "", "| change | momtool | SQL | ratio | of CPU | memory | stores/s |",
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: |",
    ]
    try withBenchmarkFolder { folder in
        let bench = try ChangeBench(rows: 1000, runs: 3, folder: folder)
        for kind in ChangeKind.all()
        where ["add an optional attribute", "five changes at once"].contains(kind.name) {
            let pairs = try bench.measure(kind, onStores: count)
            let seconds = pairs.ours.map(\.seconds).median
            let cells = [
                kind.name, seconds.inWords, pairs.theirs.map(\.seconds).median.inWords,
                pairs.ratio.ratio, pairs.processorRatio.ratio, "\(pairs.peakMegabytes) MB",
                "\(Int(Double(count) / seconds))",
            ]
            lines.append(tableRow(cells))
        }
        lines += try bench.readingFigures(onStores: count)
    }
    return lines
}

extension ChangeBench {
    /// Measures what reads many stores, and each phase of the work on them.
    fileprivate func readingFigures(onStores count: Int) throws -> [String] {
        let change = ChangeKind.all()[0].change
        let bundle = try ShopModel.writeBundle(change, in: folder)
        let paths = try copies(count)
        var lines = [
            "", "| command | time | of CPU | memory | stores/s |",
            "| --- | ---: | ---: | ---: | ---: |",
        ]
        for name in ["identify", "verify"] {
            let run = try MeasuredCommand(
                executable: momtool,
                arguments: [name] + paths + ["--model", bundle]
            ).run()
            let cells = [
                name, run.seconds.inWords, run.processorSeconds.inWords, run.megabytes,
                "\(Int(Double(count) / run.seconds))",
            ]
            lines.append(tableRow(cells))
        }
        return try lines + StorePhases(of: paths, bundle).lines(stores: count)
    }

    /// Makes many fresh copies of the store.
    private func copies(_ count: Int) throws -> [String] {
        let stores = folder.appending(path: "Stores")
        try? FileManager.default.removeItem(at: stores)
        try FileManager.default.createDirectory(at: stores, withIntermediateDirectories: true)
        let paths = (0..<count).map { stores.appending(path: "\($0).sqlite").path }
        for path in paths { try FileManager.default.copyItem(atPath: original, toPath: path) }
        sync()
        return paths
    }

    /// Measures a kind on many copies of the store.
    fileprivate func measure(_ kind: ChangeKind, onStores count: Int) throws -> MeasuredPairs {
        let bundle = try ShopModel.writeBundle(kind.change, in: folder)
        let options = ["--model", bundle, "--in-place", "--allow-data-loss", "--quiet"]
        let script = folder.appending(path: "Change.sql")
        try restore()
        _ = try MeasuredCommand(executable: momtool, arguments: ["migrate", store] + options).run()
        try writeStatements(for: kind, to: script)

        let paths = try copies(count)
        let ours = MeasuredCommand(
            executable: momtool,
            arguments: ["migrate"] + paths + options
        )
        let jobs = 2 * ProcessInfo.processInfo.activeProcessorCount
        let list = folder.appending(path: "Stores.txt")
        try Data((paths.joined(separator: "\n") + "\n").utf8).write(to: list)
        let theirs = MeasuredCommand(
            executable: URL(fileURLWithPath: "/usr/bin/xargs"),
            arguments: [
                "-P", "\(jobs)", "-I{}", shell.path, "-bail", "{}", ".read \(script.path)",
            ],
            input: list
        )
        var pairs = MeasuredPairs()
        for _ in 0..<runs {
            for (isOurs, command) in [(true, ours), (false, theirs)] {
                _ = try copies(count)
                let run = try command.run()
                if isOurs { pairs.ours.append(run) } else { pairs.theirs.append(run) }
            }
        }
        return pairs
    }
}
