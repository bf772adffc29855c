import Foundation
import ObjectModel
import SQLiteAccess
import StoreFormat

extension Scenario {
    /// What is done on call must work on the largest stores, whose rows no memory holds.
    static let care = Scenario(
        name: "care",
        summary:
            "verify, history, objects without an owner and differences of a store with as many objects and changes; "
            + "memory must not grow with them"
    ) { rows in
        try careFigures(rows: rows).filter { $0.hasPrefix("| ") }
    }
}

/// Measures the commands that look after one store of many rows.
func careFigures(rows: Int) throws -> [String] {
    try withBenchmarkFolder { folder in
        let store = folder.appending(path: "Orders.sqlite").path
        try makeOrders(at: store, rows: rows)
        let copy = folder.appending(path: "Swept.sqlite").path
        let size = try FileManager.default.attributesOfItem(atPath: store)[.size] as? Int ?? 0
        var lines = [
            "Once each. As many items as rows, one in two of which no order owns any more, and a change of each in "
                + "persistent history: \(size >> 20) MB. *drop* deletes half of the rows in a copy and writes it anew; "
                + "*diff* compares the store with what is left.",
            "", "| command | time | of CPU | rows/s | memory |",
            "| --- | ---: | ---: | ---: | ---: |",
        ]
        let commands: [(name: String, arguments: [String])] = [
            ("verify", ["verify", store]), ("history --by-day", ["history", store, "--by-day"]),
            ("history", ["history", store, "--format", "json=\(folder.path)/History.json"]),
            ("inspect --bytes", ["inspect", store, "--bytes"]),
            (
                "drop",
                ["repair", store, "--drop-ownerless", "Item", "--compact", "-o", copy]
            ),
            ("diff", ["diff", store, copy, "--summary"]),
            (
                "export --anonymize",
                [
                    "export", store, "--anonymize", "--entity", "Order", "-o",
                    folder.path + "/Rows.json",
                ]
            ),
        ]
        for (name, arguments) in commands {
            let run = try MeasuredCommand(executable: momtool, arguments: arguments).run()
            let cells = [
                name, run.seconds.inWords, run.processorSeconds.inWords,
                "\(Int(Double(rows) / run.seconds))", run.megabytes,
            ]
            lines.append(tableRow(cells))
        }
        return lines
    }
}

/// Makes a store of orders that own items, with persistent history.
private func makeOrders(at path: String, rows: Int) throws {
    let orders = max(1, rows / 10)
    try createStore(
        at: path,
        model: .orders,
        options: StoreCreationOptions(keepsHistory: true)
    ) { connection, _ throws(StoreError) in
        for sql in filling(rows: rows, orders: orders) { try connection.execute(sql) }
    }
}

private func filling(rows: Int, orders: Int) -> [String] {
    func series(_ count: Int) -> String {
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count)) "
    }
    let transactions = (rows + 99) / 100
    return [
        series(orders)
            + "INSERT INTO ZORDER (Z_PK, Z_ENT, Z_OPT, ZNUMBER) SELECT i, 2, 1, 'Order ' || i FROM n",
        series(rows)
            + "INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, ZAMOUNT, ZORDER, ZNAME) SELECT i, 1, 1, i % 90, "
            + "CASE WHEN i % 2 THEN 1 + i * 7919 % \(orders) END, 'Item number ' || i FROM n",
        series(transactions)
            + "INSERT INTO ATRANSACTION (Z_PK, Z_ENT, ZTIMESTAMP) SELECT i, 16002, 700000000 + i * 60.5 FROM n",
        "INSERT INTO ACHANGE (Z_PK, Z_ENT, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID, ZCOLUMNS) "
            + "SELECT Z_PK, 16001, Z_PK % 2, Z_ENT, Z_PK, (Z_PK + 99) / 100, "
            + "CASE WHEN Z_PK % 2 THEN X'02' END FROM ZITEM ORDER BY Z_PK",
        "UPDATE Z_PRIMARYKEY SET Z_MAX = \(rows) WHERE Z_ENT IN (1, 16001)",
        "UPDATE Z_PRIMARYKEY SET Z_MAX = \(orders) WHERE Z_ENT = 2",
        "UPDATE Z_PRIMARYKEY SET Z_MAX = \(transactions) WHERE Z_ENT = 16002",
    ]
}

extension ManagedObjectModel {
    fileprivate static let orders = ManagedObjectModel(entities: [
        Entity(
            name: "Item",
            attributes: [
                Attribute(name: "amount", type: .integer32), Attribute(name: "name", type: .string),
            ],
            relationships: [
                Relationship(
                    name: "order",
                    maxCount: 1,
                    destinationEntity: "Order",
                    inverseName: "items",
                    inverseEntity: "Order"
                )
            ]
        ),
        Entity(
            name: "Order",
            attributes: [Attribute(name: "number", type: .string)],
            relationships: [
                Relationship(
                    name: "items",
                    isToMany: true,
                    deleteRule: .cascade,
                    destinationEntity: "Item",
                    inverseName: "order",
                    inverseEntity: "Item"
                )
            ]
        ),
    ])
}
