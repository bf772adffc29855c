import FileSystem
import Essentials
package import SQLiteAccess

/// Puts the content of a store in place of another one, in one transaction of that.
///
/// The file itself stays, and with it links to it, its owner, rights and attributes. Values in files beside the new
/// store get their place before the transaction, those of the old one go after it.
///
/// - Parameters:
///   - path: the path of the old store.
///   - source: the path of the new store, whose folder no other process uses.
/// - Throws: `StoreError`; then the old store is as it was.
package func replaceStore(at path: String, by source: String) throws(StoreError) {
    let connection = try openAlone(path)
    let new = try SQLiteConnection(path: source, mode: .readWrite, reportedPath: path)
    let pageSizes = [
        try connection.value("PRAGMA page_size"), try new.value("PRAGMA page_size"),
    ]
    // Pages of another size do not go through a write-ahead log.
    if pageSizes[0] != pageSizes[1] { try connection.setJournal("delete") }
    let folder = externalDataFolder(of: path).path
    let old = try namedExternalFiles(on: connection)
    let copied = try copyExternalFiles(from: externalDataFolder(of: source).path, to: folder)
    do throws(StoreError) {
        try connection.execute("PRAGMA locking_mode = NORMAL")
        try new.copy(into: connection)
    } catch {
        connection.dropLog()
        remove(copied, in: folder)
        throw error
    }
    dropExternalFiles(surplusFiles(among: old, named: copied), of: path)
}

/// Returns the names of the files that values of a store are in, whatever the model.
///
/// Other stores may have theirs in the same folder: `Shop.sqlite` and `Shop.db` do.
///
/// - Parameters:
///   - connection: the store.
///   - isAnywhere: whether a name counts wherever it stands in a short value, as what says so may be damaged.
/// - Returns: the names, in order.
/// - Throws: `StoreError` when the values cannot be read.
package func namedExternalFiles(
    on connection: SQLiteConnection,
    anywhere isAnywhere: Bool = false
) throws(StoreError) -> [String] {
    var names: Set<String> = []
    for column in try connection.columns() where column.type == "BLOB" {
        let value = quotedIdentifier(column.name)
        let condition =
            isAnywhere
            ? "length(\(value)) BETWEEN 36 AND 64"
            : "typeof(\(value)) = 'blob' AND length(\(value)) = 38 AND substr(\(value), 1, 1) = x'02'"
        let sql =
            "SELECT CAST(\(value) AS BLOB) FROM \(quotedIdentifier(column.table)) WHERE \(condition)"
        try connection.query(sql) { row throws(StoreError) in
            guard let data = row[0].blob else { return }
            let found = isAnywhere ? identifiers(in: data) : [externalFileName(data)]
            names.formUnion(found.compactMap(\.self))
        }
    }
    return names.sorted()
}

/// The names that may be those of files, wherever they stand in a value.
private func identifiers(in data: Data) -> [String?] {
    guard data.count >= 36 else { return [] }
    return (data.startIndex...data.endIndex - 36).map { start in
        let text = String(decoding: data[start..<start + 36], as: UTF8.self)
        return UUID(uuidString: text) == nil ? nil : text
    }
}

private func copyExternalFiles(
    from source: String,
    to folder: String
) throws(StoreError) -> [String] {
    var copied: [String] = []
    do throws(FileError) {
        for name in externalFileNames(in: source) {
            if copied.isEmpty { try makeFolders(folder) }
            copied.append(name)
            try copyFile(from: "\(source)/\(name)", to: "\(folder)/\(name)")
        }
        if !copied.isEmpty {
            // The folders may be new, each a name in the one above.
            let support = fileURL(folder).deletingLastPathComponent()
            for path in [folder, support.path, support.deletingLastPathComponent().path] {
                try synchronizeFolder(path)
            }
        }
    } catch {
        remove(copied, in: folder)
        throw StoreError(error)
    }
    return copied
}

private func makeFolders(_ path: String) throws(FileError) {
    do {
        try Files.makeFolder(at: path)
    } catch {
        throw .inaccessible(path: path, reason: "cannot be made: \(error)")
    }
}

private func remove(_ names: [String], in folder: String) {
    removeExternalFiles(names, in: folder)
}

/// Removes files that hold values of a store, and their folders when nothing is left there.
package func removeExternalFiles(_ names: [String], in folder: String) {
    for name in names { unlink("\(folder)/\(name)") }
    guard !names.isEmpty else { return }
    // Only empty folders go; others hold what belongs to somebody else.
    rmdir(folder)
    rmdir(fileURL(folder).deletingLastPathComponent().path)
}
