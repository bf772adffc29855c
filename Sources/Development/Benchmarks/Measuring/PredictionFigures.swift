import Foundation

/// Puts what `momtool plan` says of the time and memory of migrations beside what they take.
func predictionFigures() throws -> [String] {
    var lines = [
        "What `momtool plan --store` says before, beside the processor time and the memory of the process that then migrates "
            + "the store in place: of three runs the median of the times, and the most memory.",
        "", "| rows | change | predicted | measured | ratio | predicted | measured | ratio |",
        "| ---: | --- | ---: | ---: | ---: | ---: | ---: | ---: |",
    ]
    var (count, misses) = (0, 0)
    for rows in [10_000, 100_000, 1_000_000] {
        try withBenchmarkFolder { folder in
            let bench = try ChangeBench(rows: rows, runs: 3, folder: folder)
            for kind in ChangeKind.all() {
                let figures = try bench.prediction(of: kind)
                lines.append(figures.row(rows, kind.name))
                count += 1
                if !figures.areWithinTwo { misses += 1 }
            }
        }
    }
    return lines + ["", "\(count - misses) of \(count) within a factor of two."]
}

/// What was predicted of a migration, and what it took.
private struct PredictionFigures {
    var predicted: (seconds: Double, bytes: Int)
    var measured: (seconds: Double, bytes: Int)

    private var ratios: [Double] {
        [
            predicted.seconds / max(measured.seconds, 0.0001),
            Double(predicted.bytes) / Double(max(measured.bytes, 1)),
        ]
    }

    var areWithinTwo: Bool { ratios.allSatisfy { (0.5...2).contains($0) } }

    func row(_ rows: Int, _ name: String) -> String {
        tableRow([
            "\(rows)", name, predicted.seconds.inWords, measured.seconds.inWords,
            String(format: "%.2f", ratios[0]), "\(predicted.bytes >> 20) MB",
            "\(measured.bytes >> 20) MB", String(format: "%.2f", ratios[1]),
        ])
    }
}

extension ChangeBench {
    /// What the tool says in JSON of the room that a migration takes.
    private struct Plan: Decodable {
        struct Room: Decodable {
            var inPlaceSeconds: Double
            var memoryBytes: Int
        }
        var room: Room
    }

    /// Predicts the migration of a kind, and measures it.
    fileprivate func prediction(of kind: ChangeKind) throws -> PredictionFigures {
        let bundle = try ShopModel.writeBundle(kind.change, .usual, in: folder)
        try restore()
        let report = folder.appending(path: "Plan.json")
        let plan = MeasuredCommand(
            executable: momtool,
            arguments: ["plan", bundle, "--store", store, "--format", "json=\(report.path)"]
        )
        _ = try plan.run()
        let room = try JSONDecoder().decode(Plan.self, from: Data(contentsOf: report)).room
        let command = MeasuredCommand(
            executable: momtool,
            arguments: [
                "migrate", store, "--model", bundle, "--in-place", "--allow-data-loss", "--quiet",
            ]
        )
        var runs: [MeasuredRun] = []
        for _ in 0..<3 {
            try restore()
            runs.append(try command.run())
        }
        return PredictionFigures(
            predicted: (room.inPlaceSeconds, room.memoryBytes),
            measured: (
                runs.map(\.processorSeconds).median, runs.compactMap(\.peakMemory).max() ?? 0
            )
        )
    }
}
