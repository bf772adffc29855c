package import Diagnostics
import Essentials
import ModelHashing
package import ObjectModel
package import SQLiteAccess
package import StoreFormat

package struct RowExportOptions: Sendable, Hashable {
    /// The entities whose rows are exported, with their sub-entities; all when empty.
    package var entities: [String]
    /// A condition for rows, in the predicate format language; it is about each exported entity.
    package var predicate: String?
    /// Whether rows that required links lead to are exported too, recursively.
    package var takesRequired: Bool

    /// Creates options; the defaults are a full export.
    package init(entities: [String] = [], predicate: String? = nil, takesRequired: Bool = false) {
        (self.entities, self.predicate, self.takesRequired) = (entities, predicate, takesRequired)
    }
}

/// Writes the rows of a store as canonical JSON.
///
/// The text is an object with an array of rows for each entity that has some, entities by name, rows by key, one row to
/// a line:
///
/// ```
/// {
/// "Person": [
/// {"@id": "p1", "employer": "Company/p1", "friends": ["Person/p2"], "name": "Ada"},
/// {"@id": "p2", "name": "Bob"}
/// ]
/// }
/// ```
///
/// Each row has its key as `@id`, then its properties by name; nil and empty relationships are left out, but a derived
/// attribute without value is null, and so is a required one that has a default. Integers beyond 2⁵³ and decimals are
/// strings, dates ISO 8601 with as many decimals as the stored number needs (seconds since 2001 as a number outside the
/// years 0 to 9999), bytes base64, composites objects. A value that does not have its attribute's type is an object
/// that says how it is stored, such as `{"@text": "many"}`. Links are written on both sides as `Entity/id`; unordered
/// ones sorted by entity, then by key. What depends only on the history of the store is not exported: update counters,
/// order keys, keys of deleted rows, persistent history. Nor are the records of CloudKit mirroring. The same store
/// gives the same bytes, and memory does not grow with the number of rows.
///
/// - Parameters:
///   - file: the store.
///   - model: the model that the store was made with.
///   - options: which rows.
///   - write: takes the text piece by piece.
/// - Returns: the number of rows, a note on links to rows that were not chosen, and what in the store is not as its
///   model says: values that are not of their attribute's type and links to missing rows, which are written as they are
///   stored, and rows of unknown entities, which are left out.
/// - Throws: ``StoreError`` if the store cannot be read or belongs to another model; or what `write` throws.
@discardableResult
package func exportRows(
    of file: StoreFile,
    model: ManagedObjectModel,
    options: RowExportOptions = RowExportOptions(),
    to write: ([UInt8]) throws(StoreError) -> Void
) throws(StoreError) -> Diagnosed<Int> {
    let chosen = try ChosenRows(of: file, model: model, options)
    let store = chosen.store
    var diagnostics = options.entities.isEmpty ? try store.unknownRows() : []
    var text = JSONText(capacity: RowWriter.pieceSize * 2)
    var count = 0
    text.append("{")
    var isFirst = true
    for entity in chosen.entities {
        guard let rows = try chosen.rows(of: entity) else { continue }
        var writer = try RowWriter(rows, store)
        let isNew = try writer.writeAll(into: &text, after: isFirst ? "\n" : ",\n", write)
        if isNew { isFirst = false }
        count += writer.count
        diagnostics += writer.diagnostics
        diagnostics += try store.danglingLinks(of: rows)
    }
    text.append(isFirst ? "}\n" : "\n}\n")
    try write(text.bytes)
    if !options.entities.isEmpty || options.predicate != nil {
        diagnostics += try linksToOthers(chosen)
    }
    return Diagnosed(count, diagnostics)
}

/// Writes the rows of a store as canonical JSON in memory; see ``exportRows(of:model:options:to:)``.
package func exportedRows(
    of file: StoreFile,
    model: ManagedObjectModel,
    options: RowExportOptions = RowExportOptions()
) throws(StoreError) -> [UInt8] {
    var bytes: [UInt8] = []
    try exportRows(of: file, model: model, options: options) { piece throws(StoreError) in
        bytes += piece
    }
    return bytes
}

extension LaidOutStore {
    /// A warning for each relationship with links to missing rows.
    fileprivate func danglingLinks(of rows: EntityRows) throws(StoreError) -> [Diagnostic] {
        let fields = rows.fields
        var diagnostics: [Diagnostic] = []
        for link in fields.fields.compactMap(\.link) {
            let links = link.links
            // Where the destinations hold the links, none leads to a missing row.
            guard [.key, .join].contains(links.form),
                let target = layout.table(of: link.destination)
            else { continue }
            let isKey = links.form == .key
            let column = "\(isKey ? "t" : "j").\(quotedIdentifier(links.destination))"
            let (join, source) = (quotedIdentifier(links.table), quotedIdentifier(links.source))
            let sql =
                "SELECT COUNT(DISTINCT t.Z_PK), MIN(t.Z_PK) FROM \(quotedIdentifier(fields.table)) AS t "
                + (isKey ? "" : "JOIN \(join) AS j ON j.\(source) = t.Z_PK ")
                + "WHERE \(rows.filter) AND \(column) NOT NULL "
                + "AND NOT EXISTS (SELECT 1 FROM \(quotedIdentifier(target.name)) AS d "
                + "WHERE d.Z_PK = \(column))"
            let row = try connection.rows(sql).first
            guard let row, let count = row[0].integer, count > 0, let key = row[1].integer else {
                continue
            }
            let element = "\(fields.entity.name).\(link.property.name)"
            let more = count > 1 ? ", …" : ""
            diagnostics.report(
                .danglingReference,
                "\(element): \(Int(clamping: count).counted("row")) with a link to a missing row (p\(key)\(more))",
                severity: .warning,
                at: FileLocation(path: file.path),
                element: element
            )
        }
        return diagnostics
    }

    /// Refuses a store that lacks tables or columns of some entities, or all; or that has views in place of tables, as a
    /// view may be a query without end.
    func requireTables(of entities: [String]? = nil) throws(StoreError) {
        func refuse(_ message: String) -> StoreError {
            .rows(Diagnostic("unexpected-layout", message, at: FileLocation(path: file.path)))
        }
        for view in schema where view.kind == .view && layout.tableNames.contains(view.name) {
            throw refuse("\(view.name) is a view, but Core Data uses a table")
        }
        let missing = layout.missing(from: columns, of: entities)
        guard missing.isEmpty else { throw refuse(layoutFault(missing)) }
    }

    /// Rows can be identified only when the store numbers its entities as the model does.
    func requireFit() throws(StoreError) {
        let rows = try file.primaryKeys()
        let own = Dictionary(firstOf: rows.map { ($0.number, $0) })
        let fits = layout.entities.allSatisfy { entity in
            // A migration that renames an entity leaves its old name here.
            own[Int64(entity.number)]?.superNumber == Int64(entity.superNumber)
        }
        // With the layout's exact columns rows can be read, even if the model differs in what these do not show; comparing
        // columns is faster than hashing a model.
        let hasColumns = layout.tables.allSatisfy { table in
            columns[table.name] == Set(table.columns.map(\.name))
        }
        guard fits, hasColumns || metadata.hashes == versionHashes(of: model) else {
            if !fits, metadata.hashes == versionHashes(of: model) {
                throw .rows(damagedNumbers(rows))
            }
            throw .rows(
                Diagnostic(
                    .otherModel,
                    metadata.saysVersion
                        ? "another version of the model wrote the store; name that version, or migrate first"
                        : "the store does not say which version of the model wrote it, and its tables do not fit this one",
                    at: FileLocation(path: file.path)
                )
            )
        }
    }

    /// Says what is wrong with the numbers of entities in a store with the model's hashes: it is damaged.
    private func damagedNumbers(_ rows: [PrimaryKeyRow]) -> Diagnostic {
        let fault = numberFindings(layout, rows, Set(columns.keys)).findings.first {
            $0.severity == .error
        }
        return Diagnostic(
            .entityNumbers,
            saying: """
                \(fault?.message ?? "the entity numbers are wrong"), although this version wrote the store: its table \
                Z_PRIMARYKEY is damaged; \(.examine) shows what else is wrong, and \(.repair) restores its rows
                """,
            at: FileLocation(path: file.path),
            element: fault?.element
        )
    }

    /// Rows that belong to no entity cannot be written; they must not be lost silently.
    func unknownRows() throws(StoreError) -> [Diagnostic] {
        var diagnostics: [Diagnostic] = []
        for table in layout.tables {
            let sql =
                "SELECT COUNT(*), MIN(Z_PK) FROM \(quotedIdentifier(table.name)) AS t "
                + "WHERE (\(layout.isKind(of: table.rootEntity))) IS NOT 1"
            let row = try connection.rows(sql).first ?? []
            guard let count = row.first?.integer, count > 0 else { continue }
            let first = row.last?.integer.map { ", the first of them p\($0)" } ?? ""
            let message =
                "\(table.rootEntity): \(count) \(count == 1 ? "row is" : "rows are") of an entity outside the "
                + "hierarchy and left out\(first); verify lists them"
            let location = FileLocation(path: file.path)
            diagnostics.report(
                .damagedValue,
                message,
                severity: .warning,
                at: location,
                element: table.rootEntity
            )
        }
        return diagnostics
    }
}

/// Rows of a store with those that they require through to-one relationships, recursively.
///
/// Their keys are in a temporary table, so memory does not grow with their number. Links are followed in rounds, each
/// from the rows that the previous round added; a cycle of links ends where it adds none.
struct RequiredRows {
    private struct Link {
        /// The indexes of the source and destination tables in the layout.
        let source, target: Int
        /// Adds the rows that it leads to; its arguments are the rounds to add and to follow.
        let statement: Statement
    }

    private let connection: SQLiteConnection
    /// The index of each table in the layout, by name.
    private let places: [String: Int]
    private let links: [Link]

    init(_ store: LaidOutStore) throws(StoreError) {
        let (layout, connection) = (store.layout, store.connection)
        let places = Dictionary(firstOf: layout.tables.enumerated().map { ($1.name, $0) })
        (self.connection, self.places) = (connection, places)
        try connection.execute("DROP TABLE IF EXISTS temp.momtool_required")
        try connection.execute(
            "CREATE TEMP TABLE momtool_required (place INTEGER, key, round INTEGER, "
                + "PRIMARY KEY (place, key)) WITHOUT ROWID"
        )
        try connection.execute(
            "CREATE INDEX temp.momtool_rounds ON momtool_required (place, round)"
        )
        var links: [Link] = []
        for entity in layout.entities {
            guard let fields = RowFields(of: entity, in: store.layout),
                let source = places[fields.table]
            else { continue }
            for case .toOne(let field) in fields.fields where !field.relationship.isOptional {
                guard let table = layout.table(of: field.destination),
                    let target = places[table.name]
                else { continue }
                let column = "t.\(quotedIdentifier(field.links.key))"
                let sql =
                    "INSERT OR IGNORE INTO temp.momtool_required SELECT \(target), \(column), ? "
                    + "FROM temp.momtool_required AS r CROSS JOIN \(quotedIdentifier(fields.table)) AS t "
                    + "ON t.Z_PK = r.key WHERE r.place = \(source) AND r.round = ? "
                    + "AND t.Z_ENT = \(entity.number) AND \(column) NOT NULL"
                let statement = try Statement(sql, on: connection)
                links.append(Link(source: source, target: target, statement: statement))
            }
        }
        self.links = links
    }

    func add(_ rows: EntityRows) throws(StoreError) {
        guard let place = places[rows.fields.table] else { return }
        try connection.execute(
            "INSERT OR IGNORE INTO temp.momtool_required SELECT \(place), t.Z_PK, 0 \(rows.source)"
        )
    }

    /// Adds required rows until there are no further ones.
    func follow() throws(StoreError) {
        var fresh = Set(places.values)
        var round: Int64 = 0
        while !fresh.isEmpty {
            var added: Set<Int> = []
            for link in links where fresh.contains(link.source) {
                try link.statement.run([.integer(round + 1), .integer(round)])
                if connection.changeCount > 0 { added.insert(link.target) }
            }
            (fresh, round) = (added, round + 1)
        }
    }

    func condition(for table: String) -> String {
        "t.Z_PK IN (SELECT key FROM temp.momtool_required WHERE place = \(places[table] ?? -1))"
    }
}
