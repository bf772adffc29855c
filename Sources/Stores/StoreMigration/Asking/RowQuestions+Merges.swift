import MappingInference
import MigrationPlanning
import ObjectModel
import SQLiteAccess
import StoreFormat

extension RowQuestions {
    /// What is lost where objects with the same keys become one: the objects that go on as no other, and the
    /// values that differ from those of the object that stays.
    func mergeLosses() -> [RowQuestion] {
        crowdedLinks()
            + correspondence.insertions.filter { !$0.mapping.findOrCreateKeys.isEmpty }
            .flatMap { target -> [RowQuestion] in
                guard let merge = Merge(of: target, self) else { return [] }
                return [mergedObjects(of: target, merge)].compactMap(\.self)
                    + target.mapping.relationshipMappings.compactMap {
                        mergedLinks($0, of: target, merge)
                    }
                    + target.mapping.attributeMappings.compactMap {
                        mergedValues($0, of: target, merge)
                    }
            }
    }

    /// The links of a map's to-one relationship along a to-many one: all but one of an object have no room.
    private func crowdedLinks() -> [RowQuestion] {
        (correspondence.pairs + correspondence.insertions)
            .filter { $0.mapping.findOrCreateKeys.isEmpty }
            .flatMap { target in
                target.mapping.relationshipMappings.compactMap { mapping -> RowQuestion? in
                    guard links.isMapped(mapping.destination.reference),
                        let origin = toOneOrigin(of: mapping, target),
                        let query = links.links(along: origin.path, from: target.source.name)?
                            .query,
                        let table = layout.table(of: target.source.name),
                        let condition = try? expressions?.condition(of: target)
                    else { return nil }
                    let objects =
                        "SELECT s.Z_PK FROM \(quotedIdentifier(table.name)) AS s WHERE \(condition)"
                    let groups =
                        "SELECT source, count(DISTINCT destination) AS n FROM (\(query.sql([:]))) "
                        + "WHERE source IN (\(objects)) GROUP BY source HAVING n > 1"
                    return question(ofLinks: origin.property, target, groups)
                }
            }
    }

    /// Where the links of a to-one relationship come from; `nil` for a to-many one, or where nothing is written of it.
    private func toOneOrigin(
        of mapping: RelationshipMapping,
        _ target: EntityCorrespondence.Target
    ) -> (path: [String], property: MappedProperty)? {
        let reference = mapping.destination.reference
        let graph = correspondence.sourceGraph
        let relationship = correspondence.destinationGraph.relationship(
            reference.name,
            ofEntity: reference.entity
        )
        guard relationship?.isToMany == false, let path = mapping.path, let name = path.first,
            let entity = graph.entity(target.source.name),
            let (first, owner) = graph.relationship(name, of: entity)
        else { return nil }
        return (path, MappedProperty(name: first.name, declaredBy: owner.name))
    }

    /// Asks for the links that have no room: of each group all but one.
    private func question(
        ofLinks property: MappedProperty,
        _ target: EntityCorrespondence.Target,
        _ groups: String
    ) -> RowQuestion {
        RowQuestion(
            risk: .linksToRemovedObjects(sourceEntity: target.source.name, source: property),
            sql: "SELECT COALESCE(sum(n - 1), 0) FROM (\(groups))",
            examplesSQL: "SELECT source FROM (\(groups)) ORDER BY 1 LIMIT 5"
        )
    }

    /// The condition that an object of a mapping has all of the keys that it is found by.
    func hasKeys(_ target: EntityCorrespondence.Target) -> String? {
        let values = keyValues(of: target, keys: target.mapping.findOrCreateKeys)
        guard !values.isEmpty else { return nil }
        return values.map { "\($0) NOT NULL" }.joined(separator: " AND ")
    }

    private func mergedObjects(
        of target: EntityCorrespondence.Target,
        _ merge: Merge
    ) -> RowQuestion? {
        let others = correspondence.targets.filter {
            $0.place != target.place && $0.source.name == target.source.name
                && $0.mapping.findOrCreateKeys.isEmpty
        }
        // An object that goes on by another mapping is not gone.
        guard others.allSatisfy({ $0.mapping.condition != nil }) else { return nil }
        let conditions = others.compactMap { try? expressions?.condition(of: $0) }
        guard conditions.count == others.count else { return nil }
        let gone = conditions.map { "(\($0)) IS NOT 1" }.joined(separator: " AND ")
        return question(
            .mergedObjects(
                sourceEntity: target.source.name,
                destinationEntity: target.destination.name
            ),
            merge.rows(value: "NULL", alone: gone.isEmpty ? "1" : gone),
            "rank = \(merge.rank) AND place > 1 AND isAlone"
        )
    }

    private func mergedValues(
        _ mapping: AttributeMapping,
        of target: EntityCorrespondence.Target,
        _ merge: Merge
    ) -> RowQuestion? {
        let property = mapping.destination
        guard !target.mapping.findOrCreateKeys.contains(property.name),
            mapping.expression != nil || mapping.source != nil,
            let column = correspondence.destination.column(
                of: property.name,
                path: mapping.elementPath,
                declaredBy: property.declaredBy
            )
        else { return nil }
        return question(
            .expressionLoss(
                sourceEntity: target.source.name,
                destinationEntity: target.destination.name,
                destination: property,
                elementPath: mapping.elementPath,
                loss: .merged
            ),
            merge.rows(value: column.name, alone: "1"),
            "rank = \(merge.rank) AND place > 1 AND v NOT NULL AND v IS NOT kept"
        )
    }

    /// The objects that are made, not found, and have no value for an attribute.
    func valuesMissing(
        _ risk: RowRisk,
        _ mapping: AttributeMapping,
        of target: EntityCorrespondence.Target
    ) -> RowQuestion? {
        let property = mapping.destination
        guard let merge = Merge(of: target, self),
            let column = correspondence.destination.column(
                of: property.name,
                path: [],
                declaredBy: property.declaredBy
            )
        else { return nil }
        return question(
            risk,
            merge.rows(value: column.name, alone: "1"),
            "rank = \(merge.rank) AND place = 1 AND v IS NULL"
        )
    }

    /// The links of a to-one relationship that have no room when objects become one: all but one of different ones.
    private func mergedLinks(
        _ mapping: RelationshipMapping,
        of target: EntityCorrespondence.Target,
        _ merge: Merge
    ) -> RowQuestion? {
        guard let origin = toOneOrigin(of: mapping, target) else { return nil }
        let ends = merge.makers.enumerated().compactMap { rank, maker -> String? in
            guard let path = maker.relationships[mapping.destination]?.path,
                let links = links.links(along: path, from: maker.source.name)?.query
            else { return nil }
            return "SELECT \(rank) AS rank, source, destination FROM (\(links.sql([:])))"
        }
        let groups =
            "SELECT min(m.source) AS source, count(DISTINCT l.destination) AS n FROM "
            + "(\(merge.rows(value: "Z_PK", alone: "1"))) AS m "
            + "JOIN (\(ends.joined(separator: " UNION ALL "))) AS l "
            + "ON l.rank = m.rank AND l.source = m.source GROUP BY m.first HAVING n > 1"
        return question(ofLinks: origin.property, target, groups)
    }

    private func question(_ risk: RowRisk, _ rows: String, _ condition: String) -> RowQuestion {
        RowQuestion(
            risk: risk,
            sql: "SELECT count(*) FROM (\(rows)) WHERE \(condition)",
            examplesSQL: "SELECT source FROM (\(rows)) WHERE \(condition) ORDER BY source LIMIT 5"
        )
    }

    /// The values that objects of a mapping get for attributes of the new version, over the row `s`.
    func keyValues(
        of target: EntityCorrespondence.Target,
        keys: [String]
    ) -> [String] {
        keys.map { key in
            correspondence.destination.column(of: key, declaredBy: target.destination.name)
                .map { value(of: $0, target) } ?? "NULL"
        }
    }

    func value(
        of column: StoreColumn,
        _ target: EntityCorrespondence.Target
    ) -> String {
        guard let expressions,
            let cell = correspondence.cell(column, of: target, links: links)
        else { return "NULL" }
        return expressions.translated(cell.value).sql
    }
}

/// The objects of one entity in the order in which they are found or made, each with its keys.
private struct Merge {
    /// The mappings that make objects of the entity, those that find come last.
    let makers: [EntityCorrespondence.Target]
    private let keys: [String]
    private let questions: RowQuestions
    /// The place of the mapping that is asked for among them.
    let rank: Int

    init?(of target: EntityCorrespondence.Target, _ questions: RowQuestions) {
        self.questions = questions
        keys = target.mapping.findOrCreateKeys
        let all = questions.correspondence.pairs + questions.correspondence.insertions
        let same = all.filter { $0.destination.number == target.destination.number }
        makers =
            same.filter { $0.mapping.findOrCreateKeys.isEmpty }
            + same.filter { $0.mapping.findOrCreateKeys == target.mapping.findOrCreateKeys }
        guard let rank = makers.firstIndex(where: { $0.place == target.place }) else { return nil }
        self.rank = rank
    }

    /// Each object with its place among those of its keys, its value in a column, and that of the first of them.
    func rows(value name: String, alone: String) -> String {
        let names = keys.indices.map { "k\($0)" }
        let parts = makers.enumerated().compactMap { place, maker -> String? in
            guard let table = questions.layout.table(of: maker.source.name),
                let condition = try? questions.expressions?.condition(of: maker)
            else { return nil }
            let column = questions.correspondence.destination.tables.lazy
                .filter { $0.rootEntity == maker.destination.rootName }
                .flatMap(\.columns).first { $0.name == name }
            let value = column.map { questions.value(of: $0, maker) } ?? "NULL"
            let values = zip(questions.keyValues(of: maker, keys: keys), names)
                .map { "\($0) AS \($1)" }
            return "SELECT \(place) AS rank, s.Z_PK AS source, \(values.joined(separator: ", ")), "
                + "\(value) AS v, (\(place == rank ? alone : "1")) AS isAlone "
                + "FROM \(quotedIdentifier(table.name)) AS s WHERE \(condition)"
        }
        let present = names.map { "\($0) NOT NULL" }.joined(separator: " AND ")
        return "SELECT rank, source, v, isAlone, row_number() OVER w AS place, "
            + "first_value(v) OVER w AS kept, "
            + "first_value(rank || '.' || source) OVER w AS first FROM (\(parts.joined(separator: " UNION ALL "))) "
            + "WHERE \(present) WINDOW w AS (PARTITION BY \(names.joined(separator: ", ")) "
            + "ORDER BY rank, source)"
    }
}

extension RelationshipMapping {
    /// The relationships of the old version that links come along, however they are named; `nil` where there are none.
    fileprivate var path: [String]? {
        switch origin {
        case .relationship(let source): [source.name]
        case .path(let path, _, _): path
        case .none, .found: nil
        }
    }
}
