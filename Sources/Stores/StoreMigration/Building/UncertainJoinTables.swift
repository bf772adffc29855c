package import Diagnostics
import MappingInference
package import ObjectModel
import StoreFormat

/// The join table of a self-referential relationship, which Core Data may look for under another name.
///
/// Which of the two sides names the table is not known; it has changed where only other properties of the entity did
/// (SQLiteStores, "Self-referential many-to-many relationships").
package struct UncertainJoinTable: Sendable, Hashable {
    package var table: String
    /// The relationship that names it.
    package var relationship: PropertyReference
    /// Its inverse, which may name it instead.
    package var inverse: PropertyReference
    /// Whether the store already had the table under the name of the same side.
    package var isKept: Bool
}

extension UncertainJoinTable: CustomStringConvertible {
    package var description: String { wording.text(in: .code) }

    package var wording: Wording {
        "\(reason), then choose it with \(.joinTable(inverse.description)) or \(.joinTable(relationship.description))"
    }

    /// What is not known, as a warning with the advice for either case.
    package var diagnostic: Diagnostic {
        Diagnostic(
            .guessedJoinTable,
            reason,
            severity: .warning,
            element: relationship.description,
            advice: [inverse, relationship].map { .nameJoinTable($0.description) }
        )
    }

    private var reason: String {
        let what =
            isKept
            ? "the properties of \(relationship.entity) change, so Core Data may name it after"
            : "Core Data may name it after"
        return
            "the join table \(table) is named after \(relationship); \(what) \(inverse) and then find no links;"
            + " look at the tables of a store that it wrote"
    }
}

extension EntityCorrespondence {
    var uncertainJoinTables: [UncertainJoinTable] {
        let old = Dictionary(firstOf: source.joinTables.map { ($0.namingRelationship, $0) })
        return destination.joinTables.compactMap { join in
            let relationship = join.namingRelationship
            guard let inverse = join.otherNamingRelationship,
                naming.isDisjoint(with: [relationship.description, inverse.description])
            else { return nil }
            let pair = pairs.first { $0.destination.name == relationship.entity }
            let origin = pair?.relationships[relationship]?.source
            let isKept = origin.map { old[$0] != nil } ?? false
            if isKept, let pair,
                propertyNames(pair.source.name, sourceGraph)
                    == propertyNames(pair.destination.name, destinationGraph)
            {
                return nil
            }
            return UncertainJoinTable(
                table: join.name,
                relationship: relationship,
                inverse: inverse,
                isKept: isKept
            )
        }
    }

    private func propertyNames(_ entity: String, _ graph: ModelGraph) -> Set<String> {
        guard let entity = graph.entity(entity) else { return [] }
        return Set(graph.lineage(of: entity).flatMap(\.propertyNames))
    }
}
