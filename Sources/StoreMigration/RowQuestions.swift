public import MappingInference
package import ObjectModel
import SQLiteAccess
package import StoreFormat

/// A question to the rows of a store that decides whether a migration succeeds, or what it loses.
public struct RowQuestion: Sendable, Hashable {
    /// What is at stake.
    public var risk: RowRisk
    /// The query: its first column is the number of rows at stake.
    public var sql: String
    /// A query of the keys of some of these rows.
    public var examplesSQL: String
}

/// Turns the risks of a mapping into queries over the old layout.
///
/// Risks that no row can realize, as an order that this tool keeps, give no question.
package func rowQuestions(
    of mapping: InferredMapping,
    source: StoreLayout,
    sourceModel: ManagedObjectModel
) -> [RowQuestion] {
    let questions = RowQuestions(layout: source, graph: ModelGraph(sourceModel))
    return mapping.risks.compactMap(questions.question)
}

/// Turns one risk into a query over the old layout; `nil` for one that no row can realize.
func rowQuestion(
    _ risk: RowRisk,
    source: StoreLayout,
    sourceGraph: ModelGraph
) -> RowQuestion? {
    RowQuestions(layout: source, graph: sourceGraph).question(risk)
}

private struct RowQuestions {
    let layout: StoreLayout
    let graph: ModelGraph

    func question(_ risk: RowRisk) -> RowQuestion? {
        switch risk {
        case .mandatoryWithoutDefault(let entity, _, _, _), .becomesAbstract(let entity, _),
            .derivationNotComputed(let entity, _, _, _):
            return rows(risk, of: entity, where: nil)
        case .nullInMandatoryAttribute(let entity, let source, let path, _, _):
            return column(source, path).flatMap { rows(risk, of: entity, where: "\($0) IS NULL") }
        case .nullInMandatoryRelationship(let entity, let source, _, _):
            guard case .foreignKey(_, let column, _, _)? = storage(source) else { return nil }
            return rows(risk, of: entity, where: "\(quotedIdentifier(column)) IS NULL")
        case .newUniquenessConstraint(let entity, _, let properties):
            return duplicates(risk, of: entity, properties)
        case .toManyBecomesToOne(_, let source, _, _):
            return crowded(risk, source, isDestination: false)
        case .sharedDestination(_, let source, _, _):
            return crowded(risk, source, isDestination: true)
        case .narrowingConversion(let entity, let source, let path, _, _, let conversion):
            guard let column = column(source, path), let misfit = conversion.misfit(of: column)
            else { return nil }
            return rows(risk, of: entity, where: misfit)
        case .destinationsOutOfReach(let entity, let source, _, _, let reachable, _):
            return linksOutOfReach(risk, of: entity, source, reachable)
        case .orderLostInManyToMany:
            // Core Data loses the order; this tool carries it into the join table.
            return nil
        }
    }

    private func rows(_ risk: RowRisk, of entity: String, where condition: String?) -> RowQuestion?
    {
        guard let table = layout.table(of: entity), let number = layout.number(of: entity) else {
            return nil
        }
        let test = ["Z_ENT = \(number)", condition].compactMap(\.self).joined(separator: " AND ")
        let from = "FROM \(quotedIdentifier(table.name)) WHERE \(test)"
        return RowQuestion(
            risk: risk,
            sql: "SELECT count(*) \(from)",
            examplesSQL: "SELECT Z_PK \(from) ORDER BY Z_PK LIMIT 5"
        )
    }

    /// Rows that share their values with an earlier one; NULL equals nothing, as in SQLite's unique indexes.
    private func duplicates(
        _ risk: RowRisk,
        of entity: String,
        _ properties: [RowRisk.ConstrainedProperty]
    ) -> RowQuestion? {
        guard let table = layout.table(of: entity) else { return nil }
        let values = properties.map { property -> String in
            guard let source = property.source else { return property.fill?.sqlLiteral ?? "NULL" }
            if let column = column(source, []) { return column }
            guard case .foreignKey(_, let column, _, _)? = storage(source) else { return "NULL" }
            return quotedIdentifier(column)
        }
        let numbers = numberList(layout.numbers(ofHierarchy: entity))
        let conditions =
            ["Z_ENT IN (\(numbers))"] + values.map { "\($0) IS NOT NULL" }
        // Constants cannot stand in PARTITION BY without being taken for what they are: harmless here.
        let place =
            "row_number() OVER (PARTITION BY \(values.joined(separator: ", ")) ORDER BY Z_PK)"
        let ranked =
            "SELECT Z_PK, \(place) AS place FROM \(quotedIdentifier(table.name)) "
            + "WHERE \(conditions.joined(separator: " AND "))"
        return RowQuestion(
            risk: risk,
            sql: "SELECT count(*) FROM (\(ranked)) WHERE place > 1",
            examplesSQL: "SELECT Z_PK FROM (\(ranked)) WHERE place > 1 ORDER BY Z_PK LIMIT 5"
        )
    }

    /// Objects with more than one link, at the source of a relationship or at its destination.
    private func crowded(
        _ risk: RowRisk,
        _ source: MappedProperty,
        isDestination: Bool
    ) -> RowQuestion? {
        let place: (table: String, column: String)
        switch (storage(source), isDestination) {
        case (.inverseForeignKey(let table, let column, _, _)?, false),
            (.ownerColumn(let table, let column, _)?, false),
            (.foreignKey(let table, let column, _, _)?, true),
            (.joinTable(let table, let column, _, _)?, false),
            (.joinTable(let table, _, let column, _)?, true):
            place = (table, column)
        case (.foreignKey?, false), (.inverseForeignKey?, true), (.ownerColumn?, true),
            (RelationshipStorage.none?, _), (nil, _):
            return nil
        }
        let column = quotedIdentifier(place.column)
        let objects = """
            SELECT \(column) AS id FROM \(quotedIdentifier(place.table)) WHERE \(column) IS NOT NULL \
            GROUP BY \(column) HAVING count(*) > 1
            """
        return RowQuestion(
            risk: risk,
            sql: "SELECT count(*) FROM (\(objects))",
            examplesSQL: "SELECT id FROM (\(objects)) ORDER BY id LIMIT 5"
        )
    }

    /// Links of objects of an entity to objects of others than these.
    private func linksOutOfReach(
        _ risk: RowRisk,
        of entity: String,
        _ source: MappedProperty,
        _ reachable: [String]
    ) -> RowQuestion? {
        guard let table = layout.table(of: entity), let number = layout.number(of: entity),
            let links = linkColumns(source, table.name)
        else { return nil }
        let numbers = numberList(reachable.compactMap { layout.number(of: $0) })
        let from = """
            FROM \(quotedIdentifier(links.table)) AS l \
            JOIN \(quotedIdentifier(table.name)) AS s ON s.Z_PK = l.\(quotedIdentifier(links.source)) \
            JOIN \(quotedIdentifier(links.target)) AS d \
            ON d.Z_PK = l.\(quotedIdentifier(links.destination)) \
            WHERE s.Z_ENT = \(number) AND d.Z_ENT NOT IN (\(numbers))
            """
        return RowQuestion(
            risk: risk,
            sql: "SELECT count(*) \(from)",
            examplesSQL: "SELECT DISTINCT s.Z_PK \(from) ORDER BY s.Z_PK LIMIT 5"
        )
    }

    /// Where the links of a relationship stand: the table, its columns of both ends, and the table they lead to.
    private func linkColumns(
        _ source: MappedProperty,
        _ own: String
    ) -> (table: String, source: String, destination: String, target: String)? {
        let target = graph.relationship(source.name, ofEntity: source.declaredBy)?
            .destinationEntity.flatMap { layout.table(of: $0)?.name }
        guard let target else { return nil }
        switch storage(source) {
        case .foreignKey(_, let column, _, _)?: return (own, "Z_PK", column, target)
        case .inverseForeignKey(let table, let column, _, _)?,
            .ownerColumn(let table, let column, _)?:
            return (table, column, "Z_PK", target)
        case .joinTable(let table, let source, let destination, _)?:
            return (table, source, destination, target)
        case RelationshipStorage.none?, nil: return nil
        }
    }

    private func column(_ property: MappedProperty, _ path: [String]) -> String? {
        layout.column(of: property.name, path: path, declaredBy: property.declaredBy)
            .map { quotedIdentifier($0.name) }
    }

    private func storage(_ property: MappedProperty) -> RelationshipStorage? {
        layout.storage(of: property.name, declaredBy: property.declaredBy)
    }
}

extension StoreLayout {
    /// Whether a store of this layout has an index that could not be made if a risk came true.
    func proves(_ risk: RowRisk) -> Bool {
        guard case .newUniquenessConstraint(_, let entity, let properties) = risk,
            let table = table(of: entity)
        else { return false }
        let columns = properties.map { property -> String? in
            let (name, owner) = (property.destination.name, property.destination.declaredBy)
            if let column = column(of: name, declaredBy: owner) { return column.name }
            guard case .foreignKey(_, let key, _, _)? = storage(of: name, declaredBy: owner) else {
                return nil
            }
            return key
        }
        let list = columns.map { $0.map { "\(quotedIdentifier($0)) COLLATE BINARY ASC" } ?? "" }
        return indexes.contains {
            $0.isUnique && $0.table == table.name
                && $0.sql.hasSuffix(" (\(list.joined(separator: ", ")))")
        }
    }
}

extension AttributeConversion {
    /// A condition that holds for values which the new type cannot hold; `nil` when there are none.
    fileprivate func misfit(of column: String) -> String? {
        guard case .numeric(_, let to) = self else { return nil }
        switch to {
        case .boolean: return "\(column) NOT IN (0, 1)"
        case .integer16:
            return
                "(\(column) NOT BETWEEN -32768 AND 32767 OR \(column) <> CAST(\(column) AS INTEGER))"
        case .integer32:
            return
                "(\(column) NOT BETWEEN -2147483648 AND 2147483647 OR \(column) <> CAST(\(column) AS INTEGER))"
        case .integer64: return "\(column) <> CAST(\(column) AS INTEGER)"
        default: return nil
        }
    }
}
