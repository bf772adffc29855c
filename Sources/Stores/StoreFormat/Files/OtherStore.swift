import Essentials
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
        if start.starts(with: databaseSignature) {
            let store = try? StoreFile(path: path, requiringSystemTables: false)
            let tables = (try? store?.schema().filter { $0.kind == .table }.map(\.name)) ?? []
            guard !tables.contains(where: { $0.hasPrefix("Z") }) else { return nil }
            let others = [("ecd", Self.encrypted), ("grdb_", .grdb)]
            let kind = others.first { other in tables.contains { $0.hasPrefix(other.0) } }?.1
            guard let kind else { return nil }
            self = kind
        } else if start.starts(with: "core".utf8), start.contains(0) {
            self = .binary
        } else if start.prefix(24).contains("T-DB".utf8) {
            self = .realm
        } else if start.starts(with: "<?xml".utf8), start.contains("CoreData.dtd".utf8) {
            self = .xml
        } else {
            return nil
        }
    }

    package var words: String { "this is \(rawValue); momtool reads SQLite stores of Core Data" }

    /// Imperative.
    package var advice: String {
        switch self {
        case .xml, .binary:
            "make the app move it to an SQLite store, with migratePersistentStore(_:to:options:type:)"
        case .realm, .encrypted, .grdb: "use the tools of the library that wrote it"
        }
    }
}
