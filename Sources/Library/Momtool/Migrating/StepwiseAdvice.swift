import FileSystem
import MappingInference
package import StoreFormat
package import StoreMigration

extension Migrator {
    /// Stores above this size are not taken through every version only to see whether that helps.
    private static let greatestTrial: Int64 = 256 << 20

    /// Says that a store comes through every version, one after the other, where the one step is refused for its rows.
    ///
    /// Core Data takes one step, past what the versions between make of the rows. An app whose own code takes every step
    /// says so in its configuration, and is told so only where the steps really lead on: they are tried on a copy.
    ///
    /// - Parameters:
    ///   - store: the store, open for reading.
    ///   - migration: its migration in one step.
    ///   - findings: what is refused of it.
    /// - Returns: what a note says; `nil` where the steps would be refused too, or are taken already.
    package func stepwiseAdvice(
        for store: StoreFile,
        _ migration: Migration,
        against findings: [RowFinding]
    ) -> String? {
        guard case .versions(let versions, var mappingModels, _) = road,
            !mappingModels.isStepwise, migration.route.isDirect, !findings.isEmpty,
            fileSize(store.path) <= Self.greatestTrial
        else { return nil }
        mappingModels.isStepwise = true
        var stepwise = self
        stepwise.road = .versions(
            versions,
            mappingModels,
            MigrationMemo(to: versions.destination)
        )
        guard let steps = try? stepwise.migration(of: store), steps.route.steps.count > 1,
            let rest = try? steps.findings(in: store), rest.allSatisfy(\.isLoss),
            rest.count < findings.count
        else { return nil }
        let names = rest.isEmpty ? "" : ", but for \(rest.map(\.name).joined(separator: ", "))"
        return
            "through every version, \(steps.route.versionNames), nothing of this is refused\(names): if the app's "
            + "code takes every step, say migration: stepwise in .momtool.yml"
    }

    /// Runs a migration of a store into a new file; where its rows are refused, says first whether every step by itself
    /// leads on.
    ///
    /// - Parameters:
    ///   - migration: the migration.
    ///   - store: the store, open for reading.
    ///   - path: the path of the new file.
    ///   - options: what the run is told.
    ///   - tell: is called with what a note says.
    /// - Returns: what was lost, as agreed.
    /// - Throws: ``StoreMigrationError`` as the migration does.
    @discardableResult
    package func run(
        _ migration: Migration,
        from store: StoreFile,
        toNewFile path: String,
        options: MigrationOptions,
        advising tell: (String) -> Void
    ) throws(StoreMigrationError) -> [RowFinding] {
        do throws(StoreMigrationError) {
            return try migration.run(from: store, toNewFile: path, options: options)
        } catch {
            if case .rows(let refused) = error {
                stepwiseAdvice(for: store, migration, against: refused).map(tell)
            }
            throw error
        }
    }
}
