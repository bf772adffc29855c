import Essentials
import CSQLite

/// A schema as text, for many changes at once.
///
/// For each `ALTER TABLE` SQLite parses the whole schema, so a thousand of them on a thousand tables parse a million
/// tables. Where columns are only added at the end, or tables only renamed, the text of the schema is all that changes:
/// SQLite documents how to write it (sqlite.org/lang_altertable.html, section 7). The statements come out as `ALTER
/// TABLE` would write them.
package struct SchemaText: Sendable {
    private struct Object: Sendable {
        var rowID: Int64
        var type: String
        var name: String
        var table: String
        /// The statement; `nil` for the index of a key, which SQLite makes itself.
        var sql: String?
    }

    private var objects: [Object] = []
    private var places: [String: [Int]] = [:]
    private var changed: Set<Int> = []
    /// Whether a view or a trigger may name any table, or a table may refer to another one.
    private var hasReferences = false

    package init(_ connection: SQLiteConnection) throws(StoreError) {
        let rows = try connection.rows("SELECT rowid, type, name, tbl_name, sql FROM sqlite_master")
        for row in rows {
            guard let rowID = row[0].integer, let type = row[1].text, let name = row[2].text,
                let table = row[3].text
            else { continue }
            let sql = row[4].text
            objects.append(Object(rowID: rowID, type: type, name: name, table: table, sql: sql))
            places[table, default: []].append(objects.count - 1)
            if type == "view" || type == "trigger" { hasReferences = true }
            if let sql, sql.lowercased().contains("references") { hasReferences = true }
        }
    }

    /// Adds an empty column, as SQL, at the end of a table; `false` when the table has more than plain columns.
    package mutating func add(column: String, to table: String) -> Bool {
        guard let place = tablePlace(table), let sql = objects[place].sql, sql.last == ")",
            let start = sql.firstIndex(of: "(")
        else { return false }
        let columns = sql[sql.index(after: start)...].dropLast()
        let isPlain = !columns.utf8.contains { byte in
            // Parentheses, quotes and brackets, and the beginnings of comments.
            [0x28, 0x29, 0x22, 0x27, 0x5B, 0x60, 0x2D, 0x2F].contains(byte)
        }
        guard isPlain else { return false }
        objects[place].sql = "\(sql.dropLast()), \(column))"
        changed.insert(place)
        return true
    }

    /// Renames a table; `false` when more than its own indexes may name it, or their statements are not Core Data's.
    package mutating func rename(table: String, to name: String) -> Bool {
        guard !hasReferences, let place = tablePlace(table), places[name] == nil else {
            return false
        }
        var renamed: [Int: Object] = [:]
        for index in places[table] ?? [] {
            var object = objects[index]
            object.table = name
            if let sql = object.sql {
                let isTable = index == place
                guard let sql = Self.renamed(sql, isTable ? "TABLE" : "ON", table, to: name) else {
                    return false
                }
                object.sql = sql
                if isTable { object.name = name }
            } else {
                let prefix = "sqlite_autoindex_\(table)_"
                guard object.name.hasPrefix(prefix) else { return false }
                object.name = "sqlite_autoindex_\(name)_" + object.name.dropFirst(prefix.count)
            }
            renamed[index] = object
        }
        for (index, object) in renamed {
            objects[index] = object
            changed.insert(index)
        }
        places[name] = places.removeValue(forKey: table)
        return true
    }

    /// Writes the changes inside the open transaction, and has SQLite read the schema again.
    package func write(to connection: SQLiteConnection) throws(StoreError) {
        guard !changed.isEmpty else { return }
        try connection.writingSchema { () throws(StoreError) in
            let sql = "UPDATE sqlite_master SET name = ?, tbl_name = ?, sql = ? WHERE rowid = ?"
            let update = try Statement(sql, on: connection)
            for object in changed.sorted().map({ objects[$0] }) {
                try update.run([
                    .text(object.name), .text(object.table),
                    object.sql.map { .text($0) } ?? .null, .integer(object.rowID),
                ])
            }
            let version = try connection.value("PRAGMA schema_version")?.integer ?? 0
            try connection.execute("PRAGMA schema_version = \((version + 1) % (1 << 31))")
        }
        // This detects malformed rows.
        try connection.execute("SELECT count(*) FROM sqlite_master")
    }

    private func tablePlace(_ table: String) -> Int? {
        places[table]?.first { objects[$0].type == "table" && objects[$0].name == table }
    }

    /// Returns a statement with its table renamed: the first name after a word that a parenthesis follows.
    private static func renamed(
        _ sql: String,
        _ word: String,
        _ old: String,
        to new: String
    ) -> String? {
        let head = sql.prefix { $0 != "(" }
        let quoted = "\"" + old.replacingBytes(of: "\"", with: "\"\"") + "\""
        for name in [old, quoted] {
            let ending = " \(word) \(name)"
            let trimmed = head.last == " " ? head.dropLast() : head
            guard trimmed.hasSuffix(ending), trimmed.count < sql.count else { continue }
            let replacement = "\"" + new.replacingBytes(of: "\"", with: "\"\"") + "\""
            return trimmed.dropLast(name.count) + replacement + sql[trimmed.endIndex...]
        }
        return nil
    }
}
