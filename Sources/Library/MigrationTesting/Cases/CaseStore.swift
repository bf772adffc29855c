import SettingsFiles
import Diagnostics
import Essentials
import FileSystem
import ModelHashing
import ModelLoading
import ObjectModel
import SQLiteAccess
import StoreFormat

/// Copies a store as a migration does: with the content of its log, without what its journal rolls back, and with its
/// external files.
func copyStore(at path: String, to copy: String) throws {
    let store = try StoreFile(path: path)
    let connection = try store.copy(to: copy, reportedPath: path)
    if store.usesWriteAheadLog { try connection.setJournal("wal") }
    let external = externalDataFolder(of: path).deletingLastPathComponent().path
    if exists(external) {
        let target = externalDataFolder(of: copy).deletingLastPathComponent().path
        try copyFolder(from: external, to: target)
    }
    try store.requireUnchanged()
}

/// The external values that differ beside a migrated store, which may have moved some into itself.
func missingExternalFiles(of path: String, in result: String) throws(StoreError) -> [String] {
    let (old, new) = (externalDataFolder(of: path), externalDataFolder(of: result))
    let names = (try? Files.names(in: old.path)) ?? []
    guard !names.isEmpty else { return [] }
    let named = Set(try namedExternalFiles(on: StoreFile(path: result).connection))
    return names.sorted().filter(named.contains).filter { name in
        !Files.areEqual(old.appending(path: name).path, new.appending(path: name).path)
    }.map { "the large value in the file \($0) differs" }
}

/// The faults of a migrated store beside its rows: version identifiers and model cache.
func systemFaults(of store: StoreFile, _ version: ModelVersion) throws -> [String] {
    var faults: [String] = []
    let identifiers = try store.metadata().versionIdentifiers
    let expected = version.model.versionIdentifiers
    if identifiers != expected {
        faults.append("the version identifiers are \(identifiers), expected \(expected)")
    }
    guard let archive = try store.modelArchive() else { return faults }
    let cached = readCompiledModel(archive, path: store.path).value
    if versionHashes(of: cached) != version.hashes {
        faults.append("the model cache holds another version of the model")
    }
    return faults
}

extension MigrationCase {
    func missingFacts(in store: StoreFile) throws -> [String] {
        try file.facts.compactMap { fact in
            let rows = try store.connection.rows(fact.sql).map { row in
                row.map(words).joined(separator: "|")
            }
            guard !rows.elementsEqual(fact.gives, by: { haveSameBytes($0, $1) }) else { return nil }
            let place =
                fact.location.map { "\(FileLocation(path: $0.path, line: $0.line)): " } ?? ""
            return "\(place)\(fact.sql): gives \(rows), expected \(fact.gives)"
        }
    }

    private func words(_ value: SQLiteValue) -> String {
        switch value {
        case .null: "NULL"
        case .integer(let value): String(value)
        case .real(let value): "\(value)"
        case .text(let text): text
        case .blob(let data): "\(data.count.counted("byte"))"
        }
    }

    func keepArtifacts(of outcome: CaseOutcome, from work: URL, at artifacts: URL) {
        let bundle = try? readCaseModel(url(of: file.model).path).value
        let target = file.to.flatMap { bundle?.version(named: $0) } ?? bundle?.currentVersion
        MigrationTesting.keepArtifacts(
            of: outcome,
            from: work,
            given: try? givenStore(),
            at: artifacts,
            source: bundle?.version(named: file.from)?.model,
            target: target?.model
        )
    }
}
