import Diagnostics
import ObjectModel
import StoreFormat

extension ModelGraph {
    /// Whether a finding is of the number of links of a to-many relationship, which Core Data checks when objects are saved.
    func isOfLinkCount(_ finding: Diagnostic) -> Bool {
        guard [.missingDestination, .destinationCount].contains(finding.rule),
            let entity = finding.entity, let name = finding.property
        else { return false }
        return relationship(name, ofEntity: entity)?.isToMany ?? false
    }
}
