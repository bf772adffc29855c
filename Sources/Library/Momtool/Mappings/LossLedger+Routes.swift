package import MigrationPlanning
package import ObjectModel
package import StoreMigration

extension LossLedger {
    /// Returns what a migration along a route may lose: what was named, what the mapping models on the route answer
    /// for, as a person wrote down what becomes of the rows, and what custom stages that are not run may carry over.
    ///
    /// A mapping model answers for the steps that it carries out, and for no other route of the same versions.
    ///
    /// - Parameters:
    ///   - source: the version of the store.
    ///   - target: the version that the store gets.
    ///   - route: the route that the store takes.
    ///   - migrator: what found the route.
    ///   - inferred: what a route without mapping models may lose, where that was worked out already.
    /// - Returns: the agreement.
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
