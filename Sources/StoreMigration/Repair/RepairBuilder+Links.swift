import Essentials
import ObjectModel
import SQLiteAccess
import StoreFormat

extension RepairBuilder {
    /// Writes links on the side that lacks them, numbers of entities beside them, and order keys.
    mutating func repairLinks(of entity: Entity) throws(StoreError) {
        guard let table = layout.table(of: entity.name), schema.hasTable(table.name) else { return }
        for relationship in entity.relationships where !relationship.isTransient {
            let reference = PropertyReference(entity: entity.name, name: relationship.name)
            let storage = layout.storage(of: relationship.name, declaredBy: entity.name)
            switch storage {
            case .foreignKey(_, let column, let entityColumn, let orderKey)?:
                try repair(relationship, reference, table, column, entityColumn, orderKey)
            case .joinTable(let name, let source, _, let orderKey?)?:
                try renumber(name, orderKey, of: source, "rowid", reference)
            case .ownerColumn(let name, let column, let orderKey?)?:
                try renumber(name, orderKey, of: column, "Z_PK", reference)
            default: break
            }
        }
    }

    private mutating func repair(
        _ relationship: Relationship,
        _ reference: PropertyReference,
        _ table: EntityTable,
        _ column: String,
        _ entityColumn: String?,
        _ orderKey: String?
    ) throws(StoreError) {
        guard has(table.name, ["Z_ENT", column]),
            let destination = relationship.destinationEntity,
            let target = layout.table(of: destination)
        else { return }
        let (name, key) = (quotedIdentifier(table.name), quotedIdentifier(column))
        try clearLinks(relationship, reference, name, key)
        try pair(relationship, reference, table, column)
        guard has(target.name, ["Z_PK", "Z_ENT"]) else { return }
        if let entityColumn, has(table.name, [entityColumn]) {
            let number = quotedIdentifier(entityColumn)
            let actual =
                "(SELECT d.Z_ENT FROM \(quotedIdentifier(target.name)) AS d WHERE d.Z_PK = \(name).\(key))"
            let wrong =
                "\(name) WHERE \(isKind(of: reference.entity)) AND \(number) IS NOT \(actual)"
            let rows = try count(wrong)
            if rows > 0 {
                add(
                    "write the entity of \(rows.counted("destination")) of '\(reference.entity).\(reference.name)'",
                    "UPDATE \(name) SET \(number) = \(actual) WHERE \(isKind(of: reference.entity))"
                )
            }
        }
        if let orderKey { try renumber(table.name, orderKey, of: column, "Z_PK", reference) }
    }

    /// Takes links away that lead to no object, where that is wished for.
    private mutating func clearLinks(
        _ relationship: Relationship,
        _ reference: PropertyReference,
        _ name: String,
        _ key: String
    ) throws(StoreError) {
        let destination = relationship.destinationEntity ?? ""
        guard let isLost = leadsNowhere("\(name).\(key)", destination) else { return }
        let condition = "\(isKind(of: reference.entity)) AND \(key) NOT NULL AND \(isLost)"
        let rows = try count("\(name) WHERE \(condition)")
        guard rows == 0 || relationship.isOptional else {
            return refuse(
                "\(rows.counted("link")) of '\(reference.entity).\(reference.name)'"
                    + " \(rows == 1 ? "leads" : "lead") to no object, and it is required",
                "restore the store from a backup, or delete the objects in the app"
            )
        }
        clear(rows, of: reference, "UPDATE \(name) SET \(key) = NULL WHERE \(condition)")
    }

    mutating func clearLinks(of join: JoinTable) throws(StoreError) {
        var conditions: [String] = []
        for side in [join.first, join.second] {
            let key = "\(quotedIdentifier(join.name)).\(quotedIdentifier(side.name))"
            guard has(join.name, [side.name]), let isLost = leadsNowhere(key, side.entity) else {
                return
            }
            conditions.append(isLost)
        }
        let rows = "\(quotedIdentifier(join.name)) WHERE \(conditions.joined(separator: " OR "))"
        clear(try count(rows), of: join.namingRelationship, "DELETE FROM \(rows)")
    }

    /// The condition that a link leads to no object of an entity; `nil` where the objects cannot be told.
    private func leadsNowhere(_ link: String, _ entity: String) -> String? {
        guard let target = layout.table(of: entity) else { return nil }
        guard schema.hasTable(target.name) else { return "\(link) NOT NULL" }
        guard has(target.name, ["Z_PK", "Z_ENT"]) else { return nil }
        return "NOT EXISTS (SELECT 1 FROM \(quotedIdentifier(target.name)) AS d WHERE d.Z_PK = "
            + "\(link) AND \(isKind(of: entity, row: "d.")))"
    }

    /// Takes links away where that is agreed to, else asks for it.
    private mutating func clear(_ rows: Int64, of property: PropertyReference, _ statement: String)
    {
        guard rows > 0 else { return }
        let links = "\(rows.counted("link")) of '\(property.entity).\(property.name)'"
        let lead = rows == 1 ? "leads" : "lead"
        guard clearsLinks else {
            return refuse("\(links) \(lead) to no object", "remove with --clear-links")
        }
        add("remove \(links) that \(lead) to no object", statement)
    }

    /// Writes the links of a one-to-one relationship that only the other side knows.
    private mutating func pair(
        _ relationship: Relationship,
        _ reference: PropertyReference,
        _ table: EntityTable,
        _ column: String
    ) throws(StoreError) {
        guard let (inverse, owner) = graph.inverse(of: relationship), !inverse.isToMany,
            case .foreignKey(let other, let otherKey, _, _)? = layout.storage(
                of: inverse.name,
                declaredBy: owner.name
            ), has(other, ["Z_PK", otherKey]),
            other != table.name || otherKey != column
        else { return }
        let (name, key) = (quotedIdentifier(table.name), quotedIdentifier(column))
        let partner =
            "(SELECT min(d.Z_PK) FROM \(quotedIdentifier(other)) AS d WHERE "
            + "d.\(quotedIdentifier(otherKey)) = \(name).Z_PK)"
        let condition =
            "\(isKind(of: reference.entity)) AND \(key) IS NULL AND \(partner) NOT NULL"
        let rows = try count("\(name) WHERE \(condition)")
        guard rows > 0 else { return }
        add(
            "write \(rows.counted("link")) of '\(reference.entity).\(reference.name)' that"
                + " '\(owner.name).\(inverse.name)' knows",
            "UPDATE \(name) SET \(key) = \(partner) WHERE \(condition)"
        )
    }

    /// Numbers the rows of a list anew where keys are missing or not unique.
    private mutating func renumber(
        _ table: String,
        _ key: String,
        of owner: String,
        _ rowKey: String,
        _ reference: PropertyReference
    ) throws(StoreError) {
        guard has(table, [key, owner]) else { return }
        let (name, place) = (quotedIdentifier(table), quotedIdentifier(key))
        let member = quotedIdentifier(owner)
        let wrong =
            try count("\(name) WHERE \(member) NOT NULL AND \(place) IS NULL")
            + count(
                "(SELECT 1 FROM \(name) WHERE \(member) NOT NULL AND \(place) NOT NULL "
                    + "GROUP BY \(member), \(place) HAVING count(*) > 1)"
            )
        guard wrong > 0 else { return }
        add(
            "number the rows of '\(reference.entity).\(reference.name)' again, in their old order",
            numbering(table, key, of: owner, rowKey: rowKey)
        )
    }
}
