import Foundation

/// Measures the commands that read and write the rows of one store.
func exchangeFigures(rows: Int) throws -> [String] {
    var lines = [
        "Once each; *of export* is the processor time to that of `export` of the same store. Blobs are 100 bytes in "
            + "the row of each person, history a change of each person and a transaction of each hundred; the files "
            + "hold one value each of as many people. *migrate* adds an attribute with a default in place.",
        "", "| store | command | time | of CPU | of export | rows/s of CPU | memory |",
        "| --- | --- | ---: | ---: | ---: | ---: | ---: |",
    ]
    for shape in StoreShape.exchanged {
        lines += try withBenchmarkFolder { folder in
            try exchangeRows(rows: shape == .files ? shape.rows : rows, shape, in: folder)
        }
    }
    return lines
}

/// Returns the rows of the table for one store.
private func exchangeRows(rows: Int, _ shape: StoreShape, in folder: URL) throws -> [String] {
    let bench = try ChangeBench(rows: rows, runs: 1, folder: folder, shape: shape)
    let bundle = folder.appending(path: "Shop.xcdatamodeld").path
    let model = bundle + "#Shop 1"
    let text = folder.appending(path: "Rows.json.txt").path
    let new = folder.appending(path: "New.sqlite").path
    let store = bench.original
    var commands = [
        ["export", store, "--model", model, "-o", text, "--quiet"],
        ["verify", store, "--model", model], ["identify", store, "--model", model],
        ["inspect", store],
    ]
    let create = ["create", new, "--model", model, "--rows", text]
    commands.insert(create + (shape == .history ? ["--history"] : []), at: 1)
    if shape == .files {
        _ = try ShopModel.writeBundle(.init { $0.person.append(.score) }, shape, in: folder)
        commands.append(["migrate", store, "--model", bundle, "--in-place", "--quiet"])
    }
    let objects = Double(rows + ShopModel.companies(rows))
    var export = 0.0
    return try commands.map { arguments in
        let run = try MeasuredCommand(executable: momtool, arguments: arguments).run()
        if arguments[0] == "export" { export = run.processorSeconds }
        return tableRow([
            shape.rawValue, arguments[0], run.seconds.inWords, run.processorSeconds.inWords,
            (run.processorSeconds / export).ratio, "\(Int(objects / run.processorSeconds))",
            run.megabytes,
        ])
    }
}
