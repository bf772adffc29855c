import MappingInference
import ModelDiffing
import ModelDrawing
import ModelHashing
package import ObjectModel

extension DiffReport {
    /// Compares two versions by all that they hold, without asking what rows decide.
    package init(comparing old: ModelVersion, _ new: ModelVersion) {
        let matching = ModelMatching(from: old, to: new)
        let diff = ModelDiffing.diff(matching)
        let inferred = inferMapping(matching, diff)
        let isEqual = old.hashes == new.hashes && old.isWhole && new.isWhole
        self.init(
            from: old,
            to: new,
            diff: diff,
            mapping: isEqual ? inferred.neverTaken : inferred,
            diagram: Diagram(from: old.model, to: new.model, diff: diff)
        )
    }
}
