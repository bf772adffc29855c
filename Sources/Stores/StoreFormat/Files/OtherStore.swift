import FileSystem

/// A file that people take for an SQLite store of Core Data, by its first bytes or its tables.
package enum OtherStore: String {
    case xml = "an XML store of Core Data"
    case binary = "a binary store of Core Data"
    case realm = "a database of Realm"
    case encrypted = "a store of encrypted-core-data"
    case grdb = "a database of GRDB"

    package init?(at path: String) {
        let start = fileStart(path, 1024) ?? []
        let kind: OtherStore? =
            if start.starts(with: databaseSignature) {
                Self.ofTables(path)
            } else if start.starts(with: "core".utf8), start.contains(0) {
                .binary
            } else if start.prefix(24).contains("T-DB".utf8) {
                .realm
            } else {
                start.starts(with: "<?xml".utf8) && start.contains("CoreData.dtd".utf8) ? .xml : nil
            }
        guard let kind else { return nil }
        self = kind
    }

    private static func ofTables(_ path: String) -> OtherStore? {
        let store = try? StoreFile(path: path, requiringSystemTables: false)
        let tables = (try? store?.schema().filter { $0.kind == .table }.map(\.name)) ?? []
        func has(_ prefix: String) -> Bool { tables.contains { $0.hasPrefix(prefix) } }
        return has("Z") ? nil : has("ecd") ? .encrypted : has("grdb_") ? .grdb : nil
    }

    package var words: String { "this is \(rawValue); momtool reads SQLite stores of Core Data" }

    package var advice: String {
        [.xml, .binary].contains(self)
            ? "make the app move it to an SQLite store, with migratePersistentStore(_:to:options:type:)"
            : "use the tools of the library that wrote it"
    }
}
