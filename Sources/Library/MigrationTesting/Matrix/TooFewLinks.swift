import Diagnostics
import ObjectModel
import StoreFormat

extension ModelGraph {
    /// Whether a fault is that objects lack links of a to-many relationship, which Core Data checks when they are saved.
    func isOfTooFewLinks(_ finding: Diagnostic) -> Bool {
        guard finding.rule == .missingDestination, let entity = finding.entity,
            let name = finding.property
        else { return false }
        return relationship(name, ofEntity: entity)?.isToMany ?? false
    }
}
