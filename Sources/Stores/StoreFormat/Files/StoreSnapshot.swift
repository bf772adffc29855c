package import SQLiteAccess

/// What a store says about itself, read at once.
package struct StoreSnapshot: Sendable, Hashable {
    package var path: String
    package var metadata: StoreMetadata
    /// The tables, indexes, triggers and views, in order of creation.
    package var schema: [SchemaObject]
    package var primaryKeys: [PrimaryKeyRow]
    /// The rows of each entity, by its number; entities without rows are left out.
    package var rowCounts: [Int64: Int]
    /// The size of a page, in bytes.
    package var pageSize: Int
    package var pageCount: Int

    /// Reads everything but the rows and the model cache.
    package init(of file: StoreFile) throws(StoreError) {
        path = file.path
        metadata = try file.metadata()
        schema = try file.schema()
        primaryKeys = try file.primaryKeys()
        rowCounts = try file.rowCounts(of: schema)
        pageSize = try file.setting("page_size")
        pageCount = try file.setting("page_count")
    }

    package var hasHistory: Bool { schema.contains(where: \.isHistoryTable) }

    /// The names of the tables that mirroring to CloudKit adds, in order of creation.
    package var cloudKitTables: [String] { schema.filter(\.isCloudKitTable).map(\.name) }

    /// The approximate system that wrote the store last, such as `iOS 17 / macOS 14`.
    package var systemName: String? {
        metadata.frameworkVersion.flatMap(FrameworkVersion.systemName)
    }
}

extension StoreFile {
    /// Reads a number that SQLite keeps about the database, such as `page_size`.
    package func setting(_ name: String) throws(StoreError) -> Int {
        try connection.value("PRAGMA \(name)")?.integer.map { Int(clamping: $0) } ?? 0
    }
}

extension FrameworkVersion {
    /// Returns the system that a framework version came with, such as `iOS 17 / macOS 14`.
    ///
    /// The table is approximate: it was made from the origin of stores. Versions between count as the earlier system.
    package static func systemName(_ version: Int) -> String? {
        systems.last { $0.version <= version }?.name
    }

    private static let systems: [(version: Int, name: String)] = [
        (241, "iPhone OS 3 / Mac OS X 10.6"), (419, "iOS 6 / OS X 10.8"),
        (479, "iOS 7 / OS X 10.9"), (519, "iOS 8 / OS X 10.10"), (637, "iOS 9 / OS X 10.11"),
        (752, "iOS 10 / macOS 10.12"), (836, "iOS 11 / macOS 10.13"),
        (865, "iOS 12 / macOS 10.14"), (977, "iOS 13 / macOS 10.15"), (1044, "iOS 14 / macOS 11"),
        (1132, "iOS 15 / macOS 12"), (1244, "iOS 16 / macOS 13"), (1333, "iOS 17 / macOS 14"),
        (1400, "iOS 18 / macOS 15"), (1513, "iOS 26 / macOS 26"),
    ]
}
