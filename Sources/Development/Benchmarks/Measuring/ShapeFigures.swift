import Foundation

/// Measures one change of each kind on stores that have much of something.
func shapeFigures() throws -> [String] {
    var lines = [
        "Three runs each, against the same statements as above; both reach the same store. Companies and people as in "
            + "the other stores: 10,000 people where a table has 1,000 columns, else 100,000.",
        "", "| store | change | momtool | SQL | ratio | of CPU | memory | written |",
        "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |",
    ]
    for shape in StoreShape.changed {
        try withBenchmarkFolder { folder in
            let bench = try ChangeBench(rows: shape.rows, runs: 3, folder: folder, shape: shape)
            for kind in ChangeKind.all(shape) {
                do {
                    let result = try bench.measure(kind, withOtherPeers: false)
                    lines.append(result.row(kind.name, of: shape))
                } catch let error as BenchmarkError {
                    print("\(shape.rawValue), \(error)")
                    let absent = [String](repeating: "–", count: 6)
                    let name = kind.name + " (not measured)"
                    lines.append(tableRow([shape.rawValue, name] + absent))
                }
            }
        }
    }
    return lines
}

extension ChangeBench.Result {
    /// One line of the table of shapes.
    fileprivate func row(_ name: String, of shape: StoreShape) -> String {
        tableRow([
            shape.rawValue, name, pairs.ours.map(\.seconds).median.inWords,
            pairs.theirs.map(\.seconds).median.inWords, pairs.ratio.ratio,
            pairs.processorRatio.ratio, "\(pairs.peakMegabytes) MB",
            "\(Self.megabytes(pairs.ours)) / \(Self.megabytes(pairs.theirs)) MB",
        ])
    }
}

/// Returns a row of a table in Markdown.
func tableRow(_ cells: [String]) -> String { "| " + cells.joined(separator: " | ") + " |" }
