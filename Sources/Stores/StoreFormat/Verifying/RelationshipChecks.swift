import Essentials
package import Diagnostics
package import ObjectModel
import SQLiteAccess

extension RuleID {
    package static let missingDestination: RuleID = "missing-destination"
    package static let destinationCount: RuleID = "destination-count"
    package static let danglingReference: RuleID = "dangling-reference"
    package static let cascadeOrphan: RuleID = "cascade-orphan"
    package static let denyViolated: RuleID = "deny-violated"
    package static let orderKey: RuleID = "order-key"
}

let linkDamage: [RuleID: Damage] = [
    .missingDestination: .person("A required relationship has no destination."),
    .destinationCount: .person("A to-many relationship has too few or too many destinations."),
    .danglingReference: .lostLinks("A row refers to a missing object, or to another entity's."),
    .cascadeOrphan: .lostLinks("A row stayed although the deletion of its owner includes it."),
    .denyViolated: .lostLinks("An object was deleted although rows should have kept it."),
    .orderKey: .repair("A row of an ordered relationship has no order key, or a shared one."),
    "wrong-entity-column": .repair("The entity number beside a key is not the destination's."),
    "broken-inverse-pair": .repairing(
        "The two sides of a one-to-one relationship do not refer to each other.",
        "add links that one side lacks, and correct contradicting ones in the app"
    ),
]

/// The links of a to-one relationship, in a column of the objects that have it, with the conditions under which that of
/// row `t` is broken.
package struct KeyLinks {
    package let property: PropertyReference
    package let relationship: Relationship
    /// Where they are; without columns that the store lacks.
    fileprivate(set) package var links: StoredLinks
    /// The table of the destinations.
    package let target: String
    package let destination: String
    /// The condition that a row is of the entity.
    package let scope: String
    /// The condition that a row `d` is of the destination.
    fileprivate let isDestination: String

    package var table: String { links.table }
    package var column: String { links.key }
    package var key: String { "t." + quotedIdentifier(column) }

    package var isNull: String { "\(scope) AND \(key) IS NULL" }

    /// The condition that no row has the key, regardless of the entity of `t`.
    package var isMissing: String { "(\(key) NOT NULL AND NOT \(exists()))" }

    package var leadsToOtherEntity: String { "\(scope) AND \(exists("NOT (\(isDestination))"))" }

    fileprivate var isNoKey: String { "\(scope) AND \(key) NOT NULL AND NOT \(isKey)" }

    fileprivate var dangles: String { "\(scope) AND \(isKey) AND NOT \(exists(isDestination))" }

    private var isKey: String { "typeof(\(key)) = 'integer'" }

    /// The condition that a column beside the links has other numbers than those of the destinations' entities.
    package func isWrong(entityColumn: String) -> String {
        let number = "t." + quotedIdentifier(entityColumn)
        return "\(scope) AND (\(key) IS NULL AND \(number) NOT NULL OR "
            + "\(exists("d.Z_ENT IS NOT \(number)")))"
    }

    private func exists(_ condition: String? = nil) -> String {
        "EXISTS (SELECT 1 FROM \(quotedIdentifier(target)) AS d WHERE d.Z_PK = \(key)"
            + "\(condition.map { " AND \($0)" } ?? ""))"
    }
}

extension LaidOut {
    package func keyLinks(of relationship: Relationship, in entity: String) -> KeyLinks? {
        guard !relationship.isTransient, let destination = relationship.destinationEntity,
            let target = layout.table(of: destination)?.name, has(target, ["Z_PK", "Z_ENT"]),
            var links = layout.links(relationship.name, of: entity, as: .key),
            has(links.table, ["Z_PK", "Z_ENT", links.key])
        else { return nil }
        links.entityColumn = links.entityColumn.flatMap { has(links.table, [$0]) ? $0 : nil }
        links.orderKey = links.orderKey.flatMap { has(links.table, [$0]) ? $0 : nil }
        return KeyLinks(
            property: PropertyReference(entity: entity, name: relationship.name),
            relationship: relationship,
            links: links,
            target: target,
            destination: destination,
            scope: isKind(of: entity),
            isDestination: isKind(of: destination, row: "d")
        )
    }
}

extension RowChecks {
    mutating func addRelationshipChecks(
        of relationship: Relationship,
        _ entity: Entity,
        _ table: EntityTable
    ) {
        if let links = keyLinks(of: relationship, in: entity.name) {
            addReferenceChecks(of: links)
            addOrderKeyCheck(links.property, links.column, links.links.orderKey, in: links.table)
            return addPairCheck(of: links)
        }
        let property = PropertyReference(entity: entity.name, name: relationship.name)
        guard let destination = relationship.destinationEntity,
            let target = layout.table(of: destination), has(target.name, ["Z_PK", "Z_ENT"]),
            let links = layout.links(of: property), links.form != .key
        else { return }
        if links.form == .owner {
            guard has(links.table, [links.key]) else { return }
            let key = quotedIdentifier(links.key)
            let isGone = "t.\(key) NOT NULL AND NOT \(exists(key, table.name, entity.name))"
            let message = "in the relationship of a missing object"
            add(.danglingReference, property, message, in: links.table, where: isGone)
            addOrderKeyCheck(property, links.key, links.orderKey, in: links.table)
        }
        addCountChecks(of: relationship, property, table.name, links)
    }

    mutating func addJoinChecks(of join: JoinTable) {
        for (column, other) in [(join.first, join.second), (join.second, join.first)] {
            guard let target = layout.table(of: column.entity), has(target.name, ["Z_PK", "Z_ENT"])
            else { continue }
            let (property, orderKey) = (column.leadsThrough, column.orderKey)
            let message = "row of join table \(join.name) that leads to a missing object"
            let isGone = "NOT \(exists(quotedIdentifier(column.name), target.name, column.entity))"
            add(.danglingReference, property, message, in: join.name, key: "rowid", where: isGone)
            addOrderKeyCheck(property, other.name, orderKey, in: join.name, rowKey: "rowid")
        }
    }

    private func exists(_ key: String, _ target: String, _ entity: String) -> String {
        "EXISTS (SELECT 1 FROM \(quotedIdentifier(target)) AS d WHERE d.Z_PK = t.\(key) "
            + "AND \(isKind(of: entity, row: "d")))"
    }

    private mutating func addReferenceChecks(of links: KeyLinks) {
        func add(_ rule: RuleID, _ message: String, where condition: String) {
            self.add(rule, links.property, message, in: links.table, where: condition)
        }
        if !links.relationship.isOptional {
            add(.missingDestination, "required, but without a destination", where: links.isNull)
        }
        // A value that is not a key dangles regardless of what was deleted.
        let message = "the stored value is not an object key, which is a whole number"
        add(.wrongType, message, where: links.isNoKey)
        let (rule, missing) = danglingRule(of: links.relationship)
        add(rule, missing, where: links.dangles)
        guard let column = links.links.entityColumn else { return }
        let words = "column \(column) does not hold the destination's entity number"
        add("wrong-entity-column", words, where: links.isWrong(entityColumn: column))
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
        let isWrong =
            "t.\(key) NOT NULL AND (t.\(order) IS NULL OR (t.\(key), t.\(order)) IN "
            + "(SELECT \(key), \(order) FROM \(quotedIdentifier(table)) "
            + "WHERE \(key) NOT NULL GROUP BY \(key), \(order) HAVING COUNT(*) > 1))"
        let words = "no order key, or the same one as another row"
        add(.orderKey, property, words, severity: .warning, in: table, key: rowKey, where: isWrong)
    }

    /// Both sides of a one-to-one relationship have a column; they must agree.
    private mutating func addPairCheck(of links: KeyLinks) {
        guard let (inverse, owner) = graph.inverse(of: links.relationship), !inverse.isToMany,
            let back = layout.links(inverse.name, of: owner.name, as: .key),
            has(back.table, [back.key, "Z_PK"])
        else { return }
        let message = "destination does not point back through '\(inverse.name)'"
        let isBroken =
            "\(links.scope) AND EXISTS (SELECT 1 FROM \(quotedIdentifier(back.table)) AS d WHERE "
            + "d.Z_PK = \(links.key) AND d.\(quotedIdentifier(back.key)) IS NOT t.Z_PK)"
        add("broken-inverse-pair", links.property, message, in: links.table, where: isBroken)
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
            let condition = "\(scope) AND t.Z_PK NOT IN (\(members))"
            let message = "required, but without a destination"
            add(.missingDestination, property, message, in: table, where: condition)
        }
        let most = relationship.maxCount ?? 0
        let (few, many) = (least.counted("destination"), most.counted("destination"))
        let bounds = [
            least > 1 ? ("fewer than \(few)", "COUNT(*) < \(least)") : nil,
            most > 0 ? ("more than \(many)", "COUNT(*) > \(most)") : nil,
        ]
        for (message, bound) in bounds.compactMap(\.self) {
            let owners = "(\(members) GROUP BY \(owner) HAVING \(bound))"
            let condition = "\(scope) AND t.Z_PK IN \(owners)"
            add(.destinationCount, property, message, in: table, where: condition)
        }
    }
}
