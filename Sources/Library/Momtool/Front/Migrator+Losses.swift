public import Diagnostics
import StoreMigration

extension Migrator {
    /// Asks the rows of a store what a migration would lose, or what forbids it; the store is not changed.
    ///
    /// Stages and mapping models run on a temporary copy, as each step reads the result of the previous one. Swift code
    /// of stages and policies runs there once; its context's `isRehearsal` is `true` then.
    ///
    /// ```swift
    /// for loss in try migrator.losses(of: Store("Shop.sqlite")) { print(loss.message, loss.advice) }
    /// ```
    ///
    /// Returns what is at stake: errors if Core Data would fail, warnings for losses. `timeout` is the time limit of
    /// each script or handler of a stage, without `.allowTime`. Throws when the store cannot be read, no route leads
    /// on, or it takes a custom stage of Swift sources without handlers.
    public func losses(
        of store: Store,
        following advice: [Advice] = [],
        timeout: Duration? = nil
    ) throws(MomtoolError) -> [Diagnostic] {
        do {
            let file = try store.open()
            let migrator = try following(advice)
            let migration =
                try migrator
                .migration(of: file, mayGoBack: advice.contains(.allowBackward))
            try migrator.requireCode(on: migration.route)
            let options = MigrationOptions(
                timeout: advice.contains(.allowTime) ? nil : timeout,
                cancellation: .current
            )
            return try migration.findings(in: file, options: options)
                .map { $0.diagnostic.at(store.path) }
        } catch {
            throw MomtoolError(error).naming(store.path).following(advice)
        }
    }
}
