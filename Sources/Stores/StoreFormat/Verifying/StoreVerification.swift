package import Diagnostics
import Essentials
import ModelHashing
package import ObjectModel
package import SQLiteAccess

/// The number of ownerless objects that is worth a look: fewer take no room, and an optional owner may be absent.
package let ownerlessLimit = 1000

/// Verifies a store against the model that it should fit.
///
/// The file is checked first, then the layout, then the rows; rows are checked only if the store's entity numbers are the
/// model's. The order of columns does not matter: migration appends them. Of the rows of persistent history and CloudKit
/// mirroring only the keys are checked.
///
/// - Parameters:
///   - file: the store.
///   - model: the model.
///   - count: takes how much was checked, which costs a little.
///   - notesJoinTables: whether to note join tables that Core Data may look for under another name.
///   - notesOwnerless: the number from which ownerless rows are noted; `nil` for none. An optional owner may be absent,
///     so a few of them are normal data.
///   - notesContents: whether to note a file without rows, like a new store, or one that is mostly history.
///   - progress: called now and then with how much is done, and of how much; 0 when that is not known yet.
/// - Returns: the findings; the store's first, then those of the layout, then those of rows by table.
/// - Throws: `StoreError` when the store cannot be read any further.
package func verify(
    _ file: StoreFile,
    against model: ManagedObjectModel,
    counting count: ((RowExtent) -> Void)? = nil,
    notesJoinTables: Bool = false,
    notesOwnerless: Int? = nil,
    notesContents: Bool = false,
    progress: ((_ done: Int, _ total: Int) -> Void)? = nil
) throws(StoreError) -> [Diagnostic] {
    let faults = try file.connection.withProgress(progress, of: 0) { _ throws(StoreError) in
        try file.integrityFaults().map { Diagnostic(.damagedDatabase, "\($0)") }
    }
    // SQLite's check of the whole file takes about as long as all other checks.
    let second = progress.map { progress in
        { (done: Int, total: Int) in progress(total + done, 2 * total) }
    }
    let store = try LaidOutStore(file, model)
    let findings = try store.findings(
        notesOwnerless: notesOwnerless,
        notesContents: notesContents,
        counting: count,
        second
    )
    return faults + findings + (notesJoinTables ? store.joinTableNotes : [])
}

/// Verifies layout and rows of a store, without SQLite's check of the file; `checksFiles` includes external files.
package func verifyContents(
    of file: StoreFile,
    against model: ManagedObjectModel,
    checksFiles: Bool,
    notesContents: Bool = false
) throws(StoreError) -> [Diagnostic] {
    try LaidOutStore(file, model).findings(checksFiles: checksFiles, notesContents: notesContents)
}

/// Finds keys that are too great, the links of some relationships that lead to no object, and the possible reason for a
/// store without any rows.
///
/// `layout` is that of the store, with nothing missing.
package func linkFindings(
    of links: Set<PropertyReference>,
    in file: StoreFile,
    _ layout: StoreLayout
) throws(StoreError) -> [Diagnostic] {
    let keys = try file.primaryKeys()
    var checks = RowChecks(layout)
    let absence = try file.absence(of: layout.tables, keys)
    let found = try absence + checks.keyFindings(keys, on: file.connection)
    guard !links.isEmpty, absence.isEmpty else { return found }
    checks.addAll()
    let rules = Damage.lostLinkRules.union([.wrongType])
    return try found
        + checks.filtered { check in
            guard rules.contains(check.finding.rule), let entity = check.finding.entity,
                let name = check.finding.property
            else { return false }
            return links.contains(PropertyReference(entity: entity, name: name))
        }.run(on: file.connection)
}

/// The attributes, such as `Book.photo`, with values that do not say where they are: any external file may be theirs.
package func unclearExternalValues(
    of file: StoreFile,
    against model: ManagedObjectModel
) throws(StoreError) -> [String] {
    var checks = RowChecks(of: try LaidOutStore(file, model))
    checks.addAll()
    let external = checks.checks.filter { $0.finding.rule == .invalidExternalValue }
        .map(\.finding.element)
    let found = try checks.filtered { check in
        [.invalidExternalValue, .wrongType].contains(check.finding.rule)
            && external.contains(check.finding.element)
    }.run(on: file.connection)
    return Set(found.compactMap(\.element)).sorted()
}

extension RuleID {
    package static let damagedDatabase: RuleID = "damaged-database"
    package static let storeInUse: RuleID = "store-in-use"
    package static let otherModel: RuleID = "other-model"
    package static let entityNumbers: RuleID = "entity-numbers"
    package static let noRows: RuleID = "no-rows"
    package static let orphanedChange: RuleID = "orphaned-change"
    package static let excessiveKey: RuleID = "excessive-key"
    package static let noKeysLeft: RuleID = "no-keys-left"
}

let storeDamage: [RuleID: Damage] = [
    .damagedDatabase: .file("SQLite's own check of the file found a fault."),
    .storeInUse: .person("Another process has the store open."),
    .otherModel: .person(
        "The store belongs to another model.",
        "name the version that wrote the store"
    ),
    .entityNumbers: .repair("The entity numbers of the store differ from the model."),
    .noRows: .person(
        "A store has no rows, and may have lost them.",
        "examine it before you migrate it"
    ),
    .orphanedChange: .history(
        "A change in persistent history has no transaction, or no known entity."
    ),
    "missing-uuid": .repair("The metadata has no UUID of the store."),
    "stale-entity-name": .person("The store has an entity's name from before a migration."),
    "key-above-maximum": .repair("A key is greater than the greatest assigned one."),
    .excessiveKey: .person(
        "The key of a row is greater than any that Core Data assigns.",
        "delete these objects in the app and add them again, or restore the store from a backup"
    ),
    .noKeysLeft: .repair("The greatest assigned key leaves none for new objects."),
    "heavy-history": .person("Most of the file is persistent history."),
]

extension LaidOutStore {
    fileprivate func findings(
        checksFiles: Bool = true,
        notesOwnerless: Int? = nil,
        notesContents: Bool,
        counting count: ((RowExtent) -> Void)? = nil,
        _ progress: ((_ done: Int, _ total: Int) -> Void)? = nil
    ) throws(StoreError) -> [Diagnostic] {
        var findings: [Diagnostic] = []
        if metadata.hashes != versionHashes(of: model) {
            let message =
                metadata.saysVersion
                ? "another version of the model wrote the store"
                : "the store does not say which version of the model wrote it"
            findings.append(Diagnostic(.otherModel, message, severity: .warning))
        }
        if metadata.uuid.isEmpty {
            let message = "the store has no UUID, which is part of the URIs of its objects"
            findings.append(Diagnostic("missing-uuid", message, severity: .warning))
        }
        findings += tableFindings + lostHistoryColumns
        findings += try orphanedChanges()
        findings += objectFindings
        let keys = try file.primaryKeys()
        findings += lostSystemTables(keys)
        findings += try foreignChanges()
        let (numberFindings, isSame) = numberFindings(layout, keys, Set(columns.keys))
        findings += numberFindings
        guard isSame else { return findings }
        var checks = RowChecks(of: self)
        checks.addAll()
        if notesOwnerless != nil { checks.addOwnership() }
        findings += try checks.run(on: connection, counting: count, progress).filter {
            $0.rule != .ownerlessRow || $0.count >= notesOwnerless ?? 0
        }
        findings += try repeatedLinks()
        findings += try maximumFindings(keys) + keyFindings(keys, on: connection)
        guard checksFiles else { return findings }
        if notesContents {
            let tables = layout.tables.filter { columns[$0.name] != nil }
            findings += try file.absence(of: tables, keys) + file.heavyHistory()
        }
        return try findings + externalFindings()
    }

    private func maximumFindings(_ rows: [PrimaryKeyRow]) throws(StoreError) -> [Diagnostic] {
        let maxima = Dictionary(firstOf: rows.map { ($0.number, $0.maximumKey) })
        let handedOut = try handedOutKeys(layout, columns, rows, on: connection)
        return handedOut.compactMap { found in
            let maximum = maxima[found.number] ?? 0
            guard found.key > maximum else { return nil }
            let message =
                "the highest key is \(found.key) (\(found.evidence)), but Z_MAX is \(maximum)"
            let row = Diagnostic.AffectedRows(count: 1, unit: "row", keys: [found.key])
            return Diagnostic("key-above-maximum", message, entity: found.entity, rows: row)
        }
    }
}

/// Compares the numbers of entities; also tells whether the model's numbers make sense of the rows.
///
/// A row that neither the model nor a table knows is only a warning, as nothing needs it.
package func numberFindings(
    _ layout: StoreLayout,
    _ rows: [PrimaryKeyRow],
    _ tables: Set<String>
) -> (findings: [Diagnostic], isSame: Bool) {
    let stored = Dictionary(firstOf: rows.map { ($0.number, $0) })
    let names = Set(layout.entities.map(\.name))
    var findings: [Diagnostic] = []
    var isSame = true
    for entity in layout.entities {
        let row = stored[Int64(entity.number)]
        if let row, row.name == entity.name, row.superNumber == entity.superNumber { continue }
        if let row, row.superNumber == entity.superNumber, !names.contains(row.name) {
            // A migration that renames an entity leaves its old name here.
            let message = "Z_PRIMARYKEY has the name '\(row.name)' for it"
            findings.append(
                Diagnostic("stale-entity-name", message, severity: .note, entity: entity.name)
            )
            continue
        }
        isSame = false
        let message =
            row.map { "its number is \(entity.number), but the store uses that for '\($0.name)'" }
            ?? "the store has no entity with the number \(entity.number)"
        findings.append(Diagnostic(.entityNumbers, message, entity: entity.name))
    }
    let known = Set(layout.entities.map { Int64($0.number) })
    for row in rows where !known.contains(row.number) && row.number < HistoryLayout.firstNumber {
        let isUnused = row.isUnused(tables)
        isSame = isSame && isUnused
        let message = "the model has no entity for number \(row.number) of the store"
        let severity: Severity = isUnused ? .warning : .error
        findings.append(Diagnostic(.entityNumbers, message, severity: severity, entity: row.name))
    }
    return (findings, isSame)
}

extension PrimaryKeyRow {
    /// Whether it is of a root entity, and none of a store's tables is that entity's.
    package func isUnused(_ tables: Set<String>) -> Bool {
        superNumber == 0 && !tables.contains("Z" + name.uppercased())
    }
}

extension LaidOutStore {
    /// Changes in persistent history without a transaction: no request for transactions returns them.
    func orphanedChanges() throws(StoreError) -> [Diagnostic] {
        guard has("ACHANGE", ["ZTRANSACTIONID"]), has("ATRANSACTION", ["Z_PK"]) else { return [] }
        return try changes(where: HistoryLayout.hasNoTransaction, .warning) {
            "\($0) in persistent history without a transaction"
        }
    }

    /// Changes in persistent history of entities that the model does not have.
    ///
    /// They are damage, or left from a migration: it is unknown whether Core Data removes them, so they are not faults.
    func foreignChanges() throws(StoreError) -> [Diagnostic] {
        guard has("ACHANGE", ["ZENTITY"]) else { return [] }
        let numbers = layout.entities.map { "\($0.number)" }.joined(separator: ", ")
        return try changes(where: "ZENTITY NOT IN (\(numbers))", .note) {
            "\($0) in persistent history for an unknown entity"
        }
    }

    private func changes(
        where condition: String,
        _ severity: Severity,
        _ message: (String) -> String
    ) throws(StoreError) -> [Diagnostic] {
        guard let rows = try connection.affected("ACHANGE", where: condition) else { return [] }
        let words = message(rows.count.counted("change"))
        return [Diagnostic(.orphanedChange, words, severity: severity, rows: rows)]
    }
}

/// Verifies rows of selected tables, as often as asked.
package struct RowVerification {
    private let checks: RowChecks

    package init(_ layout: StoreLayout) {
        var checks = RowChecks(layout)
        checks.addAll()
        self.checks = checks
    }

    /// Finds what is wrong with the rows of some tables, by table.
    ///
    /// Links are counted there; links into `emptied` tables, which lost rows, are checked too.
    package func findings(
        in tables: Set<String>,
        emptied: Set<String>,
        on connection: SQLiteConnection
    ) throws(StoreError) -> [Diagnostic] {
        guard !tables.isEmpty else { return [] }
        let written = tables.map(quotedIdentifier)
        let gone = emptied.map(quotedIdentifier)
        return try checks.filtered { check in
            if tables.contains(check.table) { return true }
            // Each check of another table whose result may have changed names a written table.
            let counts = [.destinationCount, .missingDestination].contains(check.finding.rule)
            let others = counts ? written : gone
            return others.contains { check.condition.contains($0) }
        }.run(on: connection)
    }
}
