import MigrationPlanning
import SQLiteAccess
package import StoreFormat

extension Migration {
    /// Finds the rows of the store that prevent the migration, or would lose something.
    ///
    /// A single inferred step queries the store itself. Other steps run on a throwaway copy, as each reads the result
    /// of the previous one; `options` limits and reports these. `progress` gets the numbers of answered questions and
    /// of all, for a single step. The findings may be fatal or not.
    package func findings(
        in store: StoreFile,
        options: MigrationOptions = MigrationOptions(),
        progress: ((_ done: Int, _ total: Int) -> Void)? = nil
    ) throws(StoreMigrationError) -> [RowFinding] {
        if let step = directStep {
            try storeErrors { () throws(StoreError) in
                let folder = externalDataFolder(of: store.path)
                try ExternalForm.register(on: store.connection, folder: folder)
            }
            let deadline = ScriptDeadline(options.cancellation)
            let title = "the checks of the rows"
            try deadline.check(title)
            return try deadline.during(title) { () throws(StoreMigrationError) in
                try abandonedFindings
                    + rowFindings(
                        of: step.questions,
                        on: store.connection,
                        stoppingWhen: { deadline.hasPassed },
                        progress
                    )
            }
        }
        guard !parts.isEmpty else { return [] }
        var options = options
        options.acceptsLosses = .all
        do throws(StoreMigrationError) {
            return try rehearse(store.path, options, nil)
        } catch .rows(let findings) { return findings }
    }
}
