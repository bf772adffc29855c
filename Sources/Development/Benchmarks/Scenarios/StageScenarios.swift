import Foundation
import ObjectModel
import SQLiteAccess
import StoreFormat
import StoreMigration

extension Scenario {
    /// A statement over the views must be as fast as the same one on plain tables.
    static let customSQL = Scenario(
        name: "custom-sql",
        summary: "a name split by SQL in a custom stage; time to the same statement on the table"
    ) { rows in
        let script =
            "UPDATE Person SET city = substr(name, 1, instr(name, ' ') - 1), "
            + "note = substr(name, instr(name, ' ') + 1)"
        let staged = try workSeconds(rows: rows, .script(script, path: "split.sql"))
        let plain = try statementSeconds(
            rows: rows,
            "UPDATE ZPERSON SET ZCITY = substr(ZNAME, 1, instr(ZNAME, ' ') - 1), "
                + "ZNOTE = substr(ZNAME, instr(ZNAME, ' ') + 1)"
        )
        return [
            "custom stage: \(staged.milliseconds)", "plain statement: \(plain.milliseconds)",
            "ratio \((staged / plain).ratio)",
        ]
    }

    /// A handler in Swift reads and changes every object.
    static let customClosure = Scenario(
        name: "custom-closure",
        summary: "a name split by a Swift handler in a custom stage; objects per second"
    ) { rows in
        let seconds = try workSeconds(
            rows: rows,
            .handler { context in
                try context.fetch("Person") { object in
                    guard let name = try object.value("name").text,
                        let space = name.firstIndex(of: " ")
                    else { return }
                    let values: KeyValuePairs<String, SQLiteValue> = [
                        "city": .text(String(name[..<space])),
                        "note": .text(String(name[name.index(after: space)...])),
                    ]
                    try context.update("Person", object.id, values)
                }
            }
        )
        return [
            "\(rows) objects: \(seconds.milliseconds)",
            "\(Int(Double(rows) / seconds)) objects/s",
        ]
    }
}

/// Measures the work of a custom stage from the notice of its beginning to the notice of its end, without the
/// check of the result, which a plain statement does not have.
private func workSeconds(rows: Int, _ work: StageWork) throws -> Double {
    let version = ModelVersion(name: "1", model: .before)
    return try withStore(rows: rows, model: .before) { original in
        try leastSeconds(runs: 3) {
            let path = try copy(of: original)
            let connection = try SQLiteConnection(path: path, mode: .readWrite)
            try connection.execute("PRAGMA cache_size = -16384")
            try connection.execute("BEGIN IMMEDIATE")
            return connection
        } _: { connection in
            try runStageWork(work, on: connection, at: version)
            try connection.execute("COMMIT")
        }
    }
}
