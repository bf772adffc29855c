package import ObjectModel
package import SQLiteAccess

/// A store that a new one is laid out like: its tables, indexes and triggers, each by the statement that made it.
///
/// Two stores of one model may differ in what no rule predicts: indexes of older frameworks beside those of newer ones,
/// old names, columns that a migration appended, triggers that count. What the example has is taken over as its text; what
/// it lacks, as a damaged one may, is made by the layout.
///
/// Left out are objects of the app's own tables and views, and the tables of mirroring to CloudKit, whose rows belong to
/// the one store that they were made for.
package struct StoreExample: Sendable, Hashable {
    /// The layout of the model as the store has it.
    let layout: StoreLayout
    /// The version of the framework that wrote the store; `nil` when it does not say.
    package let frameworkVersion: Int?
    /// Whether the store keeps persistent history.
    package let keepsHistory: Bool
    /// Whether the store has a cache of its model, which old frameworks do not make.
    let hasModelCache: Bool
    private let statements: [String: String]
    /// The indexes, triggers and spatial indexes, in order of creation.
    private let objects: [SchemaObject]
    /// The names of entities by their numbers, as a renamed entity may have its old one.
    private let entityNames: [Int: String]

    /// Reads the schema of a store.
    ///
    /// - Parameters:
    ///   - store: the store.
    ///   - model: its model.
    /// - Throws: `StoreError` when the store cannot be read.
    package init(of store: StoreFile, model: ManagedObjectModel) throws(StoreError) {
        let (metadata, schema) = (try store.metadata(), try store.schema())
        layout = storedLayout(of: model, metadata, schema)
        frameworkVersion = metadata.frameworkVersion
        keepsHistory = schema.contains(where: \.isHistoryTable)
        hasModelCache = schema.contains { $0.kind == .table && $0.name == "Z_MODELCACHE" }
        var columns: [String: [String]] = [:]
        for table in layout.tables { columns[table.name] = table.columns.map(\.name) }
        for table in layout.joinTables { columns[table.name] = table.columnNames }
        var statements: [String: String] = [:]
        for object in schema where object.kind == .table && object.isPlainTable {
            // A table without a column of the model would take no rows.
            let names = Set(declaredColumnNames(of: object.sql).map { $0.uppercased() })
            let needed = columns[object.name].map { $0.map { $0.uppercased() } }
            let isWhole = needed.map { names.isSuperset(of: $0) } ?? object.isHistoryTable
            if isWhole { statements[object.name] = object.sql }
        }
        let tables = Set(columns.keys)
        let history = Set(schema.filter(\.isHistoryTable).map(\.name))
        self.statements = statements
        objects = schema.filter { object in
            switch object.kind {
            case .index: tables.union(history).contains(object.table) && object.isPlainIndex
            case .trigger: tables.contains(object.table) && object.isOwnTrigger
            case .table: object.isSpatialIndex
            case .view: false
            }
        }
        entityNames = Dictionary(
            try store.primaryKeys().compactMap { row in
                Int(exactly: row.number).map { ($0, row.name) }
            },
            uniquingKeysWith: { first, _ in first }
        )
    }

    /// The statement of a table; the given one where the example has none that holds.
    func statement(ofTable name: String, else predicted: String) -> String {
        statements[name] ?? predicted
    }

    /// The indexes of some tables, in order of creation.
    func indexes(ofTables names: Set<String>) -> [SchemaObject] {
        objects.filter { $0.kind == .index && names.contains($0.table) }
    }

    /// The virtual tables of spatial indexes, each with the statement that enters the rows that are there already; `nil`
    /// for what the model has no stored values of, as of transient attributes.
    var spatialIndexes: [(sql: String, fillSQL: String?)] {
        let known = Dictionary(
            layout.spatialIndexes.map { ($0.name, $0.fillSQL) },
            uniquingKeysWith: { first, _ in first }
        )
        return objects.filter { $0.kind == .table }.map { ($0.sql, known[$0.name]) }
    }

    /// The triggers, in order of creation.
    var triggers: [SchemaObject] { objects.filter { $0.kind == .trigger } }

    /// An entity with the name that the example has for it.
    func named(_ entity: NumberedEntity) -> String { entityNames[entity.number] ?? entity.name }
}

extension SchemaObject {
    /// The longest statement that is taken over.
    private static let statementLimit = 1 << 20

    /// Whether the statement lists columns, and is no query and no virtual table in the disguise of a table.
    fileprivate var isPlainTable: Bool {
        guard sql.utf8.count <= Self.statementLimit, let rest = rest(behind: "CREATE TABLE ") else {
            return false
        }
        return rest.drop { $0 == " " }.hasPrefix("(")
    }

    /// Whether it is an index, and not another statement under the name of one.
    fileprivate var isPlainIndex: Bool {
        sql.utf8.count <= Self.statementLimit
            && ["CREATE INDEX ", "CREATE UNIQUE INDEX "].contains { rest(behind: $0) != nil }
    }

    /// Whether it is one of Core Data's triggers, by its name.
    fileprivate var isOwnTrigger: Bool {
        sql.utf8.count <= Self.statementLimit && name.hasPrefix("Z")
            && rest(behind: "CREATE TRIGGER ") != nil
    }

    /// Whether it is the virtual table of a spatial index.
    fileprivate var isSpatialIndex: Bool {
        guard name.hasPrefix("Z_RT_"), let rest = rest(behind: "CREATE VIRTUAL TABLE ") else {
            return false
        }
        return rest.drop { $0 == " " }.uppercased().hasPrefix("USING RTREE")
    }

    /// What stands behind the first words of the statement and the name.
    private func rest(behind words: String) -> Substring? {
        guard sql.hasPrefix(words) else { return nil }
        let rest = sql.dropFirst(words.count)
        for name in [quotedIdentifier(name), "\"\(name)\"", name] where rest.hasPrefix(name) {
            return rest.dropFirst(name.count)
        }
        return nil
    }
}
