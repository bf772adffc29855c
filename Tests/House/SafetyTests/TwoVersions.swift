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
            ["<model>\(old)</model>", "<model>\(new)</model>"],
            "M.xcdatamodeld",
            in: folder
        )
        try write(rows, "rows.json", in: folder)
        func run(_ line: String) throws -> CommandResult {
            let isPlain = !line.contains { "'|$<>&;".contains($0) }
            return try isPlain ? momtool(line, in: folder) : shell("momtool \(line)", in: folder)
        }
        let made = try run("create S.sqlite --model M.xcdatamodeld#V1 --rows rows.json")
        try #require(made.status == 0, "\(made.errors)")
        try body(folder, run)
    }
}
