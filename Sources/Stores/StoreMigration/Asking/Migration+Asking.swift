import Essentials
import MigrationPlanning
import SQLiteAccess
package import StoreFormat

extension Migration {
    /// Asks the rows of the store what stands against the migration, or would be lost.
    ///
    /// A single step that is inferred asks its questions of the store itself. Other steps are taken on a copy that is
    /// thrown away, as each of them looks at what the one before it leaves.
    ///
    /// - Parameters:
    ///   - store: the store, open for reading.
    ///   - options: the time limit, the cancellation and the progress of steps that are taken on a copy.
    ///   - progress: is called now and then, for a single step, with the number of questions that are answered, and of
    ///     all.
    /// - Returns: what was found, fatal or not; empty when all is well.
    /// - Throws: `StoreMigrationError` when the store cannot be read.
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
            return try ask(
                step.questions,
                of: store,
                ScriptDeadline(options.cancellation),
                progress
            )
        }
        guard !parts.isEmpty else { return [] }
        var options = options
        options.acceptsLosses = .all
        do throws(StoreMigrationError) {
            return try rehearse(store.path, options, nil)
        } catch .rows(let findings) {
            return findings
        }
    }

    /// Asks the rows of a store some questions, until somebody says to stop.
    private func ask(
        _ questions: [RowQuestion],
        of store: StoreFile,
        _ deadline: ScriptDeadline,
        _ progress: ((_ done: Int, _ total: Int) -> Void)?
    ) throws(StoreMigrationError) -> [RowFinding] {
        let title = "the questions to the rows"
        try deadline.check(title)
        do throws(StoreMigrationError) {
            let findings = try rowFindings(
                of: questions,
                on: store.connection,
                stoppingWhen: { deadline.hasPassed },
                progress
            )
            // A short statement ends before SQLite asks.
            try deadline.check(title)
            return findings
        } catch {
            try deadline.check(title)
            throw error
        }
    }
}
