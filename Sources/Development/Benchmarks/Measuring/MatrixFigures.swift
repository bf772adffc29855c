import Foundation

/// Measures what it takes to migrate generated objects of every version of a model to the last one.
func matrixFigures() throws -> [String] {
    let versions = 90
    return try withBenchmarkFolder { folder in
        let bundle = folder.appending(path: "Big.xcdatamodeld")
        _ = try writeBundle(at: bundle, versions: versions)
        let command = MeasuredCommand(
            executable: momtool,
            arguments: ["test", "--matrix", bundle.path, "--rows", "20", "--jobs", "2"]
        )
        let run = try command.run()
        let cells = [
            "\(versions) versions, 20 rows of each of 30 entities", run.seconds.inWords,
            run.processorSeconds.inWords, run.megabytes,
            (run.processorSeconds / Double(versions - 1)).inWords,
        ]
        return [
            "`momtool test --matrix` with `--jobs 2`, once; it writes two stores for each version and compares them "
                + "value by value.",
            "", "| matrix | time | of CPU | memory | CPU per version |",
            "| --- | ---: | ---: | ---: | ---: |", tableRow(cells),
        ]
    }
}
