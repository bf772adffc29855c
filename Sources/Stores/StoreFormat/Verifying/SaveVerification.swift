package import Diagnostics
package import ObjectModel
package import SQLiteAccess

/// Finds what Core Data would refuse to save.
package struct SaveVerification {
    /// What is wrong with some rows, with the code of Core Data's error.
    package struct Fault {
        package var finding: Diagnostic
        package var code: Int
    }

    private let checks: [RowCheck]

    /// Makes the checks for the rows of a store that is laid out as it should be.
    package init(of model: ManagedObjectModel, _ layout: StoreLayout) {
        var checks = RowChecks(model: model, layout: layout)
        checks.addAll()
        checks.addRules(isSaving: true)
        self.checks = checks.checks.filter { $0.code != nil }
    }

    /// Finds the faults of some rows, as those that were changed.
    ///
    /// - Parameters:
    ///   - keys: the keys of the rows, by table.
    ///   - connection: the store; the functions of `ValueRule` are registered.
    /// - Returns: the faults, with all rows that have each.
    /// - Throws: `StoreError` when the rows cannot be read.
    package func faults(
        ofRows keys: [String: Set<Int64>],
        on connection: SQLiteConnection
    ) throws(StoreError) -> [Fault] {
        try connection.execute(
            "CREATE TEMP TABLE IF NOT EXISTS momtool_saved (name TEXT, key INTEGER, "
                + "PRIMARY KEY (name, key)) WITHOUT ROWID"
        )
        try connection.execute("DELETE FROM temp.momtool_saved")
        for (table, keys) in keys {
            for key in keys {
                let values: [SQLiteValue] = [.text(table), .integer(key)]
                try connection.execute("INSERT INTO temp.momtool_saved VALUES (?, ?)", values)
            }
        }
        var faults: [Fault] = []
        for check in checks where keys[check.table] != nil {
            guard let code = check.code else { continue }
            let keys = try connection.rows(
                "SELECT Z_PK FROM \(quotedIdentifier(check.table)) AS t WHERE t.Z_PK IN "
                    + "(SELECT key FROM temp.momtool_saved WHERE name = ?) AND (\(check.condition)) "
                    + "ORDER BY Z_PK",
                [.text(check.table)]
            ).compactMap(\.first?.integer)
            guard !keys.isEmpty else { continue }
            var finding = check.finding
            finding.rows = Diagnostic.AffectedRows(count: keys.count, unit: "row", keys: keys)
            faults.append(Fault(finding: finding, code: code))
        }
        return faults
    }
}
