import MigrationPlanning
package import ObjectModel

extension DiffReport {
    /// Compares all of two versions, without asking what rows decide.
    package init(comparing old: ModelVersion, _ new: ModelVersion) {
        let plan = MigrationPlan(from: old, to: new)
        self.init(
            from: old,
            to: new,
            diff: plan.diff,
            mapping: plan.mapping.taken(from: old, to: new, isWhole: old.isWhole && new.isWhole)
        )
    }
}
