import MappingInference
import ObjectModel
import SQLiteAccess
import StoreFormat

extension RowQuestions {
    /// The questions about duplicates among the values that rows get: for new constraints, or changed values.
    func uniquenessQuestions() -> [RowQuestion] {
        var known: Set<[String]> = []
        var questions: [RowQuestion] = []
        for risk in mapping.risks where !isMapped {
            guard case .newUniquenessConstraint(let properties) = risk.kind,
                let entity = risk.destinationEntity
            else { continue }
            let names = properties.map(\.destination.name)
            let owner = declarer(of: names, above: entity) ?? entity
            guard known.insert([owner] + names).inserted else { continue }
            questions += [duplicates(risk, among: owner, properties)].compactMap(\.self)
        }
        for entity in correspondence.destination.entities {
            let definition = correspondence.destinationGraph.entity(entity.name)
            for constraint in definition?.uniquenessConstraints ?? [] {
                let names = constraint.properties
                guard known.insert([entity.name] + names).inserted,
                    let pair = correspondence.pairs(ofKind: entity.name).first
                else { continue }
                let properties = names.compactMap { constrained($0, of: entity.name, pair) }
                guard properties.count == names.count else { continue }
                let risk = RowRisk(
                    .newUniquenessConstraint(properties),
                    of: pair.source.name,
                    to: entity.name
                )
                let found = duplicates(risk, among: entity.name, properties, onlyChanged: !isMapped)
                questions += [found].compactMap(\.self)
            }
        }
        return questions
    }

    /// The entity that declares a constraint which applies to an entity.
    private func declarer(of names: [String], above entity: String) -> String? {
        let graph = correspondence.destinationGraph
        return graph.entity(entity).flatMap { definition in
            graph.lineage(of: definition).first { owner in
                owner.uniquenessConstraints.contains { Set($0.properties) == Set(names) }
            }?.name
        }
    }

    private func constrained(
        _ name: String,
        of entity: String,
        _ pair: MappingTarget
    ) -> RowRisk.ConstrainedProperty? {
        let graph = correspondence.destinationGraph
        guard let definition = graph.entity(entity),
            let owner = graph.property(name, of: definition)?.declaredBy
        else { return nil }
        let destination = PropertyReference(entity: owner.name, name: name)
        let attribute = pair.attributes[.attribute(destination, [])]
        let source = attribute?.source ?? pair.relationships[destination]?.source
        return RowRisk.ConstrainedProperty(destination: destination, source: source)
    }

    /// Rows that share their values with an earlier one; NULL equals nothing, as in SQLite's unique indexes.
    private func duplicates(
        _ risk: RowRisk,
        among entity: String,
        _ properties: [RowRisk.ConstrainedProperty],
        onlyChanged: Bool = false
    ) -> RowQuestion? {
        let names = properties.indices.map { "v\($0)" }
        var groups: [(table: String, values: [String], numbers: [Int])] = []
        var isChanged = false
        for pair in correspondence.pairs(ofKind: entity) {
            // The rows that a condition leaves out, or that become one, are not told apart here.
            if isMapped, !pair.takesAll { return nil }
            guard let table = layout.table(of: pair.source.name) else { return nil }
            var values: [String] = []
            for property in properties {
                guard let value = value(of: property.destination, pair) else { return nil }
                isChanged = isChanged || value.isChanged
                values.append(value.sql)
            }
            let known = groups.firstIndex { $0.table == table.name && $0.values == values }
            if let known {
                groups[known].numbers.append(pair.source.number)
            } else {
                groups.append((table.name, values, [pair.source.number]))
            }
        }
        guard !groups.isEmpty, isChanged || !onlyChanged else { return nil }
        let rows = groups.map { group in
            let values = zip(group.values, names).map { "\($0) AS \($1)" }
            return "SELECT \((["Z_PK"] + values).joined(separator: ", ")) "
                + "FROM \(quotedIdentifier(group.table)) "
                + "WHERE Z_ENT IN (\(numberList(group.numbers.sorted())))"
        }
        // PARTITION BY takes constants for what they are: harmless here.
        let place =
            "row_number() OVER (PARTITION BY \(names.joined(separator: ", ")) ORDER BY Z_PK)"
        let ranked =
            "SELECT Z_PK, \(place) AS place FROM (\(rows.joined(separator: " UNION ALL "))) "
            + "WHERE \(names.map { "\($0) IS NOT NULL" }.joined(separator: " AND "))"
        return RowQuestion(risk, from: "(\(ranked)) WHERE place > 1")
    }

    /// The value that rows of an entity get, and whether the step changes it; `nil` where only the step itself knows.
    private func value(
        of property: PropertyReference,
        _ pair: MappingTarget
    ) -> (sql: String, isChanged: Bool)? {
        let destination = correspondence.destination
        var column = destination.column(of: property)
        if column == nil, let stored = destination.links(of: property, as: .key) {
            column = destination.tables.first { $0.name == stored.table }?
                .columns.first { $0.name == stored.key }
            if links.isMapped(property) { return nil }
        }
        guard let column, let cell = correspondence.cell(column, of: pair, links: links) else {
            return ("NULL", false)
        }
        switch cell.value {
        case .model, .computed, .captured: return nil
        case .column(let name):
            let own = quotedIdentifier(name)
            let attribute = pair.attributes[.attribute(property, [])]
            // The column turns what is put into it into a Double, in which integers may become equal.
            guard case .numeric(_, .double)? = attribute?.conversion else {
                return (own, false)
            }
            return ("CAST(\(own) AS REAL)", true)
        case .null:
            guard let source = pair.relationships[property]?.source,
                let key = key(of: source)
            else { return ("NULL", false) }
            return (key, true)
        default: return (cell.value.sql, true)
        }
    }
}
