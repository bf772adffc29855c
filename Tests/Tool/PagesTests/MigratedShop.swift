import Foundation
import TestSupport
import Testing

/// Fills a store of the model that a page shows in its first block of XML, changes the model by a script, and migrates.
///
/// The script may write stages, after which `check` must find nothing. Returns the rows of the new store.
func migratedShop(
    of page: String,
    rows: String,
    by script: String,
    check: String,
    in folder: URL
) throws -> Data {
    let model = try #require(try guideBlocks(page, "xml").first)
    try writeBundle(
        ["Shop": model],
        current: "Shop",
        at: folder.appending(path: "Shop.xcdatamodeld")
    )
    try Data(rows.utf8).write(to: folder.appending(path: "Rows.json"))
    try expect("momtool lock Shop.xcdatamodeld", in: folder)
    try expect("momtool create Shop.sqlite --model Shop.xcdatamodeld --rows Rows.json", in: folder)
    try expect(script, in: folder)
    try expect(check, in: folder)
    let stages = folder.appending(path: "Stages.yml").path
    let way =
        FileManager.default.fileExists(atPath: stages)
        ? "--stages Stages.yml" : "--model Shop.xcdatamodeld"
    try expect("momtool migrate Shop.sqlite \(way) -o New.sqlite", in: folder)
    try expect("momtool verify New.sqlite --model Shop.xcdatamodeld", in: folder)
    try expect("momtool export New.sqlite --model Shop.xcdatamodeld -o New.json", in: folder)
    return try Data(contentsOf: folder.appending(path: "New.json"))
}

private func expect(_ script: String, in folder: URL) throws {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    let run = try result(
        of: URL(filePath: "/bin/sh"),
        ["-ec", script],
        in: folder,
        environment: ["PATH": "\(commandFolder):\(path)"]
    )
    #expect(run.status == 0, "\(script)\n\(run.errors)\(run.output)")
}
