import Essentials
import Diagnostics
import ObjectModel
import SQLiteAccess

extension RowChecks {
    mutating func addRelationshipChecks(
        of relationship: Relationship,
        _ entity: Entity,
        _ table: EntityTable
    ) {
        let property = PropertyReference(entity: entity.name, name: relationship.name)
        guard let destination = relationship.destinationEntity,
            let target = layout.table(of: destination), has(target.name, ["Z_PK", "Z_ENT"]),
            let storage = layout.storage(relationship.name, of: entity.name)
        else { return }
        switch storage {
        case .foreignKey(_, let column, let entityColumn, let orderKey):
            guard has(table.name, [column]) else { return }
            let key = quotedIdentifier(column)
            addReferenceChecks(of: relationship, property, key, table.name, target.name)
            addCompanionChecks(property, key, entityColumn, orderKey, table.name, target.name)
            addPairCheck(of: relationship, property, key, table.name)
        case .inverseForeignKey(let source, let column, _, _):
            addCountChecks(of: relationship, property, table.name, source, column)
        case .joinTable(let name, let sourceColumn, _, _):
            addCountChecks(of: relationship, property, table.name, name, sourceColumn)
        case .ownerColumn(let name, let column, let orderKey):
            guard has(name, [column]) else { return }
            let key = quotedIdentifier(column)
            add(
                .danglingReference,
                property,
                "in the relationship of a missing object",
                in: name,
                where: "t.\(key) NOT NULL AND NOT \(exists(key, table.name, entity.name))"
            )
            if let orderKey, has(name, [orderKey]) {
                addOrderKeyCheck(property, key, quotedIdentifier(orderKey), in: name)
            }
            addCountChecks(of: relationship, property, table.name, name, column)
        case .none: break
        }
    }

    private mutating func addCompanionChecks(
        _ property: PropertyReference,
        _ key: String,
        _ entityColumn: String?,
        _ orderKey: String?,
        _ table: String,
        _ target: String
    ) {
        if let entityColumn, has(table, [entityColumn]) {
            addEntityColumnCheck(property, key, entityColumn, table, target)
        }
        if let orderKey, has(table, [orderKey]) {
            addOrderKeyCheck(property, key, quotedIdentifier(orderKey), in: table)
        }
    }

    mutating func addJoinChecks(of join: JoinTable) {
        for (column, other) in [(join.first, join.second), (join.second, join.first)] {
            guard let target = layout.table(of: column.entity), has(target.name, ["Z_PK", "Z_ENT"])
            else { continue }
            let key = quotedIdentifier(column.name)
            add(
                .danglingReference,
                column.leadsThrough,
                "row of join table \(join.name) that leads to a missing object",
                in: join.name,
                key: "rowid",
                where: "NOT \(exists(key, target.name, column.entity))"
            )
            if let orderKey = column.orderKey {
                addOrderKeyCheck(
                    column.leadsThrough,
                    quotedIdentifier(other.name),
                    quotedIdentifier(orderKey),
                    in: join.name,
                    rowKey: "rowid"
                )
            }
        }
    }

    private func exists(_ key: String, _ target: String, _ entity: String) -> String {
        "EXISTS (SELECT 1 FROM \(quotedIdentifier(target)) AS d WHERE d.Z_PK = t.\(key) "
            + "AND \(isKind(of: entity, row: "d")))"
    }

    private mutating func addReferenceChecks(
        of relationship: Relationship,
        _ property: PropertyReference,
        _ key: String,
        _ table: String,
        _ target: String
    ) {
        let scope = isKind(of: property.entity)
        if !relationship.isOptional {
            add(
                .missingDestination,
                property,
                "required, but without a destination",
                in: table,
                where: "\(scope) AND t.\(key) IS NULL"
            )
        }
        // A value that is not a key dangles regardless of what was deleted.
        let isKey = "typeof(t.\(key)) = 'integer'"
        add(
            .wrongType,
            property,
            "the stored value is not an object key, which is a whole number",
            in: table,
            where: "\(scope) AND t.\(key) NOT NULL AND NOT \(isKey)"
        )
        let (rule, message) = danglingRule(of: relationship)
        add(
            rule,
            property,
            message,
            in: table,
            where: "\(scope) AND \(isKey) AND NOT "
                + exists(key, target, relationship.destinationEntity ?? "")
        )
    }

    /// A missing object is more significant if its own delete rule should have handled the row.
    private func danglingRule(of relationship: Relationship) -> (RuleID, String) {
        switch graph.inverse(of: relationship)?.0.deleteRule {
        case .cascade:
            (
                .cascadeOrphan,
                "destination is missing; its deletion should have deleted this row too"
            )
        case .deny:
            (.denyViolated, "destination is missing; this row should have prevented its deletion")
        case .nullify, .noAction, nil:
            (.danglingReference, "destination is missing or of another entity")
        }
    }

    private mutating func addEntityColumnCheck(
        _ property: PropertyReference,
        _ key: String,
        _ entityColumn: String,
        _ table: String,
        _ target: String
    ) {
        let number = "t." + quotedIdentifier(entityColumn)
        add(
            .wrongEntityColumn,
            property,
            "column \(entityColumn) does not hold the destination's entity number",
            in: table,
            where: "\(isKind(of: property.entity)) AND (t.\(key) IS NULL AND \(number) NOT NULL OR "
                + "EXISTS (SELECT 1 FROM \(quotedIdentifier(target)) AS d WHERE d.Z_PK = t.\(key) "
                + "AND d.Z_ENT IS NOT \(number)))"
        )
    }

    private mutating func addOrderKeyCheck(
        _ property: PropertyReference,
        _ key: String,
        _ orderKey: String,
        in table: String,
        rowKey: String = "Z_PK"
    ) {
        add(
            .orderKey,
            property,
            "no order key, or the same one as another row",
            severity: .warning,
            in: table,
            key: rowKey,
            where: "t.\(key) NOT NULL AND (t.\(orderKey) IS NULL OR (t.\(key), t.\(orderKey)) IN "
                + "(SELECT \(key), \(orderKey) FROM \(quotedIdentifier(table)) "
                + "WHERE \(key) NOT NULL GROUP BY \(key), \(orderKey) HAVING COUNT(*) > 1))"
        )
    }

    /// Both sides of a one-to-one relationship have a column; they must agree.
    private mutating func addPairCheck(
        of relationship: Relationship,
        _ property: PropertyReference,
        _ key: String,
        _ table: String
    ) {
        guard let (inverse, owner) = graph.inverse(of: relationship), !inverse.isToMany,
            case .foreignKey(let other, let column, _, _)? = layout.storage(
                inverse.name,
                of: owner.name
            ), has(other, [column, "Z_PK"])
        else { return }
        add(
            .brokenInversePair,
            property,
            "destination does not point back through '\(inverse.name)'",
            in: table,
            where: "\(isKind(of: property.entity)) AND EXISTS (SELECT 1 FROM "
                + "\(quotedIdentifier(other)) AS d WHERE d.Z_PK = t.\(key) "
                + "AND d.\(quotedIdentifier(column)) IS NOT t.Z_PK)"
        )
    }

    /// Members are counted in one pass over the table that holds them, since it may lack an index.
    private mutating func addCountChecks(
        of relationship: Relationship,
        _ property: PropertyReference,
        _ table: String,
        _ memberTable: String,
        _ ownerColumn: String
    ) {
        guard has(memberTable, [ownerColumn]) else { return }
        let scope = isKind(of: property.entity)
        let owner = quotedIdentifier(ownerColumn)
        let members =
            "SELECT \(owner) FROM \(quotedIdentifier(memberTable)) WHERE \(owner) NOT NULL"
        let least = relationship.minCount ?? 0
        // Migrations add required to-many relationships without a least count, and leave them empty.
        if !relationship.isOptional, least > 0 {
            add(
                .missingDestination,
                property,
                "required, but without a destination",
                in: table,
                where: "\(scope) AND t.Z_PK NOT IN (\(members))"
            )
        }
        let most = relationship.maxCount ?? 0
        let (few, many) = (least.counted("destination"), most.counted("destination"))
        let bounds = [
            least > 1 ? ("fewer than \(few)", "COUNT(*) < \(least)") : nil,
            most > 0 ? ("more than \(many)", "COUNT(*) > \(most)") : nil,
        ]
        for (message, bound) in bounds.compactMap(\.self) {
            add(
                .destinationCount,
                property,
                message,
                in: table,
                where: "\(scope) AND t.Z_PK IN (\(members) GROUP BY \(owner) HAVING \(bound))"
            )
        }
    }
}
