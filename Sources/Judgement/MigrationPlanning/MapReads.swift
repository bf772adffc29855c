package import MappingInference
import ModelLanguage
package import ObjectModel

extension StageMap {
    /// Returns what the map reads of the old version that the inferred step drops, such as `Person.name`.
    ///
    /// Core Data has dropped it when an app's `didMigrate` runs, so that no stage of an app can do what the map does.
    package func dropped(from source: ModelVersion, to target: ModelVersion) -> [String] {
        let read = Set(entities.filter { $0.destination != nil }.flatMap { reads(of: $0, source) })
        return stepLosses(from: source, to: target).filter { loss in
            switch loss.risk.kind {
            case .removedEntity, .removedAttribute, .removedRelationship:
                loss.names.contains(where: read.contains)
            default: false
            }
        }.map(\.name)
    }

    /// Returns the losses of entities whose objects no mapping of the mapping model at a path takes.
    package func lossesLeft(
        from source: ModelVersion,
        to target: ModelVersion,
        at path: String
    ) -> [StepLoss] {
        source.model.entities.filter { !copiesRest && !$0.isAbstract && !takes($0.name) }.map {
            old in
            let stays = target.model.entities.contains { $0.name == old.name }
            return StepLoss(leftOut: old, stays: stays, byMappingModelAt: path)
        }
    }

    /// Whether the map leaves a loss of the inferred step as it is, or what that requires of rows.
    package func leavesOpen(_ loss: StepLoss, from source: ModelVersion) -> Bool {
        let risk = loss.risk
        let own = entities.filter { $0.destination == risk.destinationEntity }
        func name(_ entity: String?, _ key: String) -> String { "\(entity ?? "").\(key)" }
        let set = entities.flatMap { map in
            map.values.filter { $1.sourcePath != [$0] }.map { name(map.destination, $0.key) }
        }
        let isSet = !Set(set).isDisjoint(with: loss.names)
        return switch risk.kind {
        case .removedEntity, .becomesAbstract: copiesRest && !takes(risk.sourceEntity)
        case .removedAttribute, .removedRelationship:
            copiesRest
                && Set(entities.flatMap { reads(of: $0, source) }).isDisjoint(with: loss.names)
        case .newUniquenessConstraint(let properties):
            own.allSatisfy(\.findOrCreateKeys.isEmpty)
                && (!copiesRest
                    || Set(set).isDisjoint(
                        with: properties.map { name(risk.destinationEntity, $0.destination.name) }
                    ))
        case .mandatoryWithoutDefault, .nullInMandatoryAttribute, .nullInMandatoryRelationship:
            (copiesRest || !own.isEmpty) && !isSet
        default: copiesRest && !isSet
        }
    }

    private func takes(_ entity: String) -> Bool {
        entities.contains { $0.source == entity && $0.destination != nil }
    }

    private func reads(of map: EntityMap, _ version: ModelVersion) -> [String] {
        guard let name = map.source else { return [] }
        let graph = ModelGraph(version.model)
        let paths =
            map.values.values.flatMap(\.sourcePaths) + (map.condition?.sourcePaths ?? [])
        return [name]
            + paths.flatMap { path in
                var owner = graph.entity(name)
                var names: [String] = []
                for (index, key) in path.enumerated() {
                    guard let entity = owner else { break }
                    let lineage = graph.lineage(of: entity)
                    // The elements of a composite attribute are lost one by one.
                    names += lineage.map { ([$0.name] + path[index...]).joined(separator: ".") }
                    names += lineage.map { "\($0.name).\(key)" }
                    owner = lineage.lazy.flatMap(\.relationships).first { $0.name == key }?
                        .destinationEntity.flatMap(graph.entity)
                    if let owner { names.append(owner.name) }
                }
                return names
            }
    }
}

extension PredicateExpression {
    /// The paths from the source object that the expression reads.
    fileprivate var sourcePaths: [[String]] {
        if let path = sourcePath { return [path] }
        return switch self {
        case .keyPath(let operand, _), .subquery(let operand, _, _): operand.sourcePaths
        case .function(let operand, _, let arguments):
            ([operand].compactMap(\.self) + arguments).flatMap(\.sourcePaths)
        case .aggregate(let elements): elements.flatMap(\.sourcePaths)
        case .ternary(let condition, let left, let right):
            condition.sourcePaths + [left, right].flatMap(\.sourcePaths)
        case .constant, .evaluatedObject, .variable, .symbol: []
        }
    }
}

extension Predicate {
    fileprivate var sourcePaths: [[String]] {
        switch self {
        case .constant: []
        case .comparison(let parts): [parts.left, parts.right].flatMap(\.sourcePaths)
        case .and(let parts), .or(let parts): parts.flatMap(\.sourcePaths)
        case .not(let part): part.sourcePaths
        }
    }
}
