package import SQLiteAccess

/// Reads what mirroring to CloudKit keeps of an object: every column of its rows that holds something.
///
/// The columns differ between systems and what they mean is not documented, so they are handed over under their own
/// names.
///
/// - Parameters:
///   - key: the key of the object.
///   - entities: the numbers that its entity may have.
///   - store: the store.
/// - Returns: the records; none in a store that is not mirrored.
/// - Throws: ``StoreError`` when the rows cannot be read.
package func mirroredRecords(
    of key: Int64,
    _ entities: Set<Int64>,
    in store: StoreFile
) throws(StoreError) -> [[(name: String, value: RecordedValue)]] {
    let table = "ANSCKRECORDMETADATA"
    let columns = try store.connection.columns(of: table).map(\.name)
    guard Set(columns).isSuperset(of: ["ZENTITYID", "ZENTITYPK"]) else { return [] }
    let told = columns.filter { !["Z_PK", "Z_ENT", "Z_OPT"].contains($0) }
    let numbers = entities.sorted().map(\.description).joined(separator: ", ")
    let rows = try store.connection.rows(
        "SELECT \(told.map(quotedIdentifier).joined(separator: ", ")) FROM \(table) "
            + "WHERE ZENTITYPK = ? AND ZENTITYID IN (\(numbers)) LIMIT 100",
        [.integer(key)]
    )
    return rows.map { row in
        zip(told, row).compactMap { name, value in
            RecordedValue(value).map { (name: name, value: $0) }
        }
    }
}
