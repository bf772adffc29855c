import MappingInference
import ObjectModel
import StoreFormat

extension LinkLosses {
    /// The links that have no room in the new version.
    func crowding(of reference: PropertyReference) -> RowQuestion? {
        guard let written = links.written(reference), !written.sides.isEmpty,
            links.mayCrowd(reference)
        else { return nil }
        let isAtSource = written.sides[0] == .source
        let groups = crowded(written.sides[0], in: written.sql)
        let new =
            [written.relationship]
            + [correspondence.destinationGraph.inverse(of: written.relationship)].compactMap(\.self)
        let risk = mapping.risks.first { risk in
            switch risk.kind {
            case .toManyBecomesToOne, .sharedDestination:
                risk.destination.map(new.contains) ?? false
            default: false
            }
        }
        let origin = links.origins(of: written.relationship).first?.relationship
        let end = new[isAtSource ? 0 : new.count - 1]
        let fallback = RowRisk(.toManyBecomesToOne, ofLinks: origin ?? reference, to: end)
        let old = links.origins(of: written.relationship).flatMap { sides(of: $0.relationship) }
        return RowQuestion(
            risk: risk ?? fallback,
            sql: "SELECT (SELECT count(*) FROM (SELECT DISTINCT source, destination FROM "
                + "(\(written.sql)))) - (\(written.count))",
            examplesSQL: "SELECT id FROM (\(groups)) ORDER BY id LIMIT 5",
            otherNames: (old + new).map(\.description)
        )
    }

    /// The objects that have more links than the new version allows.
    func excesses(_ storing: [PropertyReference]) -> [RowQuestion] {
        var known: Set<PropertyReference> = []
        return mapping.risks.compactMap { risk in
            guard case .tooManyLinks(let most) = risk.kind, let source = risk.source,
                let destination = risk.destination,
                !isMadeByCode(destination), known.insert(destination).inserted
            else { return nil }
            let taken = takings(of: source, storing).map {
                "SELECT source, destination FROM (\($0.sql))"
            }
            guard !taken.isEmpty else { return nil }
            let groups =
                "SELECT source FROM (\(taken.joined(separator: " UNION "))) "
                + "GROUP BY source HAVING count(*) > \(most)"
            let names = [source.description]
            return RowQuestion(risk, from: "(\(groups))", key: "source", names: names)
        }
    }

    /// The objects of a one-to-one relationship that lose their only link to others, although they must have one.
    func emptied(by reference: PropertyReference) -> [RowQuestion] {
        let graph = correspondence.destinationGraph
        guard let written = links.written(reference), written.sides.count == 2,
            links.mayCrowd(reference),
            let inverse = graph.inverse(of: written.relationship),
            let origin = links.origins(of: written.relationship).first?.relationship
        else { return [] }
        return zip([written.relationship, inverse], [LinkSide.source, .destination]).compactMap {
            side,
            end in
            guard graph.relationship(side)?.isOptional == false else { return nil }
            let pair = correspondence.pairs.first { $0.destination.name == side.entity }
            let old = sides(of: origin).first { $0.entity == pair?.source.name } ?? origin
            return RowQuestion(
                risk: RowRisk(.nullInMandatoryRelationship, ofLinks: old, to: side),
                sql: "SELECT (SELECT count(DISTINCT \(end.rawValue)) FROM (\(written.sql))) "
                    + "- (\(written.count))",
                examplesSQL: "SELECT DISTINCT \(end.rawValue) FROM (\(written.sql)) WHERE "
                    + "\(end.other.rawValue) IN (\(crowded(end.other, in: written.sql))) "
                    + "ORDER BY 1 LIMIT 5",
                otherNames: [old, side].map(\.description)
            )
        }
    }

    private typealias LinkSide = RowChange.LinkSide

    /// The objects on a side of some links that have more than one.
    private func crowded(_ side: LinkSide, in links: String) -> String {
        "SELECT \(side.rawValue) AS id FROM (\(links)) GROUP BY 1 "
            + "HAVING count(DISTINCT \(side.other.rawValue)) > 1"
    }
}
