import FileSystem
import Essentials
import SQLiteAccess
import StoreFormat

extension FileCondition {
    init(of store: StoreFile, hasModel: Bool) throws(StoreError) {
        let snapshot = try StoreSnapshot(of: store)
        let tables = snapshot.schema.filter(\.isHistoryTable).map(\.name)
        bytes = size(store.path)
        logBytes = size(store.path + "-wal")
        journalBytes = size(store.path + "-journal")
        pages = snapshot.pageCount
        freePages = try store.number("PRAGMA freelist_count")
        historyChanges =
            tables.contains("ACHANGE") ? try store.number("SELECT COUNT(*) FROM ACHANGE") : 0
        historyPages = try store.historyPages()
        system = snapshot.systemName
        self.hasModel = hasModel
    }

    /// The share of pages of persistent history, from 0 to 1.
    package var historyShare: Double? {
        historyPages.map { pages == 0 ? 0 : Double($0) / Double(pages) }
    }

    /// The share of free pages, from 0 to 1.
    package var freeShare: Double { pages == 0 ? 0 : Double(freePages) / Double(pages) }
}

extension StoreFile {
    fileprivate func number(_ sql: String) throws(StoreError) -> Int {
        try connection.value(sql)?.integer.map { Int(clamping: $0) } ?? 0
    }
}

private func size(_ path: String) -> Int { Int(clamping: fileSize(path)) }
