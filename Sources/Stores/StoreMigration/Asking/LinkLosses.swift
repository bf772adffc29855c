import MappingInference
import ObjectModel
import SQLiteAccess
import StoreFormat

/// Finds the links of the old version that do not arrive, by queries over the old tables.
///
/// A relationship and its inverse are one set of links, counted once. Links that no new relationship takes over are one
/// loss, links without room are another.
struct LinkLosses {
    let links: LinkPlan
    let mapping: InferredMapping
    /// The condition under which a mapping takes a row `s` of the old version.
    let taking: (MappingTarget) -> String

    var correspondence: EntityCorrespondence { links.correspondence }
    var source: StoreLayout { correspondence.source }

    /// The questions, in the order of the old entities, then of the new ones.
    func questions() -> [RowQuestion] {
        // Code may make any links.
        guard let coded = correspondence.codedEntities else { return [] }
        var questions: [RowQuestion] = []
        let storing = links.storingRelationships
        for reference in oldRelationships where !isOf(coded, reference) {
            questions += untaken(reference, storing) + divided(reference, storing)
            questions += [orderLoss(of: reference, storing)].compactMap(\.self)
        }
        for reference in storing where !isMadeByCode(reference) {
            questions += [crowding(of: reference)].compactMap(\.self) + emptied(by: reference)
        }
        return questions + excesses(storing)
    }

    /// The links of objects that code takes and no mapping takes over: lost unless the code reads them.
    func codeQuestions() -> [RowQuestion] {
        guard let coded = correspondence.codedEntities else { return [] }
        let storing = links.storingRelationships
        return oldRelationships.filter { reference in
            let isPartOfPath = isTaken(reference) { mapping in
                if case .path(let path, _, _) = mapping.origin { path.count > 1 } else { false }
            }
            return isOf(coded, reference) && !isPartOfPath
        }.flatMap { reference in
            let taken = links.codedLinks(of: reference, oldObjects).map { ($0.sql([:]), false) }
            return untaken(reference, isTaken(reference) ? storing : [], taken)
        }
    }

    /// Whether objects at either end of an old relationship may belong to one of these entities.
    private func isOf(_ entities: Set<String>, _ reference: PropertyReference) -> Bool {
        isEnd(ofAny: entities, reference, source)
    }

    func isMadeByCode(_ reference: PropertyReference) -> Bool {
        let made = Set(correspondence.policyMappings.compactMap(\.mapping.destinationEntity))
        return isEnd(ofAny: made, reference, correspondence.destination)
    }

    private func isEnd(
        ofAny entities: Set<String>,
        _ reference: PropertyReference,
        _ layout: StoreLayout
    ) -> Bool {
        guard !entities.isEmpty else { return false }
        let relationship = layout.graph.relationship(reference)
        let ends = [reference.entity, relationship?.destinationEntity].compactMap(\.self)
        return ends.contains { end in entities.contains { layout.isEntity($0, kindOf: end) } }
    }

    /// Whether a mapping that counts takes over links of an old relationship, or follows them.
    private func isTaken(
        _ reference: PropertyReference,
        where counts: (RelationshipMapping) -> Bool = { _ in true }
    ) -> Bool {
        let sides = sides(of: reference)
        return correspondence.targets.contains { target in
            target.mapping.relationshipMappings.contains { mapping in
                counts(mapping)
                    && correspondence.relationships(along: mapping, of: target)
                        .contains(where: sides.contains)
            }
        }
    }

    /// The relationships of the old version, each pair by the side that stores it.
    private var oldRelationships: [PropertyReference] {
        var known: Set<PropertyReference> = []
        let graph = source.graph
        let entities = source.entities.compactMap { graph.entity($0.name) }
        return graph.storedRelationships(of: entities).compactMap { reference, _ in
            let sides = sides(of: reference)
            guard sides.allSatisfy({ !known.contains($0) }) else { return nil }
            known.formUnion(sides)
            return sides.first { isToOne($0) } ?? reference
        }
    }

    private func isToOne(_ reference: PropertyReference) -> Bool {
        source.links(of: reference)?.form == .key
    }

    func sides(of reference: PropertyReference) -> [PropertyReference] {
        let inverse = correspondence.sourceGraph.inverse(of: reference)
        return [reference] + [inverse].compactMap(\.self).filter { $0 != reference }
    }

    /// The links that no new relationship continues, although an object with them continues.
    private func untaken(
        _ reference: PropertyReference,
        _ storing: [PropertyReference],
        _ coded: [(sql: String, isWhole: Bool)] = []
    ) -> [RowQuestion] {
        guard let all = links.allLinks(of: reference), let alive = aliveCondition(reference) else {
            return []
        }
        guard !isCountedByMap(reference, alongMoreThan: 1) else { return [] }
        let taken = takings(of: reference, storing) + partsOfPaths(reference) + coded
        guard !taken.contains(where: \.isWhole) else { return [] }
        // Dangling links were lost before.
        let conditions = [alive] + (taken.isEmpty ? [] : ends(of: reference))
        let pairs =
            "SELECT source, destination FROM (\(all.sql([:]))) AS l "
            + "WHERE \(conditions.joined(separator: " AND "))"
        let lost = ([pairs] + taken.map { "SELECT source, destination FROM (\($0.sql))" })
            .joined(separator: " EXCEPT ")
        return [
            question(reason(for: reference, isTaken: !taken.isEmpty), sides(of: reference), lost)
        ]
    }

    /// The links of a side that now gets another relationship's links, while its inverse keeps them.
    private func divided(
        _ reference: PropertyReference,
        _ storing: [PropertyReference]
    ) -> [RowQuestion] {
        let sides = sides(of: reference)
        return sides.compactMap { side in
            let joined = storing.filter { links.isJoined(side, to: $0) && leads($0) }
            let isKept = storing.contains { new in
                !joined.contains(new)
                    && links.origins(of: new).contains { sides.contains($0.relationship) }
            }
            guard isKept, !joined.isEmpty, !isCountedByMap(side), isAlive(side.entity),
                let all = links.allLinks(of: side),
                let risk = mapping.risks.first(where: {
                    $0.kind == .sharedDestination && $0.source == side
                })
            else { return nil }
            let taken = joined.flatMap(links.queries).map {
                " EXCEPT SELECT source, destination FROM (\(LinkQuery.reversed($0).sql([:])))"
            }
            let lost =
                "SELECT source, destination FROM (\(all.sql([:]))) AS l WHERE "
                + ends(of: side).joined(separator: " AND ") + taken.joined()
            return question(risk, [side], lost)
        }
    }

    /// The conditions that both ends of a link `l` exist.
    private func ends(of reference: PropertyReference) -> [String] {
        let target = correspondence.sourceGraph.relationship(reference)?.destinationEntity
        return zip([reference.entity, target ?? ""], ["l.source", "l.destination"]).compactMap {
            entity,
            column in
            source.table(of: entity).map {
                "\(column) IN (SELECT Z_PK FROM \(quotedIdentifier($0.name)))"
            }
        }
    }

    /// Whether a map uses the last of several: the others of the objects that it takes are counted when it is written.
    private func isCountedByMap(
        _ reference: PropertyReference,
        alongMoreThan steps: Int = 0
    ) -> Bool {
        isTaken(reference) { mapping in
            guard case .path(let path, _, let isLast) = mapping.origin else { return false }
            return isLast && path.count > steps
        }
    }

    /// The links of an old relationship that the new version takes over, in its own direction.
    func takings(
        of reference: PropertyReference,
        _ storing: [PropertyReference]
    ) -> [(sql: String, isWhole: Bool)] {
        let sides = sides(of: reference)
        let isMutual = links.shape(of: reference, isSource: true) == .oneToOne
        return storing.flatMap { new -> [(sql: String, isWhole: Bool)] in
            guard !links.isMapped(new) else {
                return links.oldLinks(of: reference, for: new, oldObjects)
                    .map { ($0.sql([:]), false) }
            }
            let origins = links.origins(of: new).filter { sides.contains($0.relationship) }
            let isJoined = links.isJoined(reference, to: new)
            guard !origins.isEmpty || isJoined, leads(new) else { return [] }
            guard !isJoined else {
                return links.queries(of: new).map { (LinkQuery.reversed($0).sql([:]), false) }
            }
            return origins.compactMap { origin in
                guard let query = links.links(of: origin, for: new) else { return nil }
                let isAlong = (origin.relationship == reference) != origin.isReversed
                let directed = isAlong ? query : .reversed(query)
                let isWhole =
                    links.takesAll(of: origin, for: new)
                    && (!isMutual || links.shape(of: new, isSource: false) == .oneToOne)
                return (directed.sql([:]), isWhole)
            }
        }
    }

    /// Whether this side writes the links: of two to-one inverses the first wins, which is reported once.
    private func leads(_ new: PropertyReference) -> Bool {
        guard links.shape(of: new, isSource: false) == .oneToOne,
            let inverse = correspondence.destinationGraph.inverse(of: new),
            !links.indirectQueries(of: new).isEmpty
        else { return true }
        return new < inverse
    }

    private func oldObjects(_ target: MappingTarget) -> LinkQuery.Objects {
        let table = source.table(of: target.source.name)?.name ?? ""
        return .old(table: table, condition: taking(target))
    }

    private func reason(for reference: PropertyReference, isTaken: Bool) -> RowRisk {
        let sides = sides(of: reference)
        func first(_ isRight: (RowRisk) -> Bool) -> RowRisk? {
            mapping.risks.first { isRight($0) && $0.source.map(sides.contains) ?? false }
        }
        let changed = first {
            if case .destinationsOutOfReach(_, isMandatory: false) = $0.kind {
                true
            } else {
                false
            }
        }
        if let changed { return changed }
        // Another relationship used to have the links of its new inverse.
        if isTaken, let shared = first({ $0.kind == .sharedDestination }) { return shared }
        if !isTaken, let removed = first({ $0.kind == .removedRelationship }) { return removed }
        let side = sides.first { isAlive($0.entity) } ?? reference
        return RowRisk(.linksToRemovedObjects, of: side.entity, side)
    }

    private func isAlive(_ entity: String) -> Bool {
        let known = Set(correspondence.targets.map(\.source.number))
        return source.numbers(ofHierarchy: entity).contains(where: known.contains)
    }

    /// The condition that an object with a link `l` continues; `nil` if none does.
    private func aliveCondition(_ reference: PropertyReference) -> String? {
        let ends = zip(sides(of: reference), ["l.source", "l.destination"])
        let conditions = ends.compactMap { side, column -> String? in
            let numbers = Set(source.numbers(ofHierarchy: side.entity))
            let takers = correspondence.targets.filter { numbers.contains($0.source.number) }
            guard !takers.isEmpty, let table = source.table(of: side.entity) else { return nil }
            let whole = Set(takers.filter(\.takesAll).map(\.source.number))
            let partial = takers.filter { !whole.contains($0.source.number) }.map(taking)
            let condition =
                (whole.isEmpty ? [] : ["Z_ENT IN (\(numberList(whole.sorted())))"])
                + partial.map { "(\($0))" }
            return "\(column) IN (SELECT Z_PK FROM \(quotedIdentifier(table.name)) AS s "
                + "WHERE \(condition.joined(separator: " OR ")))"
        }
        return conditions.isEmpty ? nil : "(\(conditions.joined(separator: " OR ")))"
    }

    /// The links that lose their position among others.
    private func orderLoss(
        of reference: PropertyReference,
        _ storing: [PropertyReference]
    ) -> RowQuestion? {
        for side in sides(of: reference) {
            let risk = mapping.risks.first { $0.kind == .orderLost && $0.source == side }
            guard let risk else { continue }
            // Links through mappings are counted when they are written.
            let taken = takings(of: side, storing.filter { !links.isMapped($0) }).map {
                "SELECT source, destination FROM (\($0.sql))"
            }
            guard !taken.isEmpty else { continue }
            let groups =
                "SELECT source, count(*) AS n FROM (\(taken.joined(separator: " UNION "))) "
                + "GROUP BY source HAVING n > 1"
            return RowQuestion(
                risk,
                counting: "COALESCE(sum(n), 0)",
                from: "(\(groups))",
                key: "source",
                names: [side.description]
            )
        }
        return nil
    }

    /// Asks about the links that a query gives.
    private func question(
        _ risk: RowRisk,
        _ sides: [PropertyReference],
        _ lost: String
    ) -> RowQuestion {
        let names = sides.map(\.description)
        return RowQuestion(risk, from: "(\(lost))", key: "source", isRepeated: true, names: names)
    }

    /// The links that maps join with others to longer ones, in their own direction.
    func partsOfPaths(_ reference: PropertyReference) -> [(sql: String, isWhole: Bool)] {
        correspondence.targets.flatMap { target in
            target.mapping.relationshipMappings.flatMap { mapping -> [(String, Bool)] in
                guard case .path(_, _, false) = mapping.origin else { return [] }
                let steps = correspondence.relationships(along: mapping, of: target)
                let queries = steps.compactMap(links.allLinks)
                guard steps.count > 1, queries.count == steps.count,
                    let table = source.table(of: target.source.name)
                else { return [] }
                let joined = queries.indices.map { index in
                    "(\(queries[index].sql([:]))) AS h\(index)"
                        + (index > 0 ? " ON h\(index).source = h\(index - 1).destination" : "")
                }
                let rest =
                    "FROM \(joined.joined(separator: " JOIN ")) WHERE h0.source IN (SELECT Z_PK FROM "
                    + "\(quotedIdentifier(table.name)) AS s WHERE \(taking(target)))"
                return steps.indices.filter { sides(of: reference).contains(steps[$0]) }.map {
                    index in
                    let ends = ["h\(index).source", "h\(index).destination"]
                    let directed = steps[index] == reference ? ends : ends.reversed()
                    return (
                        "SELECT \(directed[0]) AS source, \(directed[1]) AS destination \(rest)",
                        false
                    )
                }
            }
        }
    }
}
