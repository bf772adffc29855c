import Essentials
import Diagnostics
import ObjectModel
import SQLiteAccess

/// The links of a to-one relationship, in a column of the objects that have it.
private struct CheckedLinks {
    var relationship: Relationship
    var property: PropertyReference
    var table: String
    /// The column, in quotes.
    var key: String
    /// The table of the destinations.
    var target: String
    /// The condition that a row is of the entity.
    var scope: String
}

extension RowChecks {
    mutating func addRelationshipChecks(
        of relationship: Relationship,
        _ entity: Entity,
        _ table: EntityTable
    ) {
        let property = PropertyReference(entity: entity.name, name: relationship.name)
        guard let destination = relationship.destinationEntity,
            let target = layout.table(of: destination), has(target.name, ["Z_PK", "Z_ENT"]),
            let links = layout.links(of: property)
        else { return }
        let key = quotedIdentifier(links.key)
        switch links.form {
        case .key:
            guard has(table.name, [links.key]) else { return }
            let checked = CheckedLinks(
                relationship: relationship,
                property: property,
                table: table.name,
                key: key,
                target: target.name,
                scope: isKind(of: entity.name)
            )
            addReferenceChecks(of: checked)
            if let column = links.entityColumn, has(table.name, [column]) {
                addEntityColumnCheck(of: checked, column)
            }
            addOrderKeyCheck(property, links.key, links.orderKey, in: table.name)
            addPairCheck(of: checked)
        case .inverseKey, .join: addCountChecks(of: relationship, property, table.name, links)
        case .owner:
            guard has(links.table, [links.key]) else { return }
            add(
                .danglingReference,
                property,
                "in the relationship of a missing object",
                in: links.table,
                where: "t.\(key) NOT NULL AND NOT \(exists(key, table.name, entity.name))"
            )
            addOrderKeyCheck(property, links.key, links.orderKey, in: links.table)
            addCountChecks(of: relationship, property, table.name, links)
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
            let orderKey = column.orderKey
            addOrderKeyCheck(
                column.leadsThrough,
                other.name,
                orderKey,
                in: join.name,
                rowKey: "rowid"
            )
        }
    }

    private func exists(_ key: String, _ target: String, _ entity: String) -> String {
        "EXISTS (SELECT 1 FROM \(quotedIdentifier(target)) AS d WHERE d.Z_PK = t.\(key) "
            + "AND \(isKind(of: entity, row: "d")))"
    }

    private mutating func addReferenceChecks(of links: CheckedLinks) {
        let (relationship, key) = (links.relationship, links.key)
        func add(_ rule: RuleID, _ message: String, where condition: String) {
            self.add(
                rule,
                links.property,
                message,
                in: links.table,
                where: "\(links.scope) AND \(condition)"
            )
        }
        if !relationship.isOptional {
            let message = "required, but without a destination"
            add(.missingDestination, message, where: "t.\(key) IS NULL")
        }
        // A value that is not a key dangles regardless of what was deleted.
        let isKey = "typeof(t.\(key)) = 'integer'"
        let message = "the stored value is not an object key, which is a whole number"
        add(.wrongType, message, where: "t.\(key) NOT NULL AND NOT \(isKey)")
        let (rule, missing) = danglingRule(of: relationship)
        let isThere = exists(key, links.target, relationship.destinationEntity ?? "")
        add(rule, missing, where: "\(isKey) AND NOT \(isThere)")
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

    private mutating func addEntityColumnCheck(of links: CheckedLinks, _ entityColumn: String) {
        let (key, number) = (links.key, "t." + quotedIdentifier(entityColumn))
        add(
            "wrong-entity-column",
            links.property,
            "column \(entityColumn) does not hold the destination's entity number",
            in: links.table,
            where: "\(links.scope) AND (t.\(key) IS NULL AND \(number) NOT NULL OR "
                + "EXISTS (SELECT 1 FROM \(quotedIdentifier(links.target)) AS d WHERE d.Z_PK = t.\(key) "
                + "AND d.Z_ENT IS NOT \(number)))"
        )
    }

    /// Adds the check of the order that rows of one owner have, where they have one.
    private mutating func addOrderKeyCheck(
        _ property: PropertyReference,
        _ owner: String,
        _ orderKey: String?,
        in table: String,
        rowKey: String = "Z_PK"
    ) {
        guard let orderKey, has(table, [orderKey]) else { return }
        let (key, order) = (quotedIdentifier(owner), quotedIdentifier(orderKey))
        add(
            .orderKey,
            property,
            "no order key, or the same one as another row",
            severity: .warning,
            in: table,
            key: rowKey,
            where: "t.\(key) NOT NULL AND (t.\(order) IS NULL OR (t.\(key), t.\(order)) IN "
                + "(SELECT \(key), \(order) FROM \(quotedIdentifier(table)) "
                + "WHERE \(key) NOT NULL GROUP BY \(key), \(order) HAVING COUNT(*) > 1))"
        )
    }

    /// Both sides of a one-to-one relationship have a column; they must agree.
    private mutating func addPairCheck(of links: CheckedLinks) {
        guard let (inverse, owner) = graph.inverse(of: links.relationship), !inverse.isToMany,
            let back = layout.links(inverse.name, of: owner.name, as: .key),
            has(back.table, [back.key, "Z_PK"])
        else { return }
        add(
            "broken-inverse-pair",
            links.property,
            "destination does not point back through '\(inverse.name)'",
            in: links.table,
            where: "\(links.scope) AND EXISTS (SELECT 1 FROM "
                + "\(quotedIdentifier(back.table)) AS d WHERE d.Z_PK = t.\(links.key) "
                + "AND d.\(quotedIdentifier(back.key)) IS NOT t.Z_PK)"
        )
    }

    /// Members are counted in one pass over the table that holds them, since it may lack an index.
    private mutating func addCountChecks(
        of relationship: Relationship,
        _ property: PropertyReference,
        _ table: String,
        _ links: StoredLinks
    ) {
        guard has(links.table, [links.key]) else { return }
        let scope = isKind(of: property.entity)
        let owner = quotedIdentifier(links.key)
        let members =
            "SELECT \(owner) FROM \(quotedIdentifier(links.table)) WHERE \(owner) NOT NULL"
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
