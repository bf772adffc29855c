import MappingInference
import SQLiteAccess
import StoreFormat

/// Indexes and triggers that are not Core Data's: they stay where the tables and columns that they name stay.
///
/// They are set aside while a program runs, so that they do nothing at its changes.
struct ForeignObjects {
    /// What becomes of one.
    enum Settlement {
        case restored(SchemaChange)
        case abandoned(AbandonedObject)
        /// Core Data left it, and nobody misses it.
        case forgotten
    }

    /// The old tables that stand no more under their names, and what stands no more in the others; in lower case.
    private(set) var goneTables: Set<String> = []
    private(set) var goneColumns: [String: Set<String>] = [:]
    private let numbersChange: Bool
    /// The indexes and triggers that are Core Data's, before or after.
    private let own: OwnObjects

    private static let systemTables: Set = ["z_metadata", "z_modelcache", "z_primarykey"]

    /// Compares two layouts.
    ///
    /// - Parameters:
    ///   - source: the layout before.
    ///   - destination: the layout afterwards.
    ///   - abandoned: what goes beside Core Data's own: its columns cannot be named any more.
    init(
        from source: StoreLayout,
        to destination: StoreLayout,
        without abandoned: [AbandonedObject]
    ) {
        let present = Dictionary(
            Self.columns(of: destination),
            uniquingKeysWith: { first, _ in first }
        )
        for (table, columns) in Self.columns(of: source) {
            guard let left = present[table] else {
                goneTables.insert(table)
                continue
            }
            goneColumns[table] = columns.subtracting(left)
        }
        for column in abandoned where column.kind == .column {
            goneColumns[column.table.lowercased(), default: []].insert(column.name.lowercased())
        }
        own = OwnObjects(of: source, destination)
        numbersChange = source.entities.contains { destination.number(of: $0.name) != $0.number }
    }

    private static func columns(of layout: StoreLayout) -> [(String, Set<String>)] {
        let tables = layout.tables.map { ($0.name, $0.columns.map(\.name)) }
        let joins = layout.joinTables.map { ($0.name, $0.columnNames) }
        return (tables + joins).map { ($0.lowercased(), Set($1.map { $0.lowercased() })) }
    }

    /// Whether an index or a trigger is none that the layouts explain: it is the app's, or Core Data's in a form that
    /// is not known, and either way it is not momtool's to drop.
    func isForeign(_ object: StoreSchema.Object) -> Bool {
        !own.contains(object.name, on: object.table, object.sql)
    }

    /// Whether an index or a trigger is Core Data's, of whatever version.
    func isRest(_ object: StoreSchema.Object) -> Bool {
        own.isRest(object.name, on: object.table, object.sql)
    }

    /// Decides what becomes of an index or a trigger.
    func settled(_ object: StoreSchema.Object, _ kind: RowRisk.ForeignKind) -> Settlement {
        guard let reason = obstacle(to: object, kind) else {
            return .restored(.restore(object.name, of: object.table, sql: object.sql))
        }
        guard !isRest(object) else { return .forgotten }
        return .abandoned(
            AbandonedObject(
                kind: kind,
                name: object.name,
                table: object.table,
                reason: reason
            )
        )
    }

    /// Whether an index may stay where it is, in a table that stays.
    func keeps(_ index: StoreSchema.Object) -> Bool { obstacle(to: index, .index) == nil }

    private func obstacle(to object: StoreSchema.Object, _ kind: RowRisk.ForeignKind) -> String? {
        let isExpected =
            kind == .trigger ? object.sql.isTriggerStatement : object.sql.isIndexStatement
        guard isExpected else { return "its statement is not understood" }
        // The end of a migration writes these, and so does Core Data whenever it saves.
        guard kind == .index || !Self.systemTables.contains(object.table.lowercased()) else {
            return "it would run whenever the store's own records are written"
        }
        let parts = object.sql.split { !$0.isLetter && !$0.isNumber && $0 != "_" && $0 != "$" }
        let words = Set(parts.map { $0.lowercased() }).union([object.table.lowercased()])
        let columns = words.compactMap { goneColumns[$0] }.reduce(into: Set()) { $0.formUnion($1) }
        if let name = words.sorted().first(where: {
            goneTables.contains($0) || columns.contains($0)
        }) {
            return "it names \(name.uppercased()), which is removed or renamed"
        }
        if numbersChange, words.contains("z_ent") {
            return "it names entity numbers, which change"
        }
        return nil
    }
}

extension String {
    /// Whether the text begins as a statement that creates a trigger.
    var isTriggerStatement: Bool { begins(with: ["CREATE TRIGGER", "CREATE TEMP TRIGGER"]) }

    /// Whether the text begins as a statement that creates an index.
    var isIndexStatement: Bool { begins(with: ["CREATE INDEX", "CREATE UNIQUE INDEX"]) }

    private func begins(with texts: [String]) -> Bool {
        let start = prefix(64).split(whereSeparator: \.isWhitespace).joined(separator: " ")
            .uppercased()
        return texts.contains { start.hasPrefix($0) }
    }
}
