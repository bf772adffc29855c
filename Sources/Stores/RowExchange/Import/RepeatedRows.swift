import Diagnostics
import ObjectModel
import SQLiteAccess
import StoreFormat

extension RowImport {
    /// Names rows that violate a uniqueness constraint; `nil` when none do.
    ///
    /// The unique index, which is made later, reports only columns. Many rows are left to it.
    func repeatedRows(
        _ model: ManagedObjectModel,
        _ layout: StoreLayout,
        _ connection: SQLiteConnection
    ) throws(StoreError) -> StoreError? {
        guard count <= 10_000 else { return nil }
        for entity in model.entities {
            guard let table = layout.table(of: entity.name) else { continue }
            for constraint in entity.uniquenessConstraints {
                guard let columns = layout.columns(of: constraint.properties, in: entity.name)
                else { continue }
                let found = try connection.rows(Self.repetitionQuery(table.name, columns))
                guard !found.isEmpty else { continue }
                return error(found, entity, constraint, layout)
            }
        }
        return nil
    }

    /// A query of the keys and entity numbers of duplicate rows; nil is never a duplicate.
    private static func repetitionQuery(_ table: String, _ columns: [String]) -> String {
        let list = columns.map(quotedIdentifier).joined(separator: ", ")
        let present = columns.map { "\(quotedIdentifier($0)) IS NOT NULL" }
            .joined(separator: " AND ")
        let name = quotedIdentifier(table)
        return """
            SELECT Z_PK, Z_ENT FROM \(name) WHERE \(present) AND (\(list)) = \
            (SELECT \(list) FROM \(name) WHERE \(present) GROUP BY \(list) \
            HAVING count(*) > 1 ORDER BY min(Z_PK) LIMIT 1) ORDER BY Z_PK LIMIT 5
            """
    }

    private func error(
        _ found: [[SQLiteValue]],
        _ entity: Entity,
        _ constraint: UniquenessConstraint,
        _ layout: StoreLayout
    ) -> StoreError {
        let names = names
        let references = found.compactMap { row -> String? in
            guard case .integer(let key)? = row.first, case .integer(let number)? = row.last,
                let owner = layout.entities.first(where: {
                    layout.number(of: $0.name).map(Int64.init) == number
                })
            else { return nil }
            return "\(owner.name)/p\(key)"
        }
        let list = references.map { names[$0] ?? $0 }.joined(separator: ", ")
        let properties = constraint.properties.joined(separator: ", ")
        let last = references.last.flatMap { reference in rows.first { $0.reference == reference } }
        let line = last.map { row in
            constraint.properties.compactMap { row.properties[$0] }.max() ?? row.line
        }
        return .rows(
            Diagnostic(
                .duplicateValue,
                "rows share a value of \(entity.name).\(properties), which must be unique: \(list)",
                at: line.map { FileLocation(path: path, line: $0) },
                element: entity.name
            )
        )
    }
}
