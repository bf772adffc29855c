import Diagnostics
import ObjectModel
import StoreFormat

extension ModelGraph {
    /// Whether a finding is too few links of a to-many relationship, which Core Data checks when objects are saved.
    func isOfTooFewLinks(_ finding: Diagnostic) -> Bool {
        guard finding.rule == .missingDestination, let entity = finding.entity,
            let name = finding.property
        else { return false }
        return relationship(name, ofEntity: entity)?.isToMany ?? false
    }
}
