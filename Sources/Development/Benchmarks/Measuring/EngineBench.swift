import Diagnostics
import Foundation
import MigrationPlanning
import ModelLoading
import SQLiteAccess
import StoreFormat
import StoreMigration

/// Measures a migration and the best statements within one process that has both ready: the models are read and the
/// migration is worked out, as for the second of many stores.
struct EngineBench {
    private let arguments: [String]

    /// Takes the arguments after `engine`: the store as it was, a place for copies, the bundle, the statements, a place
    /// for the figures, and the number of runs.
    init(_ arguments: [String]) throws {
        guard arguments.count == 6, Int(arguments[5]) != nil else {
            throw BenchmarkError("engine is for the table to call")
        }
        self.arguments = arguments
    }

    func run() throws {
        let (original, store) = (arguments[0], arguments[1])
        let versions = readModelBundle(at: arguments[2]).value.versions
        guard versions.count == 2 else { throw BenchmarkError("the bundle cannot be read") }
        let statements = try String(contentsOfFile: arguments[3], encoding: .utf8)
            .split(separator: ";\n").map(String.init)
        let plans = MigrationMemo(to: versions[1])
        try restoreStore(at: store, from: original)
        _ = try plans.migration(of: StoreFile(path: store), from: versions[0])
        var lines: [String] = []
        for _ in 0..<(Int(arguments[5]) ?? 0) {
            try restoreStore(at: store, from: original)
            let ours = try seconds {
                let file = try StoreFile(path: store)
                let migration = try plans.migration(of: file, from: versions[0])
                let options = MigrationOptions(acceptsLosses: true)
                try migration.runInPlace(path: store, options: options)
            }
            try restoreStore(at: store, from: original)
            let theirs = try seconds {
                let connection = try SQLiteConnection(path: store, mode: .readWrite)
                for statement in statements { try connection.execute(statement) }
            }
            lines.append("\(ours) \(theirs)")
        }
        try Data(lines.joined(separator: "\n").utf8)
            .write(to: URL(fileURLWithPath: arguments[4]))
    }

    /// Reads the figures that a run has written: the seconds of ours and of the statements in each line.
    static func pairs(in text: String) -> MeasuredPairs {
        var pairs = MeasuredPairs()
        for line in text.split(separator: "\n") {
            let figures = line.split(separator: " ").compactMap { Double($0) }
            guard figures.count == 2 else { continue }
            pairs.ours.append(MeasuredRun(seconds: figures[0]))
            pairs.theirs.append(MeasuredRun(seconds: figures[1]))
        }
        return pairs
    }
}

private func seconds(_ body: () throws -> Void) throws -> Double {
    try ContinuousClock().measure(body) / .seconds(1)
}

/// Puts a fresh copy of a store in a place.
func restoreStore(at store: String, from original: String) throws {
    for suffix in ["", "-wal", "-shm", "-journal"] {
        try? FileManager.default.removeItem(atPath: store + suffix)
    }
    try FileManager.default.copyItem(atPath: original, toPath: store)
    // Otherwise the first commit of what is measured would bring the whole copy to disk.
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: store))
    try file.synchronize()
    try file.close()
}
