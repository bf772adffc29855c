package import Diagnostics
package import ObjectModel
package import SQLiteAccess

/// A column that belongs to no property, and may be one that is missing: somebody gave it another name.
package struct RenamedColumn: Sendable, Hashable {
    /// The name that it has.
    package var name: String
    /// The statement that gives it its old name back.
    package var statement: String

    /// Looks for a column that may be a missing one: the only one of the same type that has a value in every row of an entity
    /// that must have some, else in one row at least.
    ///
    /// - Parameters:
    ///   - missing: the column that is not there.
    ///   - table: its table.
    ///   - graph: the model.
    ///   - layout: the layout of the store.
    ///   - connection: the store.
    /// - Returns: the column; `nil` where there is none, or are several.
    /// - Throws: `StoreError` when the store cannot be read.
    package static func of(
        _ missing: StoreColumn,
        in table: EntityTable,
        _ graph: ModelGraph,
        _ layout: StoreLayout,
        on connection: SQLiteConnection
    ) throws(StoreError) -> RenamedColumn? {
        guard let need = Need(missing, graph, layout) else { return nil }
        let known = Set(table.columns.map(\.name))
        let present = try connection.columns(of: table.name)
        guard present.contains(where: { $0.name == "Z_ENT" }) else { return nil }
        var found: [String] = []
        for column in present where !known.contains(column.name) {
            let isSameType =
                column.type.lowercased() == missing.declaredType.lowercased()
            guard isSameType, try need.isMet(by: column.name, of: table.name, on: connection) else {
                continue
            }
            found.append(column.name)
        }
        guard found.count == 1 else { return nil }
        let (old, new) = (quotedIdentifier(found[0]), quotedIdentifier(missing.name))
        return RenamedColumn(
            name: found[0],
            statement: "ALTER TABLE \(quotedIdentifier(table.name)) RENAME COLUMN \(old) TO \(new)"
        )
    }

    /// Says what is to be done, where it is the missing one.
    ///
    /// - Parameter store: the path of the store.
    /// - Returns: the words.
    package func remedy(in store: String) -> Wording {
        "if \(name) holds the values, give it its name back, after a backup: \(.statement(statement, store: store))"
    }
}

/// What the values of a column must be.
private struct Need {
    let entity: String
    let isRequired: Bool
    let type: AttributeType?
    let numbers: [Int]

    /// `nil` for a column of no property's values.
    init?(_ column: StoreColumn, _ graph: ModelGraph, _ layout: StoreLayout) {
        switch column.role {
        case .attribute(let entity, let name, let path):
            guard let owner = graph.entity(entity),
                let attribute = graph.leaf(name, at: path, of: owner)
            else { return nil }
            (self.entity, type) = (entity, attribute.type)
            isRequired = !attribute.isOptional
        case .toOne(let entity, let name):
            guard let link = graph.relationship(name, ofEntity: entity) else { return nil }
            (self.entity, type, isRequired) = (entity, nil, !link.isOptional)
        default: return nil
        }
        numbers = layout.numbers(ofHierarchy: entity)
    }

    func isMet(
        by name: String,
        of table: String,
        on connection: SQLiteConnection
    ) throws(StoreError) -> Bool {
        let value = "t." + quotedIdentifier(name)
        let rows =
            "\(quotedIdentifier(table)) AS t WHERE t.Z_ENT BETWEEN \(numbers.first ?? 0) "
            + "AND \(numbers.last ?? 0)"
        let isKey = "typeof(\(value)) = 'integer'"
        let form = type.map { storedForm(of: $0, value)?.condition ?? "1" } ?? isKey
        func count(_ condition: String) throws(StoreError) -> Int64 {
            try connection.value("SELECT count(*) FROM \(rows) AND \(condition)")?.integer ?? 0
        }
        let filled = try count("\(value) NOT NULL")
        let misfits = try count("\(value) NOT NULL AND NOT (\(form))")
        guard filled > 0, misfits == 0 else { return false }
        guard isRequired else { return true }
        return try count("\(value) IS NULL") == 0
    }
}
