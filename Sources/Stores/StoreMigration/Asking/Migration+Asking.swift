import Essentials
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
            return try abandonedFindings
                + ask(step.questions, of: store, ScriptDeadline(options.cancellation), progress)
        }
        guard !parts.isEmpty else { return [] }
        var options = options
        options.acceptsLosses = .all
        do throws(StoreMigrationError) {
            return try rehearse(store.path, options, nil)
        } catch .rows(let findings) { return findings }
    }

    /// Runs some questions on the rows of a store, until stopped.
    private func ask(
        _ questions: [RowQuestion],
        of store: StoreFile,
        _ deadline: ScriptDeadline,
        _ progress: ((_ done: Int, _ total: Int) -> Void)?
    ) throws(StoreMigrationError) -> [RowFinding] {
        let title = "the checks of the rows"
        try deadline.check(title)
        do throws(StoreMigrationError) {
            let findings = try rowFindings(
                of: questions,
                on: store.connection,
                stoppingWhen: { deadline.hasPassed },
                progress
            )
            // A short statement may end before SQLite's progress handler runs.
            try deadline.check(title)
            return findings
        } catch {
            try deadline.check(title)
            throw error
        }
    }
}
