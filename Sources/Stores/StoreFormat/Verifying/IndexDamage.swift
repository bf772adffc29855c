/// SQLite's messages about an index that differs from its table, each followed by the name of the index.
private let indexFaults = [
    (start: "row ", marker: " missing from index "),
    (start: "row ", marker: " values differ from index "),
    (start: "rowid not at end-of-record for row ", marker: " of index "),
    (start: "wrong # of entries in index ", marker: "wrong # of entries in index "),
]

/// Finds the indexes that differ from their tables, by the result of ``StoreFile/integrityFaults(limit:)``; they can be
/// rebuilt from the rows.
///
/// Returns `nil` where more than indexes is wrong.
package func damagedIndexes(by faults: [String]) -> [String]? {
    var names: [String] = []
    for fault in faults {
        let known = indexFaults.first { fault.hasPrefix($0.start) && fault.contains($0.marker) }
        guard let known, let marker = fault.firstRange(of: known.marker) else { return nil }
        let name = String(fault[marker.upperBound...])
        if !names.contains(name) { names.append(name) }
    }
    return names
}
