import CorpusStores
import Diagnostics
import Foundation
import ObjectModel
import SQLiteAccess
import StoreFormat
import StoreMigration
import TestSupport
import Testing

extension TestStore {
    func faults() throws -> [Diagnostic] { try findings().filter { $0.severity != .note } }

    /// Repairs in one run, after which verification and repair find nothing.
    @discardableResult
    func cure(_ options: RepairOptions = RepairOptions()) throws -> StoreRepair {
        let repair = try repair(options)
        #expect(repair.obstacles.isEmpty, "\(repair.obstacles)")
        #expect(repair.remaining.isEmpty && !repair.steps.isEmpty, "\(repair.remaining)")
        try repair.run(inPlace: path, backup: nil)
        let left = try faults()
        #expect(left.isEmpty, "\(left)")
        #expect(try self.repair().isEmpty)
        return repair
    }

    /// What a repair without options asks for.
    func asked() throws -> [String] {
        let repair = try repair()
        #expect(repair.remaining.isEmpty, "\(repair.remaining)")
        return repair.obstacles.map { "\($0.problem): \($0.remedy.text(in: .code))" }
    }

    /// A store that may lack tables of the system.
    func broken() throws -> StoreFile { try StoreFile(path: path, requiringSystemTables: false) }

    func contents(
        without left: Set<String> = ["Z_METADATA", "Z_MODELCACHE"]
    ) throws -> [String: [[SQLiteValue]]] { try broken().contents(without: left) }
}

extension StoreFile {
    /// The rows of all tables but some.
    func contents(without left: Set<String>) throws -> [String: [[SQLiteValue]]] {
        let names = try connection.rows(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'"
        ).compactMap(\.first?.text)
        var contents: [String: [[SQLiteValue]]] = [:]
        for name in names
        where !left.contains(name) && !name.hasPrefix("sqlite_") {
            let table = quotedIdentifier(name)
            let width = try connection.rows("SELECT 1 FROM pragma_table_info('\(name)')").count
            let order = (1...max(1, width)).map(String.init).joined(separator: ", ")
            contents[name] = try connection.rows("SELECT * FROM \(table) ORDER BY \(order)")
        }
        return contents
    }
}

/// A copy of a store, whose model is that in its cache, with damage.
func withCopy(
    of original: StoreFile,
    _ damage: [String] = [],
    _ body: (TestStore) throws -> Void
) throws {
    let model = try #require(embeddedModel(of: original))
    try withFolder { folder in
        let store = TestStore(folder: folder, model: model)
        try original.connection.copy(into: SQLiteConnection(path: store.path, mode: .create))
        try store.execute(["PRAGMA journal_mode = DELETE"] + damage)
        try body(store)
    }
}

/// A copy of the library's store, with damage.
func withLibraryStore(_ damage: String..., body: (TestStore) throws -> Void) throws {
    let fixture = Corpus.package.appending(path: "Fixtures/Library-V1.sqlite").path
    try withCopy(of: StoreFile(path: fixture), damage, body)
}
