import MappingInference
import ObjectModel
import ModelLanguage
import RowExchange
import StoreFormat

/// The steps that compute derived attributes which are new, or derived in another way than before, and the
/// attributes whose values cannot be computed here.
///
/// Core Data computes them when an object is saved; rows that are there already must be computed once.
func derivedValues(
    _ correspondence: EntityCorrespondence
) -> (steps: [MigrationStep], uncomputed: [UncomputedValue]) {
    var steps: [MigrationStep] = []
    var uncomputed: [UncomputedValue] = []
    for entity in correspondence.destination.entities {
        guard let definition = correspondence.destinationGraph.entity(entity.name) else { continue }
        for attribute in definition.attributes where !attribute.isTransient {
            guard let derivation = attribute.derivation else { continue }
            let reference = PropertyReference(entity: entity.name, name: attribute.name)
            guard correspondence.mustCompute(reference, derivation) else { continue }
            do throws(UntranslatablePredicate) {
                if let step = try correspondence.computation(of: reference, derivation) {
                    steps.append(step)
                }
            } catch {
                uncomputed.append(
                    UncomputedValue(
                        entity: entity.name,
                        attribute: attribute.name,
                        reason: error.reason
                    )
                )
            }
        }
    }
    return (steps, uncomputed)
}

extension EntityCorrespondence {
    /// Whether some rows have no value yet, or one that was derived in another way.
    fileprivate func mustCompute(
        _ reference: PropertyReference,
        _ derivation: Attribute.Derivation
    ) -> Bool {
        let key = AttributeKey(property: reference.mapped, path: [])
        let isMade = (insertions + policies).contains {
            isDestination($0.destination.name, kindOf: reference.entity)
        }
        return isMade
            || pairs(ofKind: reference.entity).contains { pair in
                guard let mapping = pair.attributes[key] else { return false }
                guard let origin = mapping.source else { return true }
                let old = sourceGraph.entity(origin.declaredBy)?.attributes
                    .first { $0.name == origin.name }
                return old?.derivation != derivation
            }
    }

    fileprivate func computation(
        of reference: PropertyReference,
        _ derivation: Attribute.Derivation
    ) throws(UntranslatablePredicate) -> MigrationStep? {
        guard let table = destination.table(of: reference.entity),
            let column = destination.column(of: reference.name, declaredBy: reference.entity)
        else { return nil }
        let value = try derivedValue(
            derivation,
            of: RowScope(row: "s", entity: reference.entity),
            destination,
            destinationGraph
        )
        return .rows(
            .derive(
                reference,
                table: table.name,
                column: column.name,
                value: value,
                numbers: destination.numbers(ofHierarchy: reference.entity)
            )
        )
    }
}
