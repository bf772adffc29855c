import Foundation
import ObjectModel
import RowExchange
import SQLiteAccess
import StoreFormat

extension Scenario {
    /// Exporting must be fast, and its memory must not depend on the number of rows.
    static let export = Scenario(
        name: "export",
        summary: "all rows written as JSON on one core; at least 300,000 rows/s and under 100 MB"
    ) { rows in
        try withFolder { folder in
            let path = folder + "/Store.sqlite"
            try makeStaff(at: path, rows: rows)
            var size = 0
            let seconds = try leastSeconds(runs: 3) {
                try StoreFile(path: path)
            } _: { file in
                size = 0
                try exportRows(of: file, model: .staff) { size += $0.count }
            }
            return figures(rows: rows, seconds: seconds) + ["\(size / 1_000_000) MB of JSON"]
        }
    }

    /// Creating from the same rows.
    static let create = Scenario(
        name: "create",
        summary: "a store made of all rows on one core; at least 150,000 rows/s"
    ) { rows in
        try withFolder { folder in
            let path = folder + "/Store.sqlite"
            let text = folder + "/Rows.json"
            try makeStaff(at: path, rows: rows)
            try Data().write(to: URL(fileURLWithPath: text))
            let output = try FileHandle(forWritingTo: URL(fileURLWithPath: text))
            try exportRows(of: StoreFile(path: path), model: .staff) {
                piece throws(RowExchangeError) in
                try? output.write(contentsOf: Data(piece))
            }
            try output.close()
            let seconds = try leastSeconds(runs: 3) {
                try? FileManager.default.removeItem(atPath: path)
            } _: { _ in
                try createStore(at: path, model: .staff, rows: RowSource(path: text))
            }
            return figures(rows: rows, seconds: seconds)
        }
    }
}

private func figures(rows: Int, seconds: Double) -> [String] {
    [
        "\(rows) rows: \(seconds.milliseconds)", "\(Int(Double(rows) / seconds)) rows/s",
        "peak memory of the process: \(peakMemory() / 1_000_000) MB",
    ]
}

/// The greatest memory that the process ever held, in bytes; 0 where the system does not say.
private func peakMemory() -> Int {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    return line.flatMap { Int($0.filter(\.isNumber)) }.map { $0 * 1024 } ?? 0
}

private func withFolder<Result>(_ body: (String) throws -> Result) throws -> Result {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try body(folder.path)
}

/// Makes a store of people, one in a thousand of whom is a company that the others work for.
private func makeStaff(at path: String, rows: Int) throws {
    let companies = max(1, rows / 1000)
    let people = max(1, rows - companies)
    try createStore(at: path, model: .staff) { connection, _ throws(StoreError) in
        try connection.execute(
            """
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(companies))
            INSERT INTO ZCOMPANY (Z_PK, Z_ENT, Z_OPT, ZNAME) SELECT i, 1, 1, 'Company ' || i FROM n
            """
        )
        try connection.execute(
            """
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(people))
            INSERT INTO ZPERSON (Z_PK, Z_ENT, Z_OPT, ZACTIVE, ZAGE, ZEMPLOYER, ZBORN, ZSCORE, ZNAME)
            SELECT i, 2, 1, i % 2, i % 90, 1 + i * 7919 % \(companies), i * 1000.25, i / 7.0,
            'Person number ' || i FROM n
            """
        )
        try connection.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = \(companies) WHERE Z_ENT = 1")
        try connection.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = \(people) WHERE Z_ENT = 2")
    }
}

extension ManagedObjectModel {
    fileprivate static let staff = ManagedObjectModel(entities: [
        Entity(
            name: "Company",
            attributes: [Attribute(name: "name", type: .string)],
            relationships: [
                Relationship(
                    name: "staff",
                    isToMany: true,
                    destinationEntity: "Person",
                    inverseName: "employer",
                    inverseEntity: "Person"
                )
            ]
        ),
        Entity(
            name: "Person",
            attributes: [
                Attribute(name: "active", type: .boolean), Attribute(name: "age", type: .integer16),
                Attribute(name: "born", type: .date), Attribute(name: "name", type: .string),
                Attribute(name: "score", type: .double),
            ],
            relationships: [
                Relationship(
                    name: "employer",
                    maxCount: 1,
                    destinationEntity: "Company",
                    inverseName: "staff",
                    inverseEntity: "Company"
                )
            ]
        ),
    ])
}
