import FileSystem
package import StoreFormat
package import StoreMigration

extension Migrator {
    /// Larger stores are not migrated through every version only to see whether that helps.
    private static let greatestTrial: Int64 = 256 << 20

    /// A note that a store can migrate version by version, if its rows refuse the direct step; otherwise `nil`.
    ///
    /// Core Data takes one step, past what the versions between make of the rows. An app whose own code takes every
    /// step declares it in its configuration, and is advised to only where the steps succeed on a copy.
    package func stepwiseAdvice(
        for store: StoreFile,
        _ migration: Migration,
        against findings: [RowFinding]
    ) -> String? {
        guard !isStepwise, migration.route.isDirect, !findings.isEmpty,
            fileSize(store.path) <= Self.greatestTrial
        else { return nil }
        guard let steps = try? takingEveryStep.migration(of: store), steps.route.steps.count > 1,
            let rest = try? steps.findings(in: store), rest.allSatisfy(\.isLoss),
            rest.count < findings.count
        else { return nil }
        let names = rest.isEmpty ? "" : ", except \(rest.map(\.name).joined(separator: ", "))"
        return
            "version by version, \(steps.route.versionNames), nothing is refused\(names): if the app's "
            + "code migrates this way, set migration: stepwise in .momtool.yml"
    }

    /// Runs a migration into a new file; where its rows are refused, notes first whether taking every step succeeds.
    @discardableResult
    package func run(
        _ migration: Migration,
        from store: StoreFile,
        toNewFile path: String,
        options: MigrationOptions,
        advising report: (String) -> Void
    ) throws(StoreMigrationError) -> [RowFinding] {
        do throws(StoreMigrationError) {
            return try migration.run(from: store, toNewFile: path, options: options)
        } catch {
            if case .rows(let refused) = error {
                stepwiseAdvice(for: store, migration, against: refused).map(report)
            }
            throw error
        }
    }
}
