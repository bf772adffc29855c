package import MigrationPlanning
package import ObjectModel
package import StoreMigration

extension LossLedger {
    /// Returns what a migration along a route may lose.
    ///
    /// That is what was allowed, what the route's mapping models drop by description, and what custom stages that do
    /// not run here may keep. A mapping model counts for the steps that it performs, and not for another route of the
    /// same versions. `inferred` is what a route without mapping models may lose, if known.
    package func agreement(
        from source: ModelVersion,
        to target: ModelVersion,
        along route: MigrationRoute,
        by migrator: Migrator,
        inferred: LossAgreement? = nil
    ) -> LossAgreement {
        let steps = route.steps.filter(\.kind.changesVersion)
        let mapped = steps.filter { migrator.isAnswered($0, on: route) }
        if mapped.isEmpty, let inferred { return inferred }
        guard mapped.isEmpty || mapped.count < steps.count else { return .all }
        var ledger = migrator.leavingToStages(self)
        for step in mapped {
            let ends = [step.source, step.destination].map { end in
                versions.lastIndex { $0.hashes == end.hashes }
            }
            guard let start = ends[0], let end = ends[1], start < end else { continue }
            for version in versions[(start + 1)...end] { ledger.named[version.name] = .all }
        }
        return ledger.agreement(from: source, to: target)
    }
}
