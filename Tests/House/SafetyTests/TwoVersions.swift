import Foundation
import TestSupport
import Testing

/// Runs in a folder with two versions of a model in `M.xcdatamodeld` and a store `S.sqlite` of the first.
func withVersions(
    _ old: String,
    _ new: String,
    rows: String = "{}",
    _ body: (_ folder: URL, _ run: (String) throws -> CommandResult) throws -> Void
) throws {
    try withFolder { folder in
        try writeBundle(
            ["V1": "<model>\(old)</model>", "V2": "<model>\(new)</model>"],
            current: "V2",
            at: folder.appending(path: "M.xcdatamodeld")
        )
        try Data(rows.utf8).write(to: folder.appending(path: "rows.json"))
        func run(_ line: String) throws -> CommandResult {
            try shell("momtool \(line)", in: folder)
        }
        let made = try run("create S.sqlite --model 'M.xcdatamodeld#V1' --rows rows.json")
        try #require(made.status == 0, "\(made.errors)")
        try body(folder, run)
    }
}
