import FileSystem
import Essentials
package import SQLiteAccess

/// Replaces the content of a store with that of another one, in one transaction of the first.
///
/// The file itself stays, and with it links to it, its owner, permissions and attributes. External values of the new
/// store are moved before the transaction, those of the old one are removed after it. No other process may use the
/// folder of `source`. If it throws, the old store is unchanged. What a killed replacement left is removed.
package func replaceStore(at path: String, by source: String) throws(StoreError) {
    let connection = try openAlone(path)
    let new = try SQLiteConnection(path: source, mode: .readWrite, reportedPath: path)
    let pageSizes = [try connection.value("PRAGMA page_size"), try new.value("PRAGMA page_size")]
    // Pages of another size do not fit into a write-ahead log.
    if pageSizes[0] != pageSizes[1] { try connection.setJournal("delete") }
    let folder = externalDataFolder(of: path).path
    let old = try namedExternalFiles(on: connection)
    let added = externalDataFolder(of: source).path
    let record = recordFiles(old, externalFileNames(in: added), of: path)
    defer { unlink(record) }
    let copied = try copyExternalFiles(from: added, to: folder)
    do throws(StoreError) {
        try connection.execute("PRAGMA locking_mode = NORMAL")
        try new.copy(into: connection)
    } catch {
        connection.dropLog()
        removeExternalFiles(copied, in: folder)
        throw error
    }
    dropExternalFiles(surplusFiles(among: old, named: copied), of: path)
}

/// Records beside a store which files its replacement drops and adds, until it is done; returns the path.
///
/// What a killed one recorded is dropped, if the store does not name it.
private func recordFiles(
    _ old: [String],
    _ new: [String],
    of store: String
) -> String {
    let url = fileURL(StoreFiles(path: store).realPath)
    let path = "\(parent(of: url.path))/.\(url.lastPathComponent).momtool-replaced"
    let text = String(decoding: (try? readFile(path, limit: 64 << 20)) ?? [], as: UTF8.self)
    let left = text.split(separator: "\n").map(String.init).filter { UUID(uuidString: $0) != nil }
    dropExternalFiles(surplusFiles(among: left, named: old), of: store)
    unlink(path)
    let names = (old + new).map { $0 + "\n" }.joined()
    // Without it, files of a killed replacement are only not found again.
    if !names.isEmpty {
        try? Data(names.utf8).write(to: fileURL(path), options: .withoutOverwriting)
    }
    return path
}

/// Returns the names of a store's external files in order, for any model.
///
/// Other stores may have theirs in the same folder: `Shop.sqlite` and `Shop.db` do. With `isAnywhere` a name counts
/// wherever it occurs in a short value, as the mark before it may be damaged.
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

/// The possible names of files anywhere in a value.
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
            // The folders may be new, each an entry in its parent.
            let support = fileURL(folder).deletingLastPathComponent()
            for path in [folder, support.path, support.deletingLastPathComponent().path] {
                try synchronizeFolder(path)
            }
        }
    } catch {
        removeExternalFiles(copied, in: folder)
        throw StoreError(error)
    }
    return copied
}

private func makeFolders(_ path: String) throws(FileError) {
    do { try Files.makeFolder(at: path) } catch {
        throw .inaccessible(path: path, reason: "cannot be created: \(error)")
    }
}

package func removeExternalFiles(_ names: [String], in folder: String) {
    for name in names { unlink("\(folder)/\(name)") }
    guard !names.isEmpty else { return }
    rmdir(folder)
    rmdir(fileURL(folder).deletingLastPathComponent().path)
}
