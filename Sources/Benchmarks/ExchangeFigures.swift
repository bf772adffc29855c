import Foundation

/// Measures the commands that read and write the rows of one store.
func exchangeFigures(rows: Int) throws -> [String] {
    try withBenchmarkFolder { folder in
        let bench = try ChangeBench(rows: rows, runs: 1, folder: folder)
        let model = folder.appending(path: "Shop.xcdatamodeld").path + "#Shop 1"
        let text = folder.appending(path: "Rows.json.txt").path
        let new = folder.appending(path: "New.sqlite").path
        let store = bench.original
        let commands = [
            ["export", store, "--model", model, "-o", text, "--quiet"],
            ["create", new, "--model", model, "--rows", text],
            ["verify", store, "--model", model], ["identify", store, "--model", model],
            ["inspect", store],
        ]
        let objects = Double(rows + ShopModel.companies(rows))
        var lines = [
            "Once each; *of export* is the processor time to that of `export`. The rows have links, but neither large "
                + "values nor history.",
            "", "| command | time | of CPU | of export | rows/s of CPU | memory |",
            "| --- | ---: | ---: | ---: | ---: | ---: |",
        ]
        var export = 0.0
        for arguments in commands {
            let run = try MeasuredCommand(executable: momtool, arguments: arguments).run()
            if arguments[0] == "export" { export = run.processorSeconds }
            let cells = [
                arguments[0], run.seconds.inWords, run.processorSeconds.inWords,
                (run.processorSeconds / export).ratio, "\(Int(objects / run.processorSeconds))",
                run.megabytes,
            ]
            lines.append(tableRow(cells))
        }
        return lines
    }
}
