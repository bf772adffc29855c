import MappingInference
import MigrationPlanning
package import ObjectModel

extension DiffReport {
    /// Compares all of two versions, without asking what rows decide.
    package init(comparing old: ModelVersion, _ new: ModelVersion) {
        let step = InferredStep.between(old, new)
        self.init(
            from: old,
            to: new,
            diff: step.diff,
            mapping: step.mapping.taken(from: old, to: new, isWhole: old.isWhole && new.isWhole)
        )
    }
}
