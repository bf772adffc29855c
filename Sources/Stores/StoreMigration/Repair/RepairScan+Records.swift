import Diagnostics
import Essentials
import ModelHashing
import PropertyLists
import SQLiteAccess
import StoreFormat

extension RepairScan {
    /// Rewrites lost or unreadable metadata, when the model fits every table.
    mutating func scanMetadata() throws(StoreError) {
        let lost = SystemTable.all.filter { !schema.hasTable($0.name) }
        let readable = try? StoreMetadata(connection)
        if let metadata = readable, metadata.saysVersion {
            if metadata.uuid.isEmpty { writeUUID() }
            guard !lost.isEmpty else { return }
            return try restoreTables(lost)
        }
        let misfits = try misfits()
        guard misfits.isEmpty else {
            return refuse(
                "the store does not say which version of the model wrote it, and this one does not fit: \(misfits[0])",
                "name the version that fits every table with \(.model); \(.examine) finds it",
                FindingKind(.otherModel, nil)
            )
        }
        try restoreTables(lost)
        let uuid = try? connection.value("SELECT Z_UUID FROM Z_METADATA WHERE Z_VERSION = 1")?.text
        let metadata = StoreMetadata(
            restoring: readable,
            uuid: uuid.flatMap { $0.isEmpty ? nil : $0 } ?? UUID().uuidString,
            model
        )
        add(
            .replaceRecord(
                table: "Z_METADATA",
                [
                    .init(column: "Z_VERSION", value: .integer(1)),
                    .init(column: "Z_UUID", value: .text(metadata.uuid)),
                    .init(column: "Z_PLIST", value: .blob(metadata.encoded)),
                ]
            ),
            lost: readable?.entries.isEmpty == false
                ? nil
                : (uuid == nil ? "the UUID of the store, and " : "") + "the app's own metadata"
        )
    }

    /// Creates tables that every store has; their rows are restored like individually lost ones.
    private mutating func restoreTables(_ lost: [SchemaObject]) throws(StoreError) {
        guard !lost.isEmpty else { return }
        let misfits = try misfits()
        guard misfits.isEmpty else {
            return refuse(
                "the table \(lost[0].name) is missing, and the model does not fit: \(misfits[0])",
                "name the version that fits every table with \(.model)",
                FindingKind(.otherModel, nil)
            )
        }
        for table in lost { add(.restore(table)) }
    }

    /// Gives the store a new UUID; nothing else has the old one.
    private mutating func writeUUID() {
        let change = RowChange.write(
            table: "Z_METADATA",
            column: "Z_UUID",
            value: quotedText(UUID().uuidString),
            where: "Z_VERSION = 1",
            what: "write a new UUID of the store"
        )
        add(change, lost: "the old UUID, which URIs of objects that the app keeps may contain")
    }

    /// What a store has that the model does not explain, or the other way round.
    func misfits() throws(StoreError) -> [String] {
        // What is missing of a model that the store carries is lost.
        let missing = options.isOwnModel ? [] : layout.missing(from: columns)
        guard missing.isEmpty else { return missing.map { "\($0) is missing" } }
        let surplus = layout.tables.flatMap { table in
            Set(schema.columns[table.name] ?? []).subtracting(table.columns.map(\.name)).sorted()
                .map { "\(table.name).\($0) belongs to no property" }
        }
        guard surplus.isEmpty else { return surplus }
        guard schema.hasTable("Z_PRIMARYKEY") else { return try strayNumbers() }
        let rows = try StoreFile(on: connection).primaryKeys()
        // A table that was saved from a damaged file may have lost all its rows.
        guard rows.contains(where: { $0.number < HistoryLayout.firstNumber }) else {
            return try strayNumbers()
        }
        return numberFindings(layout, rows, Set(schema.columns.keys)).isSame
            ? [] : ["its entities have other numbers in Z_PRIMARYKEY"]
    }

    /// The tables with rows whose numbers are unknown there.
    ///
    /// If `Z_PRIMARYKEY` or all its rows are lost, nothing else confirms the numbers that the model gives the entities.
    private func strayNumbers() throws(StoreError) -> [String] {
        guard !options.isOwnModel else { return [] }
        var strays: [String] = []
        for table in layout.tables {
            let numbers = table.entities.compactMap { layout.number(of: $0) }
            let list = numbers.map(String.init).joined(separator: ", ")
            let rows = try count(table.name, where: "Z_ENT NOT IN (\(list))")
            if rows > 0 {
                strays.append(
                    "\(rows.counted("row")) of \(table.name) have an unknown entity number"
                )
            }
        }
        return strays
    }

    /// Rewrites an unreadable model; a store of an old system has no table for it.
    mutating func scanModelCache() throws(StoreError) {
        guard let metadata = try? StoreMetadata(connection),
            metadata.hashes == versionHashes(of: model)
        else { return }
        guard schema.hasTable("Z_MODELCACHE") else {
            let version = metadata.frameworkVersion ?? 0
            guard version >= FrameworkVersion.modelCache else { return }
            return add(.restore(SystemTable.modelCache))
        }
        let archive = try? StoreFile(on: connection).modelArchive()
        if let archive, !archive.isEmpty, (try? readPropertyList(archive)) != nil { return }
        let rows = try count("Z_MODELCACHE")
        if rows > 0 {
            let what = "remove the model cache, which cannot be read"
            add(.remove(table: "Z_MODELCACHE", where: "1", count: rows, what: what))
        }
        let content = SQLiteValue.blob(ModelCache(of: model).content)
        add(.replaceRecord(table: "Z_MODELCACHE", [.init(column: "Z_CONTENT", value: content)]))
    }

    /// Removes persistent history older than a date, as Core Data does when an app asks for it.
    mutating func scanHistory() throws(StoreError) {
        guard schema.hasTable("ATRANSACTION"), schema.hasTable("ACHANGE"),
            has("ACHANGE", ["ZTRANSACTIONID"])
        else { return }
        try scanOrphanedChanges()
        guard let start = options.historyStart, has("ATRANSACTION", ["ZTIMESTAMP"]) else { return }
        let old = "ZTIMESTAMP < \(start)"
        let transactions = try count("ATRANSACTION", where: old)
        guard transactions > 0 else { return }
        let changes = "ZTRANSACTIONID IN (SELECT Z_PK FROM ATRANSACTION WHERE \(old))"
        let changeCount = try count("ACHANGE", where: changes)
        let lost = "those that CloudKit or an extension has not read yet"
        if changeCount > 0 {
            let what = "remove \(changeCount.counted("old change")) from the history"
            add(
                .remove(table: "ACHANGE", where: changes, count: changeCount, what: what),
                lost: lost
            )
        }
        let what = "remove \(transactions.counted("old transaction")) from the history"
        add(.remove(table: "ATRANSACTION", where: old, count: transactions, what: what), lost: lost)
    }

    /// Removes changes without a transaction if history is pruned; otherwise asks for permission.
    private mutating func scanOrphanedChanges() throws(StoreError) {
        guard let orphans = try someRows("ACHANGE", where: HistoryLayout.hasNoTransaction) else {
            return
        }
        let what = orphans.counted("change")
        guard options.historyStart != nil else {
            return refuse(
                "persistent history has \(what) without a transaction",
                "remove unreadable history with \(.advice(.nameHistoryAge)), which also removes everything older",
                FindingKind(.orphanedChange, nil)
            )
        }
        add(
            .remove(
                table: "ACHANGE",
                where: HistoryLayout.hasNoTransaction,
                count: orphans,
                what: "remove \(what) without a transaction from the history"
            ),
            lost: "the content of these changes"
        )
    }
}
