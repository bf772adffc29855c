import Foundation
import TestSupport
import Testing

/// Fills a store of the model that a page shows, changes the model by a script, and migrates the store.
///
/// - Parameters:
///   - page: the page, whose first block of XML is the model.
///   - rows: the rows of the store.
///   - script: what changes the model, and may write stages.
///   - check: the command that must find nothing then.
///   - folder: where all of it is done.
/// - Returns: the rows of the new store.
/// - Throws: what keeps a file from being read or written.
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

/// Runs a script that must end well, with the built command in its path.
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
