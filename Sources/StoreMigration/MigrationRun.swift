import Diagnostics
import Foundation
import MappingInference
import ModelHashing
import ObjectModel
import PropertyLists
import SQLiteAccess
public import StoreFormat

/// What a run of a migration is told.
public struct MigrationRunOptions: Sendable {
    /// Whether links and values may be dropped that have no place in the new version.
    public var acceptsLosses: Bool
    /// Whether SQLite checks all of the result, that its indexes match its tables included.
    ///
    /// The time of that grows with the store. A new file is always checked but for its indexes, which takes a
    /// tenth of the time.
    public var checksWholeFile: Bool
    /// Is called before each step with its place, from 0, and the number of steps.
    public var progress: @Sendable (MigrationStep, Int, Int) -> Void

    /// Creates options.
    public init(
        acceptsLosses: Bool = false,
        checksWholeFile: Bool = false,
        progress: @escaping @Sendable (MigrationStep, Int, Int) -> Void = { _, _, _ in }
    ) {
        self.acceptsLosses = acceptsLosses
        self.checksWholeFile = checksWholeFile
        self.progress = progress
    }
}

extension StoreMigration {
    /// Migrates a copy of the store into a new file; the store itself is only read.
    ///
    /// The copy is made beside the new file, migrated, checked by SQLite, brought to disk and only then
    /// given its name. Large values in files beside the store are copied with it.
    ///
    /// - Parameters:
    ///   - store: the store that the migration was worked out for.
    ///   - path: the path of the new file, where nothing may be yet.
    ///   - options: what the run is told.
    /// - Throws: `StoreMigrationError`; then there is no new file.
    public func run(
        from store: StoreFile,
        toNewFile path: String,
        options: MigrationRunOptions = MigrationRunOptions()
    ) throws(StoreMigrationError) {
        do throws(StoreMigrationError) {
            try migrateCopy(of: store, toNewFile: path) { connection throws(StoreMigrationError) in
                try runInTransaction(connection, options, leavesProofToIndexes: true)
                if !options.checksWholeFile { try checkFile(connection, "quick_check") }
            }
        } catch {
            throw try explained(error) { store }
        }
    }

    /// Migrates the store where it is, in one transaction.
    ///
    /// - Parameters:
    ///   - path: the path of the store that the migration was worked out for.
    ///   - backup: a path for a copy of the store as it was, where nothing may be yet; `nil` for none.
    ///   - options: what the run is told.
    /// - Throws: `StoreMigrationError`; then the store is as it was.
    public func runInPlace(
        path: String,
        backup: String? = nil,
        options: MigrationRunOptions = MigrationRunOptions()
    ) throws(StoreMigrationError) {
        do throws(StoreMigrationError) {
            try migrateInPlace(path: path, backup: backup) {
                connection throws(StoreMigrationError) in
                try runInTransaction(connection, options, leavesProofToIndexes: true)
            }
        } catch {
            throw try explained(error) { () throws(StoreError) in try StoreFile(path: path) }
        }
    }

    /// Says which rows are to blame when a unique index could not be made; other errors stay as they are.
    private func explained(
        _ error: StoreMigrationError,
        _ open: () throws(StoreError) -> StoreFile
    ) throws(StoreMigrationError) -> StoreMigrationError {
        guard case .store(let cause) = error, cause.isUniquenessViolation else { return error }
        let store = try storeErrors(open)
        let findings = try findings(in: store).filter(\.risk.isFatal)
        return findings.isEmpty ? error : .rows(findings)
    }

    /// Does the whole migration on an open database inside a transaction.
    ///
    /// With `leavesProofToIndexes`, duplicates under a new constraint are not asked for but make the step fail
    /// that makes its index: sorting the values once is enough.
    func runInTransaction(
        _ connection: SQLiteConnection,
        _ options: MigrationRunOptions,
        leavesProofToIndexes: Bool = false
    ) throws(StoreMigrationError) {
        try storeErrors { () throws(StoreError) in
            // Somebody may have migrated the store since the migration was worked out.
            let hashes = try StoreMetadata(connection).hashes
            guard hashes == source.hashes else { throw .inUse(path: connection.path) }
        }
        let asked = questions.filter { !leavesProofToIndexes || !program.layout.proves($0.risk) }
        let findings = try findings(connection, asked).filter {
            $0.risk.isFatal || !options.acceptsLosses
        }
        guard findings.isEmpty else { throw .rows(findings) }
        let before = try program.checks.map { check throws(StoreMigrationError) in
            try firstRow(check.before, connection)
        }
        for (place, step) in program.steps.enumerated() {
            options.progress(step, place, program.steps.count)
            try storeErrors { () throws(StoreError) in try connection.execute(step.sql) }
        }
        for (check, expected) in zip(program.checks, before) {
            let found = try firstRow(check.after, connection)
            guard found == expected else {
                throw .checkFailed(
                    path: connection.path,
                    subject: check.subject,
                    expected: text(expected),
                    found: text(found)
                )
            }
        }
        try finish(
            connection,
            version: destination,
            archive: archive,
            layout: program.layout
        )
        if options.checksWholeFile { try checkFile(connection, "integrity_check") }
    }

    /// Lets SQLite check a file: with `quick_check` its pages and rows, with `integrity_check` also that indexes
    /// match their tables, which takes ten times as long.
    private func checkFile(
        _ connection: SQLiteConnection,
        _ check: String
    ) throws(StoreMigrationError) {
        let faults = try storeErrors { () throws(StoreError) in
            try connection.rows("PRAGMA \(check)(10)").compactMap(\.first?.text)
        }
        guard faults == ["ok"] else {
            throw .checkFailed(
                path: connection.path,
                subject: "SQLite's integrity check",
                expected: "ok",
                found: faults.joined(separator: "; ")
            )
        }
    }

    private func firstRow(
        _ sql: String,
        _ connection: SQLiteConnection
    ) throws(StoreMigrationError) -> [SQLiteValue] {
        try storeErrors { () throws(StoreError) in try connection.rows(sql).first ?? [] }
    }

    private func text(_ row: [SQLiteValue]) -> String {
        row.map { $0.integer.map(String.init) ?? "?" }.joined(separator: ", ")
    }
}

/// Writes what the metadata say of the new version, and checks that its layout is there.
func finish(
    _ connection: SQLiteConnection,
    version: ModelVersion,
    archive: Data,
    layout: StoreLayout
) throws(StoreMigrationError) {
    let schema = try storeErrors { () throws(StoreError) in
        var metadata = try StoreMetadata(connection)
        metadata.setModel(
            hashes: version.hashes,
            versionIdentifiers: version.model.versionIdentifiers
        )
        try writeMetadata(metadata, on: connection)
        let schema = try StoreSchema(connection)
        if schema.hasTable("Z_MODELCACHE") { try writeModelCache(archive, on: connection) }
        return schema
    }
    let present = Set(schema.indexes.map(\.name))
    let missing =
        schema.missing(from: layout)
        + layout.indexes.map(\.name).filter { !present.contains($0) }
    guard missing.isEmpty else {
        throw .checkFailed(
            path: connection.path,
            subject: "the layout",
            expected: "whole",
            found: "lacking \(missing.joined(separator: ", "))"
        )
    }
}
