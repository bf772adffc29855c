import MappingInference
import ObjectModel
import RowExchange
import SQLiteAccess
import StoreFormat

extension RowQuestions {
    /// What is lost if objects with equal keys become one: the objects that do not continue otherwise, and the values
    /// that differ from those of the remaining object.
    func mergeLosses() -> [RowQuestion] {
        correspondence.insertions.filter { !$0.mapping.findOrCreateKeys.isEmpty }
            .flatMap { target -> [RowQuestion] in
                guard let merge = Merge(of: target, self) else { return [] }
                return [mergedObjects(of: target, merge)].compactMap(\.self)
                    + target.mapping.attributeMappings.compactMap {
                        mergedValues($0, of: target, merge)
                    }
            }
    }

    /// The condition that an object has all keys that the mapping finds it by.
    func hasKeys(_ target: MappingTarget) -> String? {
        let values = keyValues(of: target, keys: target.mapping.findOrCreateKeys)
        guard !values.isEmpty else { return nil }
        return values.map { "\($0) NOT NULL" }.joined(separator: " AND ")
    }

    private func mergedObjects(of target: MappingTarget, _ merge: Merge) -> RowQuestion? {
        let others = correspondence.targets.filter {
            $0.place != target.place && $0.source.name == target.source.name
                && $0.mapping.findOrCreateKeys.isEmpty
        }
        // An object that continues by another mapping is not lost.
        guard others.allSatisfy({ $0.mapping.condition != nil }) else { return nil }
        let conditions = others.compactMap { try? expressions?.condition(of: $0) }
        guard conditions.count == others.count else { return nil }
        let gone =
            (conditions.map { "(\($0)) IS NOT 1" } + keptByMerges(besides: target))
            .joined(separator: " AND ")
        return question(
            RowRisk(.mergedObjects, of: target.source.name, to: target.destination.name),
            merge.rows(value: "NULL", alone: gone.isEmpty ? "1" : gone),
            "rank = \(merge.rank) AND place > 1 AND isAlone"
        )
    }

    /// The conditions that an object `s` is the first with its keys for no other mapping that finds objects, and was not
    /// counted for an earlier one.
    private func keptByMerges(besides target: MappingTarget) -> [String] {
        correspondence.targets.compactMap { other in
            guard other.place != target.place, other.source.name == target.source.name,
                !other.mapping.findOrCreateKeys.isEmpty, let merge = Merge(of: other, self)
            else { return nil }
            let first = other.place < target.place ? "" : " AND place = 1"
            return "s.Z_PK NOT IN (SELECT source FROM (\(merge.rows(value: "NULL", alone: "1"))) "
                + "WHERE rank = \(merge.rank)\(first))"
        }
    }

    private func mergedValues(
        _ mapping: AttributeMapping,
        of target: MappingTarget,
        _ merge: Merge
    ) -> RowQuestion? {
        let property = mapping.destination
        guard !target.mapping.findOrCreateKeys.contains(property.name),
            mapping.expression != nil || mapping.source != nil,
            let column = correspondence.destination.column(of: property, mapping.elementPath)
        else { return nil }
        return question(
            target.risk(.expressionLoss(.merged), to: property, at: mapping.elementPath),
            merge.rows(value: column.name, alone: "1"),
            "rank = \(merge.rank) AND place > 1 AND v NOT NULL AND v IS NOT kept"
        )
    }

    /// The new objects (not found ones) without a value for an attribute.
    func valuesMissing(
        _ risk: RowRisk,
        _ mapping: AttributeMapping,
        of target: MappingTarget
    ) -> RowQuestion? {
        let property = mapping.destination
        guard let merge = Merge(of: target, self),
            let column = correspondence.destination.column(of: property)
        else { return nil }
        return question(
            risk,
            merge.rows(value: column.name, alone: "1"),
            "rank = \(merge.rank) AND place = 1 AND v IS NULL"
        )
    }

    private func question(_ risk: RowRisk, _ rows: String, _ condition: String) -> RowQuestion {
        RowQuestion(risk, from: "(\(rows)) WHERE \(condition)", key: "source")
    }

    /// The values that a mapping's objects get for attributes of the new version, over the row `s`.
    func keyValues(of target: MappingTarget, keys: [String]) -> [String] {
        keys.map { key in
            correspondence.destination.column(of: key, declaredBy: target.destination.name)
                .map { value(of: $0, target) } ?? "NULL"
        }
    }

    func value(of column: StoreColumn, _ target: MappingTarget) -> String {
        guard let expressions,
            let cell = correspondence.cell(column, of: target, links: links)
        else { return "NULL" }
        return expressions.translated(cell.value).sql
    }
}

/// The objects of one entity in the order in which they are found or made, each with its keys.
private struct Merge {
    /// The mappings that create objects of the entity; those that find objects come last.
    let makers: [MappingTarget]
    private let keys: [String]
    private let questions: RowQuestions
    /// The index of the mapping in question among them.
    let rank: Int

    init?(of target: MappingTarget, _ questions: RowQuestions) {
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

    /// Each object with its rank among those with its keys, its value in a column, and that of the first of them.
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
            + "first_value(v) OVER w AS kept FROM (\(parts.joined(separator: " UNION ALL "))) "
            + "WHERE \(present) WINDOW w AS (PARTITION BY \(names.joined(separator: ", ")) "
            + "ORDER BY rank, source)"
    }
}
