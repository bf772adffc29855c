package import Diagnostics
import FileSystem
package import Essentials
package import ObjectModel
package import SQLiteAccess

extension RuleID {
    package static let missingExternalFile: RuleID = "missing-external-file"
    package static let invalidExternalValue: RuleID = "invalid-external-value"
}

let fileDamage: [RuleID: Damage] = [
    .missingExternalFile: .folder("A value refers to a missing file beside the store."),
    .invalidExternalValue: .person("An external value does not say whether it is in a file."),
    "shared-external-file": .person(
        "Two values share a file beside the store, which is deleted with either.",
        "set one of the values again in the app, which gives it its own file"
    ),
    "surplus-external-file": .person("A file beside the store belongs to no value."),
]

extension RowChecks {
    /// Adds the check that an externally storable value says where it is (SQLiteStores, "Values"): a byte 1 with the
    /// data, or a byte 2 with the name of a file.
    mutating func addExternalCheck(of checked: CheckedValue) {
        guard checked.leaf.attribute.allowsExternalBinaryDataStorage else { return }
        let isUnclear = "\(checked.scope) AND \(isUnclearExternal(checked.value))"
        let message = "value does not say whether it is in the store or in a file"
        add(.invalidExternalValue, checked.property, message, in: checked.table, where: isUnclear)
    }
}

/// The condition that data of an externally storable attribute does not say where it is.
package func isUnclearExternal(_ value: String) -> String {
    let isFile =
        "length(\(value)) = 38 AND substr(\(value), 38) = x'00' "
        + "AND CAST(substr(\(value), 2, 36) AS TEXT) GLOB '\(uuidPattern)'"
    return "typeof(\(value)) = 'blob' AND CASE substr(\(value), 1, 1) "
        + "WHEN x'01' THEN 0 WHEN x'02' THEN NOT (\(isFile)) ELSE 1 END"
}

extension AttributeValue {
    /// The value in the form of an attribute; data of an externally storable one is marked as in the store.
    package func stored(inExternalForm isExternal: Bool) -> AttributeValue {
        guard isExternal, case .binary(let data) = self else { return self }
        return .binary(Data([1]) + data)
    }

    /// The value as SQLite stores it in the store itself (SQLiteStores, "Values").
    package var cell: SQLiteValue {
        switch self {
        case .integer(let value): .integer(value)
        case .boolean(let value): .integer(value ? 1 : 0)
        case .double(let value), .date(let value): .real(value)
        case .float(let value): .real(Double(value))
        case .decimal(let value): .real(Double(value.description) ?? 0)
        case .string(let text), .uri(let text): .text(text)
        case .binary(let data): .blob(data)
        case .uuid(let uuid): withUnsafeBytes(of: uuid.uuid) { .blob(Data($0)) }
        }
    }
}

/// The texts that are a UUID, as a pattern of SQLite's `GLOB`.
private let uuidPattern = [8, 4, 4, 4, 12]
    .map { String(repeating: "[0-9A-Fa-f]", count: $0) }.joined(separator: "-")

extension LaidOutStore {
    /// Finds the values whose external files are missing, and the files that no value names.
    func externalFindings() throws(StoreError) -> [Diagnostic] {
        var findings: [Diagnostic] = []
        var known: Set<String> = []
        let folder = externalDataFolder(of: file.path)
        for definition in layout.numbered.definitions {
            for leaf in definition.leaves where leaf.attribute.allowsExternalBinaryDataStorage {
                guard let values = value(of: leaf, definition.entity.name) else { continue }
                findings += try values.findings(in: folder, on: connection, &known)
            }
        }
        return findings + surplusFindings(in: folder, known)
    }
}

/// Finds files that no value names: an interrupted deletion leaves them.
private func surplusFindings(in folder: URL, _ known: Set<String>) -> [Diagnostic] {
    let surplus = surplusFiles(among: externalFileNames(in: folder.path), named: known)
    guard let first = surplus.first else { return [] }
    let message =
        surplus.count == 1
        ? "no value refers to the file \(first) beside the store"
        : "no value refers to \(surplus.count) files beside the store, such as \(first)"
    let files = Diagnostic.AffectedRows(count: surplus.count, unit: "file", keys: [])
    return [Diagnostic("surplus-external-file", message, severity: .note, rows: files)]
}

/// Returns the folder of a store's external values.
///
/// For a symbolic link it is the folder beside the link if that exists, otherwise the one beside the store.
package func externalDataFolder(of path: String) -> URL {
    let folder = externalDataFolder(beside: fileURL(path))
    guard Files.destination(ofLink: path) != nil,
        !Files.exists(at: folder.path)
    else { return folder }
    return externalDataFolder(beside: fileURL(StoreFiles(path: path).realPath))
}

private func externalDataFolder(beside url: URL) -> URL {
    let name = url.deletingPathExtension().lastPathComponent
    return url.deletingLastPathComponent().appendingPathComponent(".\(name)_SUPPORT/_EXTERNAL_DATA")
}

/// Returns the name of the external file that a value refers to.
///
/// Only a UUID is accepted: the name comes from the store and becomes part of a path.
package func externalFileName(_ value: some BidirectionalCollection<UInt8>) -> String? {
    guard value.count == 38, value.first == 2, value.last == 0 else { return nil }
    let name = String(decoding: value.dropFirst().dropLast(), as: UTF8.self)
    return UUID(uuidString: name) == nil ? nil : name
}

extension CheckedValue {
    /// Finds the values whose files are missing or belong to other values, and adds all names to the known ones.
    fileprivate func findings(
        in folder: URL,
        on connection: SQLiteConnection,
        _ known: inout Set<String>
    ) throws(StoreError) -> [Diagnostic] {
        var missing = Diagnostic.AffectedRows.uncounted
        var shared = missing
        let sql =
            "SELECT Z_PK, \(value) FROM \(quotedIdentifier(table)) AS t WHERE typeof(\(value)) = 'blob' "
            + "AND length(\(value)) = 38 AND substr(\(value), 1, 1) = x'02' AND \(scope) ORDER BY Z_PK"
        try connection.query(sql) { row throws(StoreError) in
            guard let name = row[1].blob.flatMap(externalFileName) else { return }
            let key = row[0].integer ?? 0
            if !known.insert(name).inserted { shared.add(key) }
            let path = folder.appendingPathComponent(name).path
            if !Files.exists(at: path) { missing.add(key) }
        }
        return [
            finding(.missingExternalFile, "the file beside the store is missing", missing),
            finding(
                "shared-external-file",
                "the file beside the store is shared with another value, and is deleted with either",
                shared,
                severity: .warning
            ),
        ].compactMap(\.self)
    }

    private func finding(
        _ rule: RuleID,
        _ message: String,
        _ rows: Diagnostic.AffectedRows,
        severity: Severity = .error
    ) -> Diagnostic? {
        guard rows.count > 0 else { return nil }
        return Diagnostic(
            rule,
            message,
            severity: severity,
            entity: property.entity,
            property: leaf.name,
            rows: rows
        )
    }
}
