import ModelDiffing
import ObjectModel

/// The objects to which links may still lead when the destination entity of a relationship changes.
///
/// evidence: it is on record that the change is legal ([TEST] artsy, [APP] Nova, MigrationBehaviour, "Changes"); which
/// links are kept is inferred.
enum DestinationReach {
    /// All former destinations.
    case all
    /// Those of some entities of the old version.
    case some([String])
    /// None: the relationship is new.
    case none

    init(from: Relationship, to: Relationship, _ matching: ModelMatching) {
        let isSame = matching.isSameEntity(from.destinationEntity, to.destinationEntity)
        // Nothing below the entity can be out of reach.
        if isSame, let name = from.destinationEntity, matching.from.subentityNames(of: name).isEmpty
        {
            self = .all
            return
        }
        guard let old = matching.from.destination(of: from),
            let new = matching.to.destination(of: to)
        else {
            self = isSame ? .all : .none
            return
        }
        let remaining = matching.from.hierarchy(of: old).filter { entity in
            matching.destinationName(ofSource: entity.name) != nil
        }
        let reachable = remaining.filter { entity in
            matching.destinationName(ofSource: entity.name).flatMap(matching.to.entity)
                .map { matching.to.isEntity($0, kindOf: new) } == true
        }
        let holdsObjects = reachable.contains { !$0.isAbstract }
        // Even for the same entity some may be out of reach: sub-entities that got a hierarchy of their own.
        if holdsObjects || isSame, reachable.count == remaining.count {
            self = .all
        } else {
            self = holdsObjects || isSame ? .some(reachable.map(\.name).sorted()) : .none
        }
    }
}
