import MappingInference
import ObjectModel
import SQLiteAccess
import StoreFormat

/// Links that a map intends the new version to have, kept in a temporary table with their former ends: `formerSource`
/// and `formerDestination`.
///
/// Losses among them are counted on the written rows, for any reason.
struct MeantLinks {
    var target: MappingTarget
    var reference: PropertyReference
    /// The old relationships that they follow; none for links to objects that are found.
    var along: [PropertyReference]
    var table = ""
}

/// The questions to the rows that a step has written: which intended links are missing or out of order.
struct MeantLinkQuestions {
    let links: LinkPlan
    let meant: [MeantLinks]

    private var graphs: (old: ModelGraph, new: ModelGraph) {
        (links.correspondence.sourceGraph, links.correspondence.destinationGraph)
    }

    func all() -> [RowQuestion] {
        var groups: [(key: [PropertyReference], links: [MeantLinks])] = []
        for part in meant {
            let key = key(of: part)
            if let index = groups.firstIndex(where: { $0.key == key }) {
                groups[index].links.append(part)
            } else {
                groups.append((key, [part]))
            }
        }
        return groups.map { lost($0.links) } + orderLosses()
    }

    /// The links of a relationship and of its inverse are one set, which several mappings may carry on; each new
    /// relationship that should have them is checked separately.
    private func key(of part: MeantLinks) -> [PropertyReference] {
        func side(_ reference: PropertyReference, _ graph: ModelGraph) -> PropertyReference {
            graph.inverse(of: reference).map { min($0, reference) } ?? reference
        }
        let new = side(part.reference, graphs.new)
        guard let first = part.along.first else {
            return [new, PropertyReference(entity: part.target.mapping.name, name: "")]
        }
        return [new] + (part.along.count == 1 ? [side(first, graphs.old)] : part.along)
    }

    /// The links without a destination in the new version.
    private func lost(_ parts: [MeantLinks]) -> RowQuestion {
        let first = parts[0]
        func ends(_ part: MeantLinks) -> String {
            let isAlong = part.along.count != 1 || part.along == first.along
            return "SELECT formerSource AS \(isAlong ? "a" : "b"), "
                + "formerDestination AS \(isAlong ? "b" : "a") FROM temp.\(part.table)"
        }
        let all = parts.map { "SELECT a, b FROM (\(ends($0)))" }.joined(separator: " UNION ")
        let arrived = parts.map {
            " EXCEPT SELECT a, b FROM (\(ends($0)) WHERE (source, destination) IN "
                + "(SELECT source, destination FROM (\(written($0.reference)))))"
        }
        let lost = all + arrived.joined()
        let names = parts.flatMap { part in
            sides(part.along.first, graphs.old) + sides(part.reference, graphs.new)
        }
        let rows = "(\(lost))"
        return RowQuestion(risk(of: first), from: rows, key: "a", isRepeated: true, names: names)
    }

    private func risk(of part: MeantLinks) -> RowRisk {
        guard let along = part.along.first else {
            return part.target.risk(.expressionLoss(.noRoom), to: part.reference)
        }
        return part.target.risk(.sharedDestination, along, to: part.reference)
    }

    private func sides(_ reference: PropertyReference?, _ graph: ModelGraph) -> [String] {
        [reference, reference.flatMap(graph.inverse)].compactMap { $0?.description }
    }

    /// The links in the tables of the new version, on both sides where both store them.
    private func written(_ reference: PropertyReference) -> String {
        guard let own = links.columns(of: reference, isSource: false) else {
            return "SELECT NULL AS source, NULL AS destination WHERE 0"
        }
        let all = LinkQuery.stored(own, []).sql([:])
        guard links.shape(of: reference, isSource: false) == .oneToOne,
            let inverse = graphs.new.inverse(of: reference),
            let other = links.columns(of: inverse, isSource: false)
        else { return all }
        return "SELECT * FROM (\(all)) WHERE (source, destination) IN "
            + "(SELECT destination, source FROM (\(LinkQuery.stored(other, []).sql([:]))))"
    }

    /// The links of objects that lost their order: none is kept, lists became one, or links moved.
    private func orderLosses() -> [RowQuestion] {
        var lists: [(old: PropertyReference, new: PropertyReference, rows: [String])] = []
        for part in meant where part.along.count == 1 {
            for isAtSource in [true, false] {
                guard let old = side(part.along[0], isAtSource, graphs.old),
                    let new = side(part.reference, isAtSource, graphs.new),
                    isOrdered(old, graphs.old)
                else { continue }
                let rows = rows(of: part, isAtSource)
                if let index = lists.firstIndex(where: { $0.old == old && $0.new == new }) {
                    lists[index].rows.append(rows)
                } else {
                    lists.append((old, new, [rows]))
                }
            }
        }
        return lists.map { orderLoss(from: $0.old, to: $0.new, $0.rows) }
    }

    /// The links that are written, with the former and present owners and positions.
    private func rows(of part: MeantLinks, _ isAtSource: Bool) -> String {
        let (own, other) = isAtSource ? ("source", "destination") : ("destination", "source")
        return "SELECT m.\(own) AS owner, m.\(other) AS member, "
            + "m.\(isAtSource ? "formerSource" : "formerDestination") AS former, "
            + "m.\(own)Order AS old, w.\(own)Order AS place FROM temp.\(part.table) AS m "
            + "JOIN (\(written(part.reference))) AS w "
            + "ON w.source = m.source AND w.destination = m.destination"
    }

    private func orderLoss(
        from old: PropertyReference,
        to new: PropertyReference,
        _ rows: [String]
    ) -> RowQuestion {
        let places =
            "SELECT *, lag(place) OVER (PARTITION BY owner, former ORDER BY old) AS previous "
            + "FROM (\(rows.joined(separator: " UNION ")))"
        let broken =
            isOrdered(new, graphs.new)
            ? " AND (count(DISTINCT former) > 1 OR max(previous > place) = 1)" : ""
        let groups =
            "SELECT min(former) AS id, count(DISTINCT member) AS n FROM (\(places)) "
            + "GROUP BY owner HAVING n > 1\(broken)"
        let risk = RowRisk(.orderLost, ofLinks: old, to: new)
        let count = "COALESCE(sum(n), 0)"
        return RowQuestion(risk, counting: count, from: "(\(groups))", key: "id")
    }

    private func isOrdered(_ reference: PropertyReference, _ graph: ModelGraph) -> Bool {
        graph.relationship(reference)?.isOrdered == true
    }

    private func side(
        _ reference: PropertyReference,
        _ isAtSource: Bool,
        _ graph: ModelGraph
    ) -> PropertyReference? {
        isAtSource ? reference : graph.inverse(of: reference)
    }
}

extension ProgramBuilder {
    mutating func planMeantLinks() {
        guard isMapped else { return }
        for (part, query) in links.meantLinks {
            if let step = keepMeant(part, query) { steps.captures.append(step) }
        }
    }

    /// The step that keeps the links that a query intends, until they are counted.
    mutating func keepMeant(_ part: MeantLinks, _ query: LinkQuery) -> ProgramStep? {
        guard isMapped, let sql = query.meantSQL(names) else { return nil }
        return keepMeant(part, sql)
    }

    private mutating func keepMeant(_ part: MeantLinks, _ sql: String) -> ProgramStep {
        var part = part
        part.table = "momtool_meant_\(meant.count)"
        meant.append(part)
        return .rows(.capture(part.table, query: sql, what: "links"))
    }

    /// The steps that find objects by their keys; the keys are kept before anything changes.
    mutating func searchSteps(
        of found: LinkPlan.Found,
        for links: String
    ) -> (capture: ProgramStep, find: [ProgramStep]) {
        let layout = correspondence.destination
        let sought = links.replacing("links", with: "sought") + "_\(found.owner.place)"
        let owners = found.owner.objects(in: correspondence.source).sql(names)
        let query =
            "SELECT s.Z_PK AS former, o.destination AS owner, \(sql(found.equals).sql) AS value "
            + "FROM \(oldTable(of: found.owner)) AS s JOIN (\(owners)) AS o ON o.source = s.Z_PK"
        let table = layout.table(of: found.entity)?.name ?? ""
        let column = layout.column(of: found.key, declaredBy: found.entity)?.name ?? ""
        let numbers = numberList(layout.numbers(ofHierarchy: found.entity))
        let keep = keepMeant(
            MeantLinks(target: found.owner, reference: found.reference, along: []),
            "SELECT v.former AS formerSource, NULL AS formerDestination, v.owner AS source, "
                + "min(d.Z_PK) AS destination FROM temp.\(sought) AS v "
                + "JOIN \(quotedIdentifier(table)) AS d ON d.Z_ENT IN (\(numbers)) "
                + "AND d.\(quotedIdentifier(column)) = v.value GROUP BY v.former, v.owner"
        )
        let ends = found.isReversed ? "destination, source" : "source, destination"
        return (
            .rows(.capture(sought, query: query, what: "the values to find objects by")),
            [
                keep,
                .add(
                    to: links,
                    ["source", "destination"],
                    "SELECT \(ends) FROM temp.\(meant[meant.count - 1].table)",
                    what: "find the objects of \(found.entity)"
                ),
            ]
        )
    }
}
