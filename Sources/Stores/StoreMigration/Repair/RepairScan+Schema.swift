import Diagnostics
import Essentials
import ObjectModel
import SQLiteAccess
import StoreFormat

extension RepairScan {
    mutating func scanTables() throws(StoreError) {
        for table in layout.tables where !schema.hasTable(table.name) {
            let rows = try lostRows(of: table)
            let words = rows.map { "up to \($0.counted("object"))" } ?? "all objects that it had"
            try restore(table.name, .createTable(table), lost: rows == 0 ? nil : words)
        }
        for join in layout.joinTables where !schema.hasTable(join.name) {
            try restore(join.name, .createJoinTable(join), lost: lostLinks(of: join))
        }
        try scanHistoryTables()
    }

    /// The links that a lost join table may have had; `nil` if one side has no objects.
    private func lostLinks(of join: JoinTable) throws(StoreError) -> String? {
        var ends: [String] = []
        for side in [join.first, join.second] {
            guard let table = layout.table(of: side.entity), has(table.name, ["Z_ENT"]) else {
                return nil
            }
            guard let objects = try someRows(table.name, where: isKind(of: side.entity)) else {
                return nil
            }
            ends.append("\(objects) of '\(side.entity)'")
        }
        let both = ends.joined(separator: " and ")
        return "all links of '\(join.namingRelationship)' between \(both)"
    }

    /// Creates tables of persistent history whose rows `Z_PRIMARYKEY` still counts.
    private mutating func scanHistoryTables() throws(StoreError) {
        guard schema.hasTable("Z_PRIMARYKEY") else { return }
        var options = LayoutOptions()
        if let version = (try? StoreMetadata(connection))?.frameworkVersion {
            options.frameworkVersion = version
        }
        let history = HistoryLayout(model: model, options: options)
        let rows = try StoreFile(on: connection).primaryKeys()
        for row in HistoryLayout.lost(rows, Set(schema.columns.keys)) where row.isAlone {
            let finding = FindingKind(.missingTable, row.name)
            guard let table = history.tables.first(where: { $0.name == row.table }) else {
                refuse(
                    "the table \(row.table) is missing, with up to \(row.maximumKey.counted("row"))",
                    "restore the store from a backup: the layout of this table is unknown",
                    finding
                )
                continue
            }
            let lost = "up to \(row.maximumKey.counted("row")) of persistent history"
            create(table.name, .restore(table), lost: row.maximumKey > 0 ? lost : nil, finding)
            guard self.options.decisions.contains(.createEmptyTables) || row.maximumKey == 0 else {
                continue
            }
            for index in history.indexes where index.table == table.name {
                add(.createIndex(index))
            }
        }
    }

    /// The number of objects that a lost table may have had, by the number of keys used.
    private func lostRows(of table: EntityTable) throws(StoreError) -> Int64? {
        let number = layout.number(of: table.rootEntity) ?? 0
        return try connection.value("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = \(number)")?
            .integer
    }

    private mutating func restore(
        _ name: String,
        _ change: SchemaChange,
        lost: String?
    ) throws(StoreError) {
        let entity = layout.entity(ofTable: name)
        if let needed = try requiredLinks(in: name) {
            return refuse(
                "the table \(name) is missing, but the links of '\(needed)' in it are required",
                "restore the store from a backup: their destinations are unknown",
                FindingKind(.missingTable, entity)
            )
        }
        create(name, change, lost: lost, FindingKind(.missingTable, entity))
    }

    /// Creates a table empty; what it may have had, such as `up to 3 objects`, is named, and must be allowed.
    private mutating func create(
        _ name: String,
        _ change: SchemaChange,
        lost: String?,
        _ finding: FindingKind
    ) {
        guard let lost, holder(ofNameIn: change) == nil else { return add(change, curing: finding) }
        guard options.decisions.contains(.createEmptyTables) else {
            return refuse(
                "the table \(name) is missing, with \(lost)",
                "restore the store from a backup, or create the table empty with \(.advice(.createEmptyTables))",
                finding
            )
        }
        add(change, lost: "\(lost), already missing")
    }

    /// A required to-many relationship of existing objects whose links a table holds.
    private func requiredLinks(in table: String) throws(StoreError) -> String? {
        for (reference, relationship) in graph.storedRelationships
        where relationship.isToMany && !relationship.isOptional && relationship.minCount ?? 0 > 0 {
            guard layout.links(of: reference)?.table == table,
                let owner = layout.table(of: reference.entity), has(owner.name, ["Z_ENT"])
            else { continue }
            let isOwner = isKind(of: reference.entity)
            if try count(owner.name, where: isOwner) > 0 { return reference.description }
        }
        return nil
    }

    /// Restores missing columns; values that can be known are found afterwards.
    mutating func scanColumns() throws(StoreError) {
        for table in layout.tables where schema.hasTable(table.name) {
            guard has(table.name, ["Z_PK"]) else {
                refuse(
                    "the table \(table.name) lacks its keys (Z_PK)",
                    "restore the store from a backup: it is unknown which object a row is",
                    FindingKind(.missingColumn, table.rootEntity)
                )
                continue
            }
            for column in table.columns where !has(table.name, [column.name]) {
                try restore(column, of: table)
            }
        }
        for join in layout.joinTables where schema.hasTable(join.name) { restoreColumns(of: join) }
        for column in HistoryLayout.columns(of: model)
        where columns[column.table]?.contains(column.name) == false {
            let rows = try count(column.table)
            guard rows == 0 || column.content != nil else {
                refuse(
                    "the table \(column.table) lacks \(column.name), and has \(rows.counted("row"))",
                    "restore the store from a backup: the history cannot be read without it",
                    FindingKind(.missingColumn, nil)
                )
                continue
            }
            add(.addHistoryColumn(column), lost: rows > 0 ? column.content : nil)
        }
    }

    private mutating func restore(_ column: StoreColumn, of table: EntityTable) throws(StoreError) {
        let rows = try count(table.name)
        func write(_ value: String, _ what: String) -> RowChange {
            .write(table: table.name, column: column.name, value: value, where: "1", what: what)
        }
        switch column.role {
        case .primaryKey: return
        case .optimisticLock:
            add(.addColumn(column, of: table.name))
            if rows > 0 { add(write("1", "count \(table.name).Z_OPT from 1 again")) }
        case .entityNumber:
            guard let number = try onlyNumber(of: table, rows) else {
                return refuse(
                    "the table \(table.name) lacks the entities of its \(rows.counted("row")) (Z_ENT)",
                    "restore the store from a backup: the rows may belong to \(table.entities.joined(separator: ", "))",
                    FindingKind(.missingColumn, table.rootEntity)
                )
            }
            add(.addColumn(column, of: table.name))
            if rows > 0 { add(write("\(number)", "write \(table.name).Z_ENT, which is \(number)")) }
        case .attribute(let attribute, let path):
            add(.addColumn(column, of: table.name), lost: try loss(of: "value", attribute, table))
            if path.isEmpty { try fill(column, of: table, attribute) }
        case .toOne(let link):
            let relationship = graph.relationship(link)
            guard rows == 0 || relationship.map(mayBeRestored) != false else {
                return refuse(
                    "'\(link)', or its inverse, is required, but its links are lost",
                    "restore the store from a backup: their destinations are unknown",
                    FindingKind(.missingColumn, table.rootEntity)
                )
            }
            let isKnown = relationship.map(isKnownToInverse) ?? false
            let lost = try isKnown ? nil : loss(of: "link", link, table)
            add(.addColumn(column, of: table.name), lost: lost)
        // Numbering the rows again says which order is lost.
        case .toOneEntity, .orderKey, .toManyOwnerOrderKey: add(.addColumn(column, of: table.name))
        case .toManyOwner(let link):
            let lost = rows > 0 ? "up to \(rows.counted("link")) of '\(link)'" : nil
            add(.addColumn(column, of: table.name), lost: lost)
        }
    }

    /// What a lost column may have had, such as `up to 3 values of 'Book.title'`; `nil` if nothing.
    private func loss(
        of unit: String,
        _ property: PropertyReference,
        _ table: EntityTable
    ) throws(StoreError) -> String? {
        let kind = has(table.name, ["Z_ENT"]) ? isKind(of: property.entity) : "1"
        let rows = try count(table.name, where: kind)
        return rows > 0 ? "up to \(rows.counted(unit)) of '\(property)'" : nil
    }

    /// Gives a new column the values that are derived, or were given.
    private mutating func fill(
        _ column: StoreColumn,
        of table: EntityTable,
        _ property: PropertyReference
    ) throws(StoreError) {
        let (entity, name) = (property.entity, property.name)
        guard let attribute = graph.entity(entity)?.attributes.first(where: { $0.name == name })
        else { return }
        if attribute.derivation != nil {
            if let change = derivation(of: attribute, entity) { add(change) }
        } else if let value = options.values["\(property)"] {
            let stored = ExternalForm.stored(value.sqlLiteral, as: attribute)
            let what = "give '\(property)' the value \(value.words)"
            write(stored, to: column.name, of: table.name, where: isKind(of: entity), what)
        }
    }

    /// The step that computes a derived attribute; `nil` where SQL cannot.
    func derivation(of attribute: Attribute, _ entity: String) -> RowChange? {
        guard let derivation = attribute.derivation else { return nil }
        let reference = PropertyReference(entity: entity, name: attribute.name)
        let derived = DerivedAttribute(reference, derivation, graph)
        return try? derived.computation(layout, keepsValues: derived.readsClock)
    }

    private func onlyNumber(of table: EntityTable, _ rows: Int64) throws(StoreError) -> Int? {
        let possible = layout.entities.filter { table.entities.contains($0.name) && !$0.isAbstract }
        if rows == 0 { return layout.number(of: table.rootEntity) }
        return possible.count == 1 ? possible[0].number : nil
    }

    private func isKnownToInverse(_ relationship: Relationship) -> Bool {
        guard let (inverse, owner) = graph.inverse(of: relationship),
            let links = layout.links(inverse.name, of: owner.name, as: .key)
        else { return false }
        return has(links.table, [links.key])
    }

    /// Whether the inverse knows the links, or the relationship and its inverse may be empty.
    private func mayBeRestored(_ relationship: Relationship) -> Bool {
        if isKnownToInverse(relationship) { return true }
        guard relationship.isOptional else { return false }
        guard let inverse = graph.inverse(of: relationship)?.0 else { return true }
        return inverse.isOptional || (inverse.isToMany && (inverse.minCount ?? 0) == 0)
    }

    private mutating func restoreColumns(of join: JoinTable) {
        guard has(join.name, [join.first.name, join.second.name]) else {
            return refuse(
                "the table \(join.name) lacks a column of its links",
                """
                restore the links from a backup: DROP TABLE \(quotedIdentifier(join.name)), then repair creates it empty
                """,
                FindingKind(.missingColumn, join.namingRelationship.entity)
            )
        }
        for side in [join.first, join.second] {
            guard let key = side.orderKey, !has(join.name, [key]) else { continue }
            let role = ColumnRole.toManyOwnerOrderKey(side.leadsThrough)
            let column = StoreColumn(name: key, declaredType: "INTEGER", role: role)
            add(.addColumn(column, of: join.name))
        }
    }

    mutating func scanObjects() throws(StoreError) {
        for index in layout.missingIndexes(in: schema.objects) where hasColumns(of: index) {
            if index.isUnique, let entity = try ownerOfDuplicates(under: index) {
                refuse(
                    "rows have equal values, which the unique index \(index.name) does not allow",
                    "\(.verify) lists the rows; make their values different",
                    FindingKind(.missingIndex, nil),
                    FindingKind(.duplicateValue, entity.name, entity.property)
                )
                continue
            }
            add(.createIndex(index))
        }
        let own = OwnObjects(of: layout)
        for trigger in schema.triggers where own.isStale(trigger) {
            add(.dropTrigger(trigger.name, of: trigger.table))
        }
        let objects = Set(schema.columns.keys).union(schema.triggers.map(\.name))
        for index in layout.spatialIndexes where schema.hasTable(index.table) {
            if !objects.contains(index.name) {
                add(.createSpatial(index))
                add(.fillSpatial(index))
            }
            for trigger in layout.missingTriggers(in: schema.objects, of: index.triggers)
            where !objects.contains(trigger.name) { add(.createTrigger(trigger)) }
        }
        for trigger in layout.missingTriggers(in: schema.objects)
        where schema.hasTable(trigger.table) { add(.createTrigger(trigger)) }
    }

    /// Whether all columns of an index exist; an index that lacks one waits for the decision about it.
    private func hasColumns(of index: SchemaObject) -> Bool {
        guard schema.hasTable(index.table) else { return false }
        let expected = Set(layout.columnNames(of: index.table))
        let missing = expected.subtracting(schema.columns[index.table] ?? [])
        return missing.isDisjoint(with: index.sql.sqlWords)
    }

    /// The constraint that rows break and a unique index would enforce; `nil` when none do.
    private func ownerOfDuplicates(
        under index: SchemaObject
    ) throws(StoreError) -> (name: String, property: String)? {
        for entity in layout.entities where layout.table(of: entity.name)?.name == index.table {
            for constraint in graph.entity(entity.name)?.uniquenessConstraints ?? [] {
                guard let names = layout.columns(of: constraint.properties, in: entity.name),
                    names.allSatisfy({ index.sql.contains(quotedIdentifier($0)) }),
                    let condition = isDuplicate(constraint, in: entity.name, index.table)
                else { continue }
                guard try count(index.table, where: condition) == 0 else {
                    return (entity.name, constraint.properties[0])
                }
            }
        }
        return nil
    }
}
