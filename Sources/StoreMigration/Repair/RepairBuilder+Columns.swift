import Essentials
import ModelLanguage
import ObjectModel
import RowExchange
import SQLiteAccess
import StoreFormat

extension RepairBuilder {
    /// Brings the columns of an entity table back, with what can be known of their values.
    mutating func addColumns(of table: EntityTable) throws(StoreError) {
        let present = columns[table.name] ?? []
        guard present.contains("Z_PK") else {
            refuse(
                "the table \(table.name) lacks its keys (Z_PK)",
                "restore the store from a backup: nothing tells which object a row is"
            )
            return
        }
        let missing = table.columns.filter { !present.contains($0.name) }
        // What others are worked out from comes first.
        let order: [(ColumnRole) -> Bool] = [
            { $0 == .entityNumber || $0 == .optimisticLock },
            { if case .toOne = $0 { true } else { false } },
        ]
        let first = order.flatMap { isNow in missing.filter { isNow($0.role) } }
        for column in first + missing.filter({ !first.contains($0) }) {
            try add(column, to: table)
        }
    }

    private mutating func add(
        _ column: StoreColumn,
        to table: EntityTable
    ) throws(StoreError) {
        let name = quotedIdentifier(table.name)
        let add = "ALTER TABLE \(name) ADD COLUMN \(column.definition)"
        let purpose = "add the column \(column.name) to \(table.name)"
        let assign = { (value: String) in
            "UPDATE \(name) SET \(quotedIdentifier(column.name)) = \(value)"
        }
        let rows = try count(name)
        switch column.role {
        case .primaryKey: return
        case .optimisticLock: self.add(purpose + ", with 1", add, assign("1"))
        case .entityNumber:
            guard let number = try onlyNumber(of: table, rows) else {
                return refuse(
                    "the table \(table.name) lacks the entities of its \(rows.counted("row")) (Z_ENT)",
                    "restore the store from a backup: the rows may be of \(table.entities.joined(separator: ", "))"
                )
            }
            self.add(purpose + ", with \(number)", add, assign("\(number)"))
        case .attribute(let entity, let attribute, let path):
            guard
                let statements = try valueStatements(
                    PropertyReference(entity: entity, name: attribute),
                    path,
                    column,
                    table,
                    assign
                )
            else { return }
            let lost = statements.isEmpty && rows > 0 ? "its values were already lost" : nil
            steps.append(
                StoreRepair.Step(purpose: purpose, lost: lost, statements: [add] + statements)
            )
        case .toOne(let entity, let relationship):
            try addLink(PropertyReference(entity: entity, name: relationship), column, table, add)
        case .toOneEntity(let entity, let relationship):
            self.add(
                purpose,
                add,
                assign(
                    entityNumber(of: PropertyReference(entity: entity, name: relationship), table)
                )
            )
        case .orderKey(let entity, let relationship):
            let owner = keyColumn(of: PropertyReference(entity: entity, name: relationship))
            let isOrdered = owner.map { columns[table.name]?.contains($0) == true } ?? false
            let numbers = owner.map { numbering(table.name, column.name, of: $0, rowKey: "Z_PK") }
            steps.append(
                StoreRepair.Step(
                    purpose: purpose + ", with an order by key",
                    lost: rows > 0 ? "the order of the rows" : nil,
                    statements: [add] + (isOrdered ? [numbers].compactMap(\.self) : [])
                )
            )
        case .toManyOwner, .toManyOwnerOrderKey:
            self.add(purpose, lost: rows > 0 ? "its links were already lost" : nil, add)
        }
        columns[table.name]?.insert(column.name)
    }

    /// The number that all rows of a table must have.
    private func onlyNumber(of table: EntityTable, _ rows: Int64) throws(StoreError) -> Int? {
        let possible = layout.entities.filter {
            table.entities.contains($0.name) && !$0.isAbstract
        }
        if rows == 0 { return layout.number(of: table.rootEntity) }
        return possible.count == 1 ? possible[0].number : nil
    }

    /// Returns the statements that give an attribute its values; `nil` when they must be asked for.
    private mutating func valueStatements(
        _ reference: PropertyReference,
        _ path: [String],
        _ column: StoreColumn,
        _ table: EntityTable,
        _ assign: (String) -> String
    ) throws(StoreError) -> [String]? {
        let attribute = graph.entity(reference.entity)?.attributes
            .first { $0.name == reference.name }
        guard let attribute else { return [] }
        let scope = " WHERE \(isKind(of: reference.entity))"
        if let derivation = attribute.derivation {
            let value = try? derivedValue(
                derivation,
                of: RowScope(row: "s", entity: reference.entity),
                layout,
                graph
            )
            guard let value else { return [] }
            return [
                "UPDATE \(quotedIdentifier(table.name)) AS s SET \(quotedIdentifier(column.name)) = "
                    + value + scope
            ]
        }
        let name = "\(reference.entity).\(reference.name)"
        if path.isEmpty, let value = values[name] { return [assign(value.sqlLiteral) + scope] }
        guard !attribute.isOptional, path.isEmpty else { return [] }
        let hasNumbers = schema.columns[table.name]?.contains("Z_ENT") == true
        let condition = hasNumbers ? scope : ""
        guard try count(quotedIdentifier(table.name) + condition) > 0 else { return [] }
        refuse(
            "'\(name)' is required, and its values are gone",
            "give a value for all rows: --set \(name)=VALUE",
            asksFor: name
        )
        return nil
    }

    private func keyColumn(of relationship: PropertyReference) -> String? {
        let storage = layout.storage(of: relationship.name, declaredBy: relationship.entity)
        guard case .foreignKey(_, let column, _, _)? = storage else { return nil }
        return column
    }

    /// Brings the links of a to-one relationship back, as far as the other side knows them.
    private mutating func addLink(
        _ reference: PropertyReference,
        _ column: StoreColumn,
        _ table: EntityTable,
        _ add: String
    ) throws(StoreError) {
        let relationship = graph.entity(reference.entity)?.relationships
            .first { $0.name == reference.name }
        let purpose = "add the column \(column.name) to \(table.name)"
        let companion = companionStatements(of: reference, table)
        if let relationship, let (inverse, owner) = graph.inverse(of: relationship),
            case .foreignKey(let other, let key, _, _)? = layout.storage(
                of: inverse.name,
                declaredBy: owner.name
            ), other != table.name || key != column.name,
            schema.columns[other]?.contains(key) == true
        {
            let name = quotedIdentifier(table.name)
            let fill =
                "UPDATE \(name) SET \(quotedIdentifier(column.name)) = (SELECT min(d.Z_PK) FROM "
                + "\(quotedIdentifier(other)) AS d WHERE d.\(quotedIdentifier(key)) = "
                + "\(name).Z_PK) WHERE \(isKind(of: reference.entity))"
            steps.append(
                StoreRepair.Step(
                    purpose: purpose
                        + ", with the links that '\(owner.name).\(inverse.name)' knows",
                    statements: [add, fill] + companion
                )
            )
            return
        }
        let rows = try count(quotedIdentifier(table.name))
        guard rows == 0 || relationship.map(mayBeEmpty) != false else {
            return refuse(
                "'\(reference.entity).\(reference.name)', or its inverse, is required, and its links"
                    + " are gone",
                "restore the store from a backup: nothing tells where they led"
            )
        }
        steps.append(
            StoreRepair.Step(
                purpose: purpose,
                lost: rows > 0 ? "its links were already lost" : nil,
                statements: [add] + companion
            )
        )
    }

    /// Whether a relationship and its inverse may lead nowhere.
    private func mayBeEmpty(_ relationship: Relationship) -> Bool {
        guard relationship.isOptional else { return false }
        guard let inverse = graph.inverse(of: relationship)?.0 else { return true }
        return inverse.isOptional || (inverse.isToMany && (inverse.minCount ?? 0) == 0)
    }

    /// Brings the number of the destination's entity, which stands beside a link, in line with it.
    private func companionStatements(
        of reference: PropertyReference,
        _ table: EntityTable
    ) -> [String] {
        let storage = layout.storage(of: reference.name, declaredBy: reference.entity)
        guard case .foreignKey(_, _, let column?, _)? = storage,
            schema.columns[table.name]?.contains(column) == true
        else { return [] }
        return [
            "UPDATE \(quotedIdentifier(table.name)) SET \(quotedIdentifier(column)) = "
                + "\(entityNumber(of: reference, table)) WHERE \(isKind(of: reference.entity))"
        ]
    }

    /// The number of the entity that a link leads to, as a value of the row that has it.
    private func entityNumber(of reference: PropertyReference, _ table: EntityTable) -> String {
        let destination = graph.entity(reference.entity)?.relationships
            .first { $0.name == reference.name }?.destinationEntity
        guard let destination, let target = layout.table(of: destination),
            let key = keyColumn(of: reference)
        else { return "NULL" }
        return "(SELECT d.Z_ENT FROM \(quotedIdentifier(target.name)) AS d WHERE d.Z_PK = "
            + "\(quotedIdentifier(table.name)).\(quotedIdentifier(key)))"
    }
}
