import ObjectModel
import Essentials
import FileSystem
package import SQLiteAccess

/// How many bytes each part of a store takes, read from its pages.
package struct StoreSizes: Sendable, Hashable {
    package enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
        case entity
        case links
        /// An index, and the tables of a spatial one.
        case index
        case history
        case cloudKit
        case system
        case other
        case free
    }

    /// A table or an index, or all free pages.
    package struct Part: Sendable, Hashable {
        package var kind: Kind
        /// Its name; empty for free pages.
        package var name: String
        /// The table of an index; for a table its own name.
        package var table: String
        package var bytes: Int
        /// How many of these hold nothing.
        package var unused: Int
    }

    package private(set) var parts: [Part]
    package private(set) var logBytes: Int
    package private(set) var externalFiles: Int
    package private(set) var externalBytes: Int

    /// Reads the sizes by looking at every page of the file.
    ///
    /// Without `entityTables` from a model, these are the tables whose name begins with Z and a letter. Throws when
    /// SQLite was built without its table of pages.
    package init(of store: StoreFile, entityTables: Set<String>? = nil) throws(StoreError) {
        let schema = try store.schema()
        let tables = Dictionary(firstOf: schema.map { ($0.name, $0) })
        var parts: [Part] = []
        let sql = "SELECT name, sum(pgsize), sum(unused) FROM dbstat GROUP BY name"
        for row in try store.connection.rows(sql) {
            guard let name = row[0].text else { continue }
            let object = tables[name]
            let table = object?.table ?? name
            parts.append(
                Part(
                    kind: Kind(of: name, object, tables[table], entityTables),
                    name: name,
                    table: table,
                    bytes: row[1].integer.map { Int(clamping: $0) } ?? 0,
                    unused: row[2].integer.map { Int(clamping: $0) } ?? 0
                )
            )
        }
        let free = try store.setting("freelist_count")
        if free > 0 {
            let bytes = free.multipliedReportingOverflow(by: try store.setting("page_size"))
                .partialValue
            parts.append(Part(kind: .free, name: "", table: "", bytes: bytes, unused: bytes))
        }
        self.parts = parts.sorted { ($1.bytes, $0.name) < ($0.bytes, $1.name) }
        logBytes = Int(clamping: fileSize(store.path + "-wal"))
        let folder = externalDataFolder(of: store.path).path
        let files = externalFileNames(in: folder)
        externalFiles = files.count
        externalBytes = files.reduce(0) { $0 + Int(clamping: fileSize("\(folder)/\($1)")) }
    }
}

extension StoreSizes.Kind {
    fileprivate init(
        of name: String,
        _ object: SchemaObject?,
        _ table: SchemaObject?,
        _ entityTables: Set<String>?
    ) {
        let owner = table ?? object
        if owner?.isHistoryTable == true {
            self = .history
        } else if owner?.isCloudKitTable == true {
            self = .cloudKit
        } else if object?.kind == .index || name.hasPrefix("sqlite_autoindex_")
            || name.lowercased().hasPrefix("z_rt_")
        {
            self = .index
        } else if StoreLayout.systemTables.contains(name) || name.hasPrefix("sqlite_") {
            self = .system
        } else if name.hasPrefix("Z_") {
            self = .links
        } else if entityTables?.contains(name) ?? name.hasPrefix("Z") {
            self = .entity
        } else {
            self = .other
        }
    }
}

/// Returns the files that no value names, ignoring case: a volume may not distinguish it, and files in use must not go.
package func surplusFiles(among files: [String], named names: some Sequence<String>) -> [String] {
    let named = Set(names.map { $0.uppercased() })
    return files.filter { !named.contains($0.uppercased()) }
}

package func externalFileNames(in folder: String) -> [String] {
    let names = (try? Files.names(in: folder)) ?? []
    return names.filter { UUID(uuidString: $0) != nil }.sorted()
}
