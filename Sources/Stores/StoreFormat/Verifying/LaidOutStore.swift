import Diagnostics
package import ObjectModel
package import SQLiteAccess

/// Something that knows the layout of a store and the columns that are there.
package protocol LaidOut {
    var layout: StoreLayout { get }
    /// The columns that are there, by table.
    var columns: [String: Set<String>] { get }
}

extension LaidOut {
    package var graph: ModelGraph { layout.graph }

    package func has(_ table: String, _ names: [String]) -> Bool {
        columns[table]?.isSuperset(of: names) == true
    }

    package func isKind(of entity: String, row: String = "t") -> String {
        layout.isKind(of: entity, row: row)
    }
}

/// A store as a model sees it: what it says about itself, its layout, and the columns that it has.
package struct LaidOutStore: LaidOut {
    package let file: StoreFile
    package let metadata: StoreMetadata
    package let schema: [SchemaObject]
    package let layout: StoreLayout
    package let columns: [String: Set<String>]

    package init(_ file: StoreFile, _ model: ManagedObjectModel) throws(StoreError) {
        self.file = file
        metadata = try file.metadata()
        schema = try file.schema()
        layout = storedLayout(of: model, metadata, schema)
        columns = try file.columns()
    }

    package var model: ManagedObjectModel { graph.model }
    package var connection: SQLiteConnection { file.connection }
}

extension StoreFile {
    func columns() throws(StoreError) -> [String: Set<String>] {
        Dictionary(grouping: try connection.columns(), by: \.table).mapValues {
            Set($0.map(\.name))
        }
    }
}

/// Returns the layout of a model in a store: of its framework, with the actual names of its join tables and their columns.
package func storedLayout(
    of model: ManagedObjectModel,
    _ metadata: StoreMetadata,
    _ schema: [SchemaObject]
) -> StoreLayout {
    var options = LayoutOptions()
    if let version = metadata.frameworkVersion { options.frameworkVersion = version }
    let present = schema.joinTableColumns
    let layout = StoreLayout(model: model, options: options, matching: present)
    options.overrides = layout.namingRelationships(amongTables: schema.map(\.name))
    if layout.declaresIndexesAlone(amongIndexes: schema) { options.synthesizesIndexes = false }
    guard !options.overrides.isEmpty || options.synthesizesIndexes != layout.synthesizesIndexes
    else {
        return layout
    }
    return StoreLayout(model: model, options: options, matching: present)
}

extension StoreFile {
    /// Notes what may have become of the rows of a store without any; an app may have deleted them all.
    ///
    /// There is a note only where keys were used, or the write-ahead log that may hold the rows is missing.
    func absence(
        of tables: [EntityTable],
        _ keys: [PrimaryKeyRow]
    ) throws(StoreError) -> [Diagnostic] {
        for table in tables where try hasRows(table.name) { return [] }
        let own = keys.filter { $0.number < HistoryLayout.firstNumber }
        let greatest = own.map(\.maximumKey).max() ?? 0
        let question = lostLogQuestion
        guard greatest > 0 || question != nil else { return [] }
        let known = greatest > 0 ? ", although keys up to \(greatest) were assigned" : ""
        let words = question ?? " (were all objects deleted, or are their rows unreadable?)"
        return [Diagnostic(.noRows, "the store has no rows\(known)\(words)", severity: .note)]
    }
}

extension String {
    package var hasPrimaryKey: Bool {
        let words = uppercased().split { !$0.isLetter }
        return zip(words, words.dropFirst()).contains { $0 == "PRIMARY" && $1 == "KEY" }
    }
}
