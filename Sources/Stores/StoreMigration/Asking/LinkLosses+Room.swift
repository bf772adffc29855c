import MappingInference
import ObjectModel
import SQLiteAccess
import StoreFormat

extension LinkLosses {
    /// The links that have no room in the new version.
    func crowding(of reference: PropertyReference) -> RowQuestion? {
        guard let written = links.written(reference), !written.sides.isEmpty,
            links.mayCrowd(reference)
        else { return nil }
        let isAtSource = written.sides[0] == .source
        let groups =
            "SELECT \(written.sides[0].rawValue) AS id FROM (\(written.sql)) GROUP BY 1 "
            + "HAVING count(DISTINCT \(written.sides[0].other.rawValue)) > 1"
        let new =
            [written.relationship]
            + [links.inverse(of: written.relationship, in: correspondence.destinationGraph)]
            .compactMap(\.self)
        let risk = mapping.risks.first { risk in
            switch risk {
            case .toManyBecomesToOne(_, _, _, let destination),
                .sharedDestination(_, _, _, let destination):
                new.contains(destination.reference)
            default: false
            }
        }
        let origin = links.origins(of: written.relationship).first?.relationship
        let fallback = RowRisk.toManyBecomesToOne(
            sourceEntity: origin?.entity ?? reference.entity,
            source: (origin ?? reference).mapped,
            destinationEntity: new[isAtSource ? 0 : new.count - 1].entity,
            destination: new[isAtSource ? 0 : new.count - 1].mapped
        )
        let old = links.origins(of: written.relationship).flatMap { sides(of: $0.relationship) }
        return question(
            risk ?? fallback,
            old + new,
            "SELECT (SELECT count(*) FROM (SELECT DISTINCT source, destination FROM "
                + "(\(written.sql)))) - (\(written.count))",
            "SELECT id FROM (\(groups)) ORDER BY id LIMIT 5"
        )
    }

    /// The objects that have more links than the new version allows.
    func excesses(_ storing: [PropertyReference]) -> [RowQuestion] {
        var known: Set<MappedProperty> = []
        return mapping.risks.compactMap { risk in
            guard case .tooManyLinks(_, let source, _, let destination, let most) = risk,
                !isMadeByCode(destination.reference), known.insert(destination).inserted
            else { return nil }
            let side = source.reference
            let taken = takings(of: side, storing).map {
                "SELECT source, destination FROM (\($0.sql))"
            }
            guard !taken.isEmpty else { return nil }
            let groups =
                "SELECT source FROM (\(taken.joined(separator: " UNION "))) "
                + "GROUP BY source HAVING count(*) > \(most)"
            return question(
                risk,
                [side],
                "SELECT count(*) FROM (\(groups))",
                "SELECT source FROM (\(groups)) ORDER BY source LIMIT 5"
            )
        }
    }

    /// The objects of a one-to-one relationship that lose their only link to others, although they must have one.
    func emptied(by reference: PropertyReference) -> [RowQuestion] {
        let graph = correspondence.destinationGraph
        guard let written = links.written(reference), written.sides.count == 2,
            links.mayCrowd(reference),
            let inverse = links.inverse(of: written.relationship, in: graph),
            let origin = links.origins(of: written.relationship).first?.relationship
        else { return [] }
        return zip([written.relationship, inverse], ["source", "destination"]).compactMap {
            side,
            end in
            guard graph.relationship(side)?.isOptional == false else { return nil }
            let pair = correspondence.pairs.first { $0.destination.name == side.entity }
            let old = sides(of: origin).first { $0.entity == pair?.source.name } ?? origin
            return question(
                .nullInMandatoryRelationship(
                    sourceEntity: old.entity,
                    source: old.mapped,
                    destinationEntity: side.entity,
                    destination: side.mapped
                ),
                [old, side],
                "SELECT (SELECT count(DISTINCT \(end)) FROM (\(written.sql))) - (\(written.count))",
                "SELECT NULL WHERE 0"
            )
        }
    }
}
