package import Diagnostics
package import ObjectModel
package import SQLiteAccess

/// Verifies rows of some tables only, as often as asked.
package struct RowVerification {
    private let checks: RowChecks

    /// Makes the checks of all rows of a store that is laid out as it should be.
    package init(of model: ManagedObjectModel, _ layout: StoreLayout) {
        var checks = RowChecks(model: model, layout: layout)
        checks.addAll()
        self.checks = checks
    }

    /// Finds what is wrong with rows.
    ///
    /// - Parameters:
    ///   - tables: the tables whose rows are looked at, and where their links are counted.
    ///   - emptied: those that lost rows: links into them are checked too.
    ///   - connection: the store.
    /// - Returns: the findings, by table.
    /// - Throws: `StoreError` when the rows cannot be read.
    package func findings(
        in tables: Set<String>,
        emptied: Set<String>,
        on connection: SQLiteConnection
    ) throws(StoreError) -> [Diagnostic] {
        guard !tables.isEmpty else { return [] }
        let written = tables.map(quotedIdentifier)
        let gone = emptied.map(quotedIdentifier)
        return try checks.filtered { check in
            if tables.contains(check.table) { return true }
            // Every check of another table that may turn out otherwise now names the table that was written.
            let others = check.finding.rule == .destinationCount ? written : gone
            return others.contains { check.condition.contains($0) }
        }.run(on: connection)
    }
}
