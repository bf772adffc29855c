import Essentials
/// Returns a name as SQL text: bare where SQLite allows it, as Core Data writes it, otherwise quoted.
///
/// Names come from models and stores of any origin, so every name in an executed statement goes through here.
package func quotedIdentifier(_ name: String) -> String {
    if isPlainIdentifier(name) { return name }
    return "\"" + name.replacingBytes(of: "\"", with: "\"\"") + "\""
}

package func quotedText(_ text: String) -> String {
    "'" + text.replacingBytes(of: "'", with: "''") + "'"
}

/// In a database URI `?`, `#` and `%` have a meaning of their own.
func percentEncoded(_ path: String) -> String {
    path.replacingBytes(of: "%", with: "%25").replacingBytes(of: "?", with: "%3f")
        .replacingBytes(of: "#", with: "%23")
}

/// SQLite takes letters, digits, `_`, `$` and every character beyond ASCII.
private func isPlainIdentifier(_ name: String) -> Bool {
    guard let first = name.utf8.first, !isDigit(first), first != UInt8(ascii: "$") else {
        return false
    }
    let isPlain = name.utf8.allSatisfy { byte in
        byte >= 0x80 || isDigit(byte) || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "$")
            || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte & 0xDF)
    }
    return isPlain && !sqliteKeywords.contains(name.uppercased())
}

private func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
}

/// SQLite's keywords (sqlite.org/lang_keywords.html); tables that are not Core Data's may have any name.
private let sqliteKeywords = Set(
    """
    ABORT ACTION ADD AFTER ALL ALTER ALWAYS ANALYZE AND AS ASC ATTACH AUTOINCREMENT BEFORE BEGIN \
    BETWEEN BY CASCADE CASE CAST CHECK COLLATE COLUMN COMMIT CONFLICT CONSTRAINT CREATE CROSS \
    CURRENT CURRENT_DATE CURRENT_TIME CURRENT_TIMESTAMP DATABASE DEFAULT DEFERRABLE DEFERRED \
    DELETE DESC DETACH DISTINCT DO DROP EACH ELSE END ESCAPE EXCEPT EXCLUDE EXCLUSIVE EXISTS \
    EXPLAIN FAIL FILTER FIRST FOLLOWING FOR FOREIGN FROM FULL GENERATED GLOB GROUP GROUPS HAVING \
    IF IGNORE IMMEDIATE IN INDEX INDEXED INITIALLY INNER INSERT INSTEAD INTERSECT INTO IS ISNULL \
    JOIN KEY LAST LEFT LIKE LIMIT MATCH MATERIALIZED NATURAL NO NOT NOTHING NOTNULL NULL NULLS OF \
    OFFSET ON OR ORDER OTHERS OUTER OVER PARTITION PLAN PRAGMA PRECEDING PRIMARY QUERY RAISE \
    RANGE RECURSIVE REFERENCES REGEXP REINDEX RELEASE RENAME REPLACE RESTRICT RETURNING RIGHT \
    ROLLBACK ROW ROWS SAVEPOINT SELECT SET TABLE TEMP TEMPORARY THEN TIES TO TRANSACTION TRIGGER \
    UNBOUNDED UNION UNIQUE UPDATE USING VACUUM VALUES VIEW VIRTUAL WHEN WHERE WINDOW WITH WITHOUT
    """.split(separator: " ").map(String.init)
)

extension String {
    package var isVirtualTable: Bool { uppercased().hasPrefix("CREATE VIRTUAL TABLE") }
}
