package import Diagnostics
package import ObjectModel
package import SQLiteAccess

/// Verifies rows of selected tables, as often as asked.
package struct RowVerification {
    private let checks: RowChecks

    package init(of model: ManagedObjectModel, _ layout: StoreLayout) {
        var checks = RowChecks(model: model, layout: layout)
        checks.addAll()
        self.checks = checks
    }

    /// Finds what is wrong with the rows of some tables, by table.
    ///
    /// Links are counted there; links into `emptied` tables, which lost rows, are checked too.
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
            // Each check of another table whose result may have changed names a written table.
            let counts = [.destinationCount, .missingDestination].contains(check.finding.rule)
            let others = counts ? written : gone
            return others.contains { check.condition.contains($0) }
        }.run(on: connection)
    }
}
